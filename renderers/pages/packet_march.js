// On a table: several who go straight on together, and who strikes once he has gone. Who may, and in which words, comes with the page.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const { el } = packet;
  const { apart, towards, degrees, heading, inches, whole } = window.pbemPlane || {};
  const TRIES = 40; // how often those who wait for others are measured anew
  const STEP = 25; // hundredths to which a distance that is tapped is rounded

  packet.march = (desk, { roaming, plane, long, asOf }) => {
    const { model, t } = desk;
    const { bands, touching, together, directions } = roaming;
    const beside = new Map();
    touching.forEach(([a, b]) => [[a, b], [b, a]].forEach(([one, other]) => beside.set(one, [...(beside.get(one) || []), other])));
    const asked = { party: [], far: 0, direction: directions[0], first: "" };
    let open = false;

    const touches = (one, others) => (beside.get(one) || []).some((other) => others.includes(other));
    const may = (who) => who.length >= together[0] && who.length <= together[1] && bands.some((band) => who.every((one) => band.includes(one))) && who.every((one) => touches(one, who));
    const lineOf = (who) => model.lineOf(who, desk.at).find((line) => line.march) || null;
    const reach = (who) => Math.min(...who.map((one) => (plane.figures.get(one) ? plane.figures.get(one).reach : 0)));

    // Of his band those who touch somebody, where enough of them do.
    function mates(who) {
      const near = (bands.find((band) => band.includes(who)) || []).filter((one) => beside.has(one));
      return near.includes(who) && near.length >= together[0] ? near.filter((one) => one !== who).sort() : [];
    }

    const turn = (direction) => heading((directions.indexOf(direction) * 360) / directions.length);

    // Who is asked for stays as it was left, as long as the one who is chosen is among them.
    function party() {
      if (!asked.party.includes(desk.who)) {
        const line = lineOf(desk.who);
        Object.assign(asked, line ? { party: line.w, ...line.march } : { party: [desk.who], far: 0, first: "" });
      }
      return asked.party;
    }

    const sentence = ({ far, direction, first }, who) => model.filled(first ? roaming.columns : roaming.marches, { who: who.join(", "), far: inches(far), direction, first });

    function order(change) {
      const who = party();
      Object.assign(asked, change);
      if (asked.first && !who.includes(asked.first)) asked.first = "";
      if (!may(who) || asked.far < 1) return desk.again();
      const march = { far: asked.far, direction: asked.direction, first: asked.first };
      const row = { w: who.slice(), s: sentence(march, who), march };
      desk.picked = null;
      return desk.done(() => model.take(desk.at, row), `${t("taken")}: ${row.s}. ${said(row)}`);
    }

    function join(who) {
      const had = party();
      const line = lineOf(desk.who);
      asked.party = had.includes(who) ? had.filter((one) => one !== who) : [...had, who];
      if (asked.far >= 1 && may(asked.party)) return order({});
      return line ? desk.done(() => model.drop(desk.at, line), t("removed", { sentence: line.s })) : desk.again();
    }

    const ready = () => open && Boolean(desk.who) && may(party());

    // A tap on the map: the direction next to it, and as far as it lies in that.
    function tap(point) {
      if (!ready()) return false;
      const { at } = plane.figures.get(desk.who);
      const far = Math.min(apart(at, point), reach(party()));
      if (far < 1) return desk.again() || true;
      const place = Math.round((degrees(towards(at, point)) * directions.length) / 360) % directions.length;
      order({ far: Math.min(Math.max(STEP, Math.round(far / STEP) * STEP), reach(party())), direction: directions[place] });
      return true;
    }

    const further = (at, way, far) => whole([at[0] + way[0] * far, at[1] + way[1] * far]);

    // Side by side: all as far as the one who gets least far: {far, why, ends}.
    function abreast(every, way, most) {
      let [far, why] = [most, ""];
      for (let tries = 0; tries < TRIES && far >= 1; tries += 1) {
        const found = every.map((one) => plane.walked(one, [further(one.at, way, far)]));
        const least = found.reduce((worst, one) => (one.run < worst.run ? one : worst));
        if (least.run >= far - 0.75) break;
        [far, why] = [Math.floor(least.run), least.why];
      }
      return { far, why, ends: every.map((one) => [one, further(one.at, way, far)]) };
    }

    // One behind the other: so far that all the others find their places behind the first.
    function column(every, first, way, most) {
      const head = every.find((one) => one.who === first);
      const led = plane.walked(head, [further(head.at, way, most)]);
      for (let far = Math.round(led.run); far > 0; far -= STEP) {
        let [gap, before] = [0, head];
        const end = further(head.at, way, far);
        const ends = every.map((one) => {
          if (one === head) return [one, end];
          gap += before.size + one.size;
          before = one;
          return [one, further(end, way, -gap)];
        });
        const there = ([one, place]) => one === head || apart(plane.walked(one, [place]).path.at(-1), place) < 1;
        if (ends.every(there)) return { far, why: far < most - 1 ? led.why || "blocked" : "", ends };
      }
      return { far: 0, why: "blocked", ends: every.map((one) => [one, one.at]) };
    }

    // Where several come to as far as a page can tell, and what ends it short.
    const known = new Map(); // by the lines down to it, for all that is measured asks where those above come to
    function foreseen(line) {
      const lines = model.lines(model.phases[0].heading);
      const key = lines.slice(0, lines.findIndex((one) => one.s === line.s) + 1).map((one) => one.s).join("\n") || line.s;
      if (known.size > 200) known.clear();
      if (!known.has(key)) known.set(key, asOf(line.w[0], () => measured(line)));
      return known.get(key);
    }

    // None of them is in another's way.
    function measured(line) {
      const { direction, first } = line.march;
      const slowest = reach(line.w);
      const most = Math.min(line.march.far, slowest);
      const every = line.w.map((who) => plane.figures.get(who)).filter(Boolean).map((one) => ({ ...one, reach: slowest, bars: one.bars.filter((place) => !line.w.includes(plane.solid(place).of)) }));
      if (!every.length) return { far: 0, why: "blocked", ends: [] };
      return first ? column(every, first, turn(direction), most) : abreast(every, turn(direction), most);
    }

    const ends = (line) => foreseen(line).ends;

    function said(line) {
      const { far, why } = foreseen(line);
      const short = why || (line.march.far > reach(line.w) ? "speed" : "");
      return [t(line.march.first ? "march-column" : "march-said", { far: long(far), reach: long(reach(line.w)) }), short ? t(`roam-short-${short}`) : ""].filter(Boolean).join(" · ");
    }

    function card(who) {
      const others = mates(who);
      if (!others.length) return null;
      const now = party();
      const list = (key, label, options, value, change) => {
        const box = el("select", { "data-key": `march-${key}`, onchange: () => change(box.value) }, options.map(([one, text]) => el("option", { value: one, selected: one === value }, text)));
        return el("label", { class: "ask" }, el("span", {}, t(label)), box);
      };
      const far = el("input", { type: "number", step: "0.25", min: "0", inputmode: "decimal", "data-key": "march-far", value: asked.far ? inches(asked.far) : "", onchange: () => Number.isFinite(Number(far.value)) && order({ far: Math.round(Number(far.value) * 100) }) });
      const key = "march";
      open = desk.open.has(key) || Boolean(lineOf(who));
      const box = el(
        "details",
        { class: "settings march", "data-open": key, open },
        el("summary", {}, t("march")),
        el("p", { class: "hint" }, t(may(now) ? "march-tap" : "march-who", { reach: long(reach(now)) })),
        el("div", { class: "mates", role: "group", "aria-label": t("march") }, others.map((one) => el("button", { type: "button", class: "mate", "aria-pressed": now.includes(one), "data-key": `march ${one}`, onclick: () => join(one) }, desk.name(one)))),
        may(now)
          ? el("div", { class: "roam-place" }, list("first", "march-how", [["", t("march-abreast")], ...now.map((one) => [one, t("march-behind", { name: desk.name(one) })])], asked.first, (first) => order({ first })), list("direction", "march-direction", directions.map((word) => [word, word]), asked.direction, (direction) => order({ direction })), el("label", { class: "ask" }, el("span", {}, t("march-far")), far))
          : null,
      );
      box.addEventListener("toggle", () => {
        open = box.open;
        desk.open[box.open ? "add" : "delete"](key);
      });
      return box;
    }

    const standing = (line) => (may(line.w) && line.s === sentence(line.march, line.w) ? "fine" : "gone");

    // What somebody may do once he has gone who acts again: blows at those whom he touches then, and what he could do from where he stands.
    function again(who, heading_, touched) {
      if (!roaming.again.includes(who)) return [];
      const blows = touched.map((target) => ({ w: [who], k: -1, s: model.filled(roaming.strikes, { who, target }), t: [target], n: [] }));
      const rows = model.available(who, heading_).rows.filter((row) => row.w.length === 1 && row.t && !model.roam.listed(row) && !model.roam.stirs(row) && !blows.some((blow) => blow.s === row.s));
      return [...blows, ...rows];
    }

    return { card, tap, ends, said, standing, again, ready };
  };
})();
