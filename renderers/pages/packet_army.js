// On a table whose players build what they bring: kinds with their points, put down by a tap or by numbers. What a kind costs and how a
// line of it reads comes with the page; whether the army may be is the umpire's to say.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const { el } = packet;
  const { inches, apart, towards, nearest, off } = window.pbemPlane || {};
  const HALF = 50; // hundredths: half a ladder, which stands at a wall with all of its width
  const NAME = /^[a-z][a-z0-9-]{0,31}$/;

  packet.army = (desk, { muster, directions }) => {
    const { model, t, data } = desk;
    const kinds = new Map(muster.kinds.map((one) => [one.text, one]));
    const ready = new Map(muster.ready.map((one) => [one.sentence, one]));
    const bearers = new Set();
    const asked = { kind: muster.kinds[0].text, name: "", on: "", facing: "", x: "", y: "" };
    const heading = () => model.phases[0].heading;
    const lines = () => model.lines(heading());

    // What a line is: of one's own making, or one of the army that the scenario names.
    const madeOf = (line) => line.army || ready.get(line.s) || null;
    const costs = (line) => (madeOf(line) && kinds.get(madeOf(line).kind) ? kinds.get(madeOf(line).kind).points : 0);
    const spent = () => lines().reduce((sum, line) => sum + costs(line), 0);
    const sections = () => lines().filter((line) => madeOf(line) && (kinds.get(madeOf(line).kind) || {}).section).map((line) => line.w[0]);

    // A name that nobody has yet: that of the kind with a number.
    function fresh(kind) {
      const word = kind.split(" ").pop();
      for (let number = 1; ; number += 1) if (!lines().some((line) => line.w[0] === `${word}${number}`)) return `${word}${number}`;
    }

    // Of a ladder the wall next to a point, or that which is tapped, and the place on its edge; null where there is no wall.
    function leant(at, on) {
      const every = shown().filter((one) => one.wall && (!on || one.who === on));
      const edges = every.flatMap(({ who, shape }) => shape.map((from, n) => ({ who, from, to: shape[(n + 1) % shape.length] })));
      const found = edges.map(({ who, from, to }) => {
        const along = towards(from, to);
        const [a, b] = [[1, from], [-1, to]].map(([sign, end]) => end.map((part, n) => part + sign * HALF * along[n]));
        const place = nearest([a, b], at);
        return { who, place, far: apart(place, at) };
      });
      return found.length ? found.reduce((best, one) => (one.far < best.far ? one : best)) : null;
    }

    function lean(at, who, on) {
      const found = leant(at, on);
      if (!found) return desk.tell(t("army-no-wall"));
      const name = who || asked.name || fresh(asked.kind);
      if (!NAME.test(name)) return desk.tell(t("army-bad-name"));
      const place = found.place.map(Math.round);
      const kind = [...kinds.values()].find((one) => one.leans);
      const s = model.filled(muster.leans, { who: name, kind: kind.said, section: found.who, place: place.map(inches).join(" ") });
      asked.name = "";
      return take({ w: [name], s, army: { kind: kind.text, at: place, on: found.who, facing: "" } });
    }

    const take = (row) => desk.done(() => model.take(heading(), row), `${t("taken")}: ${row.s}. ${points()}`);

    function put(at, who = "", upon_ = "") {
      const had = who && model.lineOf(who, heading()).find((line) => line.army);
      if (kinds.get(had ? had.army.kind : asked.kind).leans) return lean(at, who, upon_);
      const { kind, on, facing } = had ? had.army : { kind: asked.kind, on: sections().includes(asked.on) && !kinds.get(asked.kind).section ? asked.on : "", facing: asked.facing };
      const name = who || asked.name || fresh(kind);
      if (!NAME.test(name)) return desk.tell(t("army-bad-name"));
      const form = on ? muster.on : muster.stands;
      const said = model.filled(form, { who: name, kind: kinds.get(kind).said, section: on, place: at.map(inches).join(" ") });
      const row = { w: [name], s: facing ? said + model.filled(muster.facing, { facing }) : said, army: { kind, at, on, facing } };
      asked.name = "";
      return take(row);
    }

    const points = () => t(spent() > muster.most ? "army-over" : "army-points", { spent: spent(), most: muster.most, left: Math.abs(muster.most - spent()) });

    function tap(point) {
      const moved = desk.who && model.lineOf(desk.who, heading()).some((line) => line.army && line.army.at);
      if (desk.who && !moved) return false;
      put(point, moved ? desk.who : "");
      return true;
    }

    // Where a warrior is to be put down and a section is tapped, he stands on that.
    function upon(who, point) {
      if (desk.who || kinds.get(asked.kind).section || !sections().includes(who)) return false;
      asked.on = who;
      put(point, "", who);
      asked.on = "";
      desk.again();
      return true;
    }

    // The gaps between two walls over which no plank lies yet: [one, other, how wide].
    function gaps() {
      const walls = muster.plank ? shown().filter((one) => one.wall) : [];
      const laid = new Set(lines().map((line) => line.s.replace(/^\S+ /, "")));
      const wide = ({ shape: a }, { shape: b }) => Math.min(...a.map((corner) => off(b, corner)), ...b.map((corner) => off(a, corner)));
      return walls
        .flatMap((one, n) => walls.slice(n + 1).map((other) => [one, other, wide(one, other)]))
        .filter(([one, other, gap]) => gap > muster.gaps[0] && gap <= muster.gaps[1] && ![[one, other], [other, one]].some(([a, b]) => laid.has(model.filled(muster.plank, { who: "", one: a.who, other: b.who }).trim())))
        .map(([one, other, gap]) => [one.who, other.who, gap]);
    }

    const lay = (one, other) => {
      const who = fresh("plank");
      return take({ w: [who], s: model.filled(muster.plank, { who, one, other }), army: { kind: "plank", at: null, on: "", facing: "" } });
    };

    const carry = () => {
      const who = fresh("ladder");
      const row = { w: [who], s: model.filled(muster.carried, { who, others: [...bearers].join(", ") }), army: { kind: "carried", at: null, on: "", facing: "" } };
      bearers.clear();
      return take(row);
    };

    // Ladders that some carry, and planks over gaps between walls.
    function timber() {
      const free = lines().filter((line) => madeOf(line) && madeOf(line).at && !(kinds.get(madeOf(line).kind) || { section: true }).section && !kinds.get(madeOf(line).kind).leans).map((line) => line.w[0]);
      [...bearers].filter((who) => !free.includes(who)).forEach((who) => bearers.delete(who));
      const [least, most] = muster.hands;
      const may = bearers.size >= least && bearers.size <= most;
      const open = gaps();
      if (!open.length && (!muster.carried || free.length < least)) return null;
      const key = "timber";
      const box = el(
        "details",
        { class: "settings timber", "data-open": key, open: desk.open.has(key) },
        el("summary", {}, t("army-timber")),
        open.length ? el("div", { class: "ways" }, open.map(([one, other, gap]) => el("button", { type: "button", class: "small", "data-key": `plank ${one} ${other}`, onclick: () => lay(one, other) }, t("army-plank", { one, other, gap: inches(Math.round(gap)) })))) : null,
        muster.carried && free.length >= least
          ? [
              el("p", { class: "hint" }, t("army-bearers", { least, most })),
              el("div", { class: "mates", role: "group", "aria-label": t("army-carry") }, free.map((who) => el("button", { type: "button", class: "mate", "aria-pressed": bearers.has(who), "data-key": `bearer ${who}`, onclick: () => bearers[bearers.has(who) ? "delete" : "add"](who) && desk.again() }, who))),
              may ? el("button", { type: "button", class: "small", "data-key": "army-carry", onclick: carry }, t("army-carry")) : null,
            ]
          : null,
      );
      box.addEventListener("toggle", () => desk.open[box.open ? "add" : "delete"](key));
      return box;
    }

    function card() {
      const list = (key, options) => {
        const box = el("select", { "data-key": `army-${key}`, onchange: () => { asked[key] = box.value; desk.again(); } }, options.map(([value, text]) => el("option", { value, selected: value === asked[key] }, text)));
        return el("label", { class: "ask" }, el("span", {}, t(`army-${key}`)), box);
      };
      const field = (key, set) => {
        const box = el("input", { "data-key": `army-${key}`, value: asked[key], onchange: () => (asked[key] = box.value.trim().toLowerCase()), ...set });
        return el("label", { class: "ask" }, el("span", {}, t(`army-${key}`)), box);
      };
      const number = { type: "number", step: "0.25", min: "0", inputmode: "decimal" };
      const place = () => {
        const at = [asked.x, asked.y].map((value) => Math.round(Number(value) * 100));
        return asked.x !== "" && asked.y !== "" && at.every(Number.isFinite) ? put(at) : desk.tell(t("army-where"));
      };
      const whole = [...ready.values()].filter((one) => !lines().some((line) => line.w[0] === one.who));
      return el(
        "div",
        { class: "walk army", role: "group", "aria-label": t("army") },
        el("p", { class: spent() > muster.most ? "doubt" : "known", id: "army-points" }, points()),
        el("p", { class: "hint" }, t("army-hint")),
        el("div", { class: "roam-place" }, list("kind", muster.kinds.map((one) => [one.text, t("army-costs", { kind: one.text, points: one.points })])), field("name", { placeholder: fresh(asked.kind), maxlength: 32, autocomplete: "off" })),
        kinds.get(asked.kind).leans ? el("p", { class: "hint" }, t("army-leans")) : el("div", { class: "roam-place" }, kinds.get(asked.kind).section ? null : list("on", [["", t("army-table")], ...sections().map((id) => [id, id])]), list("facing", [["", t("army-as-usual")], ...directions.map((word) => [word, word])])),
        el("div", { class: "roam-place" }, field("x", number), field("y", number)),
        el("div", { class: "ways" }, [
          el("button", { type: "button", class: "small", "data-key": "army-put", onclick: place }, t("army-put")),
          whole.length ? el("button", { type: "button", class: "small", "data-key": "army-ready", onclick: () => desk.done(() => model.takeAll(heading(), model.phases[0].rows.filter((row) => whole.some((one) => one.sentence === row.s))), t("army-ready")) }, t("army-ready")) : null,
        ]),
        timber(),
      );
    }

    // What is wrong with the whole of it as far as sums tell, and what a page cannot know.
    function checks() {
      if (!lines().length) return [["doubt", "check-no-army", {}]];
      const over = spent() > muster.most ? [["wrong", "check-points", { spent: spent(), most: muster.most }]] : [];
      return [...over, ["doubt", "check-army", {}]];
    }

    // Of a line where it stands and how large: {at, shape, size}, for the map.
    function shown() {
      return lines().map((line) => [line, madeOf(line)]).filter(([, made]) => made && made.at && kinds.get(made.kind)).map(([line, made]) => {
        const { shape, size, wall } = kinds.get(made.kind);
        const word = directions.indexOf(made.facing);
        const turn = ((word >= 0 ? (word * 360) / directions.length : Number(made.facing) || 0) * Math.PI) / 180;
        const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
        return { who: line.w[0], at: made.at, size, wall, shape: shape.map(([x, y]) => [made.at[0] + x * cos + y * sin, made.at[1] - x * sin + y * cos]) };
      });
    }

    // Where one's own stand, or would in the army of the scenario.
    const camp = () => [...shown(), ...ready.values()].map((one) => one.at).filter(Boolean);

    return { card, tap, upon, checks, shown, camp };
  };
})();
