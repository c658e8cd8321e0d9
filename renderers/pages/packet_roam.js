// A table without hexes: where the chosen figure may go, the way that is tapped, where he looks in the end, and a ruler. What is in whose
// way comes with the page; what is measured is packet_plane.js.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const { el } = packet;
  const { apart, towards, degrees, heading, inches, whole } = window.pbemPlane || {};
  const SVG = "http://www.w3.org/2000/svg";
  const NEAR = 45; // hundredths from the rim of an enemy's base within which a tap means to touch it
  const COARSE = 25; // hundredths to which a tap is rounded where a finger covers more, else FINE
  const FINE = 5;
  const NUDGE = 50;
  const CLEAR = 25; // by how much a base has to be beside a line so that nobody need doubt it

  const none = { roamer: () => null, card: () => null, formed: () => null, building: () => null, mustered: () => [], ruler: () => null, draw: () => {}, tap: () => false, nudge: () => false, token: () => false, said: () => "", doubts: () => [], standing: () => "unknown", over: () => null, button: () => null, listed: () => false, known: () => "", around: () => [], again: () => [], stirs: () => false };

  packet.roam = (desk) => {
    const { model, t, data } = desk;
    const { roaming } = data;
    if (!roaming) return none;
    const plane = window.pbemPlane.plane(roaming, moved);
    const [left, low, unit] = data.board.table;
    const ruler = { on: false, from: null, to: null };
    const army = roaming.muster ? packet.army(desk, roaming) : null;
    const march = packet.march(desk, { roaming, plane, long: (units) => long(units), asOf });
    let further = false;
    let turning = false;

    const toScene = ([x, y]) => [left + (x * unit) / 100, low - (y * unit) / 100];
    const toPlane = (x, y) => [((x - left) * 100) / unit, ((low - y) * 100) / unit];
    const long = (units) => `${inches(units)}″`;
    const place = ([x, y]) => `${inches(x)}, ${inches(y)}`;
    const open = () => model.phases.find((phase) => phase.heading === desk.at);
    const roamer = (who) => {
      const one = plane.figures.get(who);
      return one && one.reach && open() ? one : null;
    };
    const lineOf = (who) => model.lineOf(who, desk.at).find((line) => line.free) || null;
    const endOf = (who, line = lineOf(who)) => (line && line.free.points.length ? line.free.points[line.free.points.length - 1] : plane.figures.get(who).at);

    // Who stands where once the lines above that of a figure, usually the chosen one, are carried out.
    let before = "";
    function moved() {
      const found = new Map();
      for (const line of model.lines((open() || model.phases[0]).heading)) {
        if (line.w.includes(before || desk.who)) break;
        if (line.march) march.ends(line).forEach(([one, end]) => found.set(one.who, end));
        if (line.free && line.free.points.length) found.set(line.w[0], line.free.points[line.free.points.length - 1]);
      }
      return found;
    }

    // What is measured as it is once the lines above that of a figure are carried out.
    function asOf(who, work) {
      const had = before;
      before = who;
      try {
        return work();
      } finally {
        before = had;
      }
    }

    // --- the order

    function sentence(who, { points, look }) {
      const put = (form, values) => model.filled(form, values);
      if (!points.length) return put(roaming.turns, { who, facing: look });
      const said = put(roaming.goes, { who, points: points.map(([x, y]) => `${inches(x)} ${inches(y)}`).join(", ") });
      return look ? said + put(roaming.facing, { facing: look }) : said;
    }

    function order(who, free) {
      if (!free.points.length && !free.look) {
        const line = lineOf(who);
        return line ? desk.done(() => model.drop(desk.at, line), t("removed", { sentence: line.s })) : undefined;
      }
      const row = { w: [who], s: sentence(who, free), free };
      desk.picked = null;
      desk.done(() => model.take(desk.at, row), `${t("taken")}: ${row.s}. ${said({ w: [who], free })}`);
      return undefined;
    }

    const freeOf = (who) => (lineOf(who) ? lineOf(who).free : { points: [], look: "" });

    // Sends somebody to a point, as the only one of his way or after those there are; he gets as far as he can.
    function send(who, point, more) {
      const one = roamer(who);
      const had = freeOf(who);
      const earlier = more ? had.points : had.points.slice(0, further ? -1 : 0);
      const gone = plane.walked(one, [...earlier, point]);
      const end = gone.path[gone.path.length - 1];
      if (gone.path.length < earlier.length + 2) return desk.tell(t("roam-stuck", { name: desk.name(who) }));
      if (one.ahead && (end[1] - one.at[1]) * one.ahead <= 0) return desk.tell(t("roam-ahead", { name: desk.name(who) }));
      order(who, { points: gone.path.slice(1), look: had.look });
      const short = apart(end, point) > 30 && gone.why;
      if (short) desk.tell(`${t(`roam-short-${gone.why}`)} ${said(lineOf(who))}`);
      return undefined;
    }

    // What is known of a way, in words.
    function said(line) {
      if (line.march) return march.said(line);
      const who = line.w[0];
      const one = plane.figures.get(who);
      if (!one) return "";
      before = who;
      const gone = plane.walked(one, line.free.points);
      const end = gone.path[gone.path.length - 1];
      const near = plane.touched(one, end).map(desk.name);
      before = "";
      return [
        line.free.points.length ? t("roam-run", { run: long(gone.run), reach: long(one.reach), place: place(end) }) : "",
        gone.why === "hindering" ? t("roam-hindering") : "",
        near.length ? t("roam-touches", { who: near.join(", ") }) : "",
        one.flies ? t("roam-flies") : "",
        ...one.notes,
      ].filter(Boolean).join(" · ");
    }

    // What is known of a move up to somebody, for which there is an order of its own.
    function known(row) {
      const one = row.w.length === 1 && row.t && roamer(row.w[0]);
      const foe = one && listed(row) ? plane.body(row.t[0]) : null;
      if (!foe || foe.shape.length > 1 || one.flies) return "";
      before = row.w[0];
      const gone = plane.walked(one, foe.shape, true);
      const end = gone.path[gone.path.length - 1];
      const near = plane.touched(one, end).map(desk.name);
      before = "";
      return [t("roam-run", { run: long(gone.run), reach: long(one.reach), place: place(end) }), near.length ? t("roam-touches", { who: near.join(", ") }) : "", ...one.notes].filter(Boolean).join(" · ");
    }

    // --- what is tapped

    function rounded([x, y]) {
      const step = (desk.board.map.place(0, 0)[2] * 100) / unit > 2.5 ? COARSE : FINE;
      return [Math.round(x / step) * step, Math.round(y / step) * step];
    }

    function tap(x, y) {
      const point = toPlane(x, y);
      if (ruler.on) return measure({ point: rounded(point), id: "" });
      if (army && army.tap(rounded(point))) return true;
      const one = desk.who ? roamer(desk.who) : null;
      if (!one) return false;
      if (march.tap(point)) return true;
      if (turning) look(desk.who, point);
      else send(desk.who, (one.flies ? null : plane.contact(one, point, NEAR)) || rounded(point), further && freeOf(desk.who).points.length > 0);
      return true;
    }

    function look(who, point) {
      turning = false;
      const end = endOf(who);
      if (apart(end, point) < 1) return desk.again();
      return order(who, { ...freeOf(who), look: String(Math.round(degrees(towards(end, point)) / 5) * 5 % 360) });
    }

    function nudge(dx, dy) {
      const one = desk.who ? roamer(desk.who) : null;
      if (!one) return false;
      const [x, y] = endOf(desk.who);
      send(desk.who, [x + dx * NUDGE, y + dy * NUDGE], false);
      return true;
    }

    // --- a ruler

    function measure(end) {
      if (!ruler.from || ruler.to) Object.assign(ruler, { from: end, to: null });
      else ruler.to = end;
      if (ruler.to) desk.tell(measured());
      else desk.tell(t("measure-next", { from: named(end) }), { shown: true });
      desk.again();
      return true;
    }

    const token = (id) => ruler.on && Boolean(plane.body(id)) && measure({ id, point: null });
    const named = (end) => (end.id ? desk.name(end.id) : place(end.point));
    const shapeOf = (end) => (end.id ? plane.body(end.id) : { shape: [end.point], size: 0 });

    function measured() {
      if (!ruler.from || !ruler.to) return "";
      const found = plane.between(shapeOf(ruler.from), shapeOf(ruler.to));
      return t("measured", { from: named(ruler.from), to: named(ruler.to), gap: long(found.gap), far: long(found.far) });
    }

    function rule(on) {
      Object.assign(ruler, { on, from: null, to: null });
      desk.tell(t(on ? "measure-on" : "measure-off"));
      desk.again();
    }

    function button() {
      return el("button", { type: "button", class: "small", id: "measure", "aria-pressed": ruler.on, onclick: () => rule(!ruler.on) }, t("measure"));
    }

    // The same in lists, for whoever has no map before his eyes.
    function rulerCard() {
      const ids = [...new Set(roaming.solids.map((one) => one.of).filter(Boolean))].sort((one, other) => (desk.name(one) < desk.name(other) ? -1 : 1));
      const pick = (key, label) => {
        const now = ruler[key] && ruler[key].id;
        const list = el("select", { "data-key": `measure-${key}`, onchange: () => set(key, list.value) }, [["", "–"], ...ids.map((id) => [id, desk.name(id)])].map(([value, text]) => el("option", { value, selected: value === (now || "") }, text)));
        return el("label", { class: "ask" }, el("span", {}, t(label)), list);
      };
      const set = (key, id) => {
        ruler[key] = id ? { id, point: null } : null;
        if (measured()) desk.tell(measured());
        desk.again();
      };
      const key = "ruler";
      return el("details", { class: "settings", "data-open": key, open: desk.open.has(key) || ruler.on }, el("summary", {}, t("measure")), pick("from", "measure-from"), pick("to", "measure-to"), el("p", { class: "known", id: "measured" }, measured() || t("measure-hint")));
    }

    // --- beside the map

    function card(who) {
      const one = roamer(who);
      if (!one) return null;
      const free = freeOf(who);
      const [x, y] = endOf(who);
      const number = (key, label, value) => {
        const box = el("input", { type: "number", step: "0.25", min: "0", inputmode: "decimal", "data-key": `roam-${key}`, value: inches(value), onchange: () => go() });
        return [el("label", { class: "ask" }, el("span", {}, t(label)), box), box];
      };
      const [across, boxX] = number("x", "roam-x", x);
      const [up, boxY] = number("y", "roam-y", y);
      const go = () => {
        const to = [Math.round(Number(boxX.value) * 100), Math.round(Number(boxY.value) * 100)];
        if (to.every(Number.isFinite) && apart(to, [x, y]) >= 1) send(who, to, false);
      };
      const looks = [["", t("roam-as-led")], ...roaming.directions.map((word) => [word, word])];
      if (free.look && !looks.some(([word]) => word === free.look)) looks.push([free.look, `${free.look}°`]);
      const facing = el("select", { "data-key": "roam-facing", onchange: () => order(who, { ...freeOf(who), look: facing.value }) }, looks.map(([value, text]) => el("option", { value, selected: value === free.look }, text)));
      const toggle = (key, on, change) => el("button", { type: "button", class: "small", "data-key": key, "aria-pressed": on, onclick: change }, t(key));
      return el(
        "div",
        { class: "walk roam", role: "group", "aria-label": t("roam") },
        el("p", { class: "hint" }, t("roam-hint", { reach: long(one.reach) })),
        one.notes.length ? el("p", { class: "known" }, one.notes.join(" · ")) : null,
        el("div", { class: "roam-place" }, across, up, el("label", { class: "ask" }, el("span", {}, t("roam-facing")), facing)),
        el("div", { class: "ways" }, [
          free.points.length ? toggle("roam-further", further, () => { further = !further; desk.tell(t(further ? "roam-further-now" : "roam-again-now")); desk.again(); }) : null,
          one.turns || free.points.length ? toggle("roam-turn", turning, () => { turning = !turning; if (turning) desk.tell(t("roam-turn-now")); desk.again(); }) : null,
          free.points.length > 1 ? el("button", { type: "button", class: "small", "data-key": "roam-back", onclick: () => order(who, { ...free, points: free.points.slice(0, -1) }) }, t("roam-back")) : null,
        ]),
      );
    }

    // --- on the map

    function svg(name, attributes) {
      const made = document.createElementNS(SVG, name);
      Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
      return made;
    }

    const points = (list) => list.map((point) => toScene(point).map(Math.round).join(",")).join(" ");
    const size = (hundredths) => (hundredths * unit) / 100;

    function sector(centre, turn, ring) {
      const half = ring.width / 20;
      const rim = Array.from({ length: 49 }, (_, at) => {
        const way = heading(turn - half + (2 * half * at) / 48);
        return [centre[0] + way[0] * ring.reach, centre[1] + way[1] * ring.reach];
      });
      return points(ring.width >= 3600 ? rim : [centre, ...rim]);
    }

    function draw(map) {
      const under = [];
      const over = [];
      model.lines(desk.at).filter((line) => line.free).forEach((line) => way(line, plane.figures.get(line.w[0]), over));
      model.lines(desk.at).filter((line) => line.march).forEach((line) => march.ends(line).forEach(([one, end]) => way({ w: line.w, free: { points: [end], look: "" } }, one, over)));
      const one = desk.who && open() ? plane.figures.get(desk.who) : null;
      if (one) {
        const line = lineOf(desk.who);
        const end = endOf(desk.who, line);
        const turn = facingOf(one, line);
        if (one.reach) {
          const gone = plane.walked(one, line ? line.free.points : []);
          const from = further && line ? end : one.at;
          const rest = further && line ? (gone.why ? 0 : one.reach - gone.run) : one.reach;
          if (rest > 0 && !march.ready()) under.push(svg("polygon", { class: "board-roam", points: points(plane.fan(one, from, rest)) }));
          if (line || turning) over.push(...handle(one, end, turn));
        }
        one.rings.forEach((ring) => under.push(svg("polygon", { class: "board-ring", points: sector(end, turn, ring) })));
      }
      if (army) army.shown().forEach((one) => over.push(...stone(one)));
      if (ruler.from) over.push(...scale());
      map.draw("plan", { under, over });
    }

    function facingOf(one, line) {
      const look_ = line && line.free.look;
      if (look_) return roaming.directions.includes(look_) ? (roaming.directions.indexOf(look_) * 360) / roaming.directions.length : Number(look_);
      if (!line || !line.free.points.length) return one.facing / 10;
      const path = [one.at, ...line.free.points];
      return degrees(towards(...path.slice(-2)));
    }

    function way(line, one, over) {
      if (!one) return;
      const own = line.w.includes(desk.who) ? " own" : "";
      const path = [one.at, ...line.free.points];
      const group = svg("g", { class: `board-way goes${own}` });
      ["board-halo", "board-core"].forEach((kind) => group.append(svg("polyline", { class: kind, points: points(path) })));
      const [x, y] = toScene(path[path.length - 1]);
      group.append(svg("circle", { class: "board-ghost", cx: x, cy: y, r: size(one.size) }));
      const turn = heading(facingOf(one, line));
      const tip = path[path.length - 1];
      group.append(svg("polyline", { class: "board-looks", points: points([[tip[0] + turn[0] * one.size * 0.4, tip[1] + turn[1] * one.size * 0.4], [tip[0] + turn[0] * one.size * 1.6, tip[1] + turn[1] * one.size * 1.6]]) }));
      over.push(group);
    }

    // What is dragged to turn the figure; a drag of it is no tap on the map.
    function handle(one, end, turn) {
      const reach = Math.max(one.size * 2.4, (34 * 100 * desk.board.map.place(0, 0)[2]) / unit);
      const at = heading(turn);
      const [x, y] = toScene([end[0] + at[0] * reach, end[1] + at[1] * reach]);
      const [cx, cy] = toScene(end);
      const arm = svg("line", { class: "board-arm", x1: cx, y1: cy, x2: x, y2: y });
      const knob = svg("circle", { class: "board-handle", cx: x, cy: y, r: 14 * desk.board.map.place(0, 0)[2] });
      let turned = null;
      knob.addEventListener("pointerdown", (event) => {
        event.stopPropagation();
        knob.setPointerCapture(event.pointerId);
        turned = end;
      });
      knob.addEventListener("pointermove", (event) => {
        if (!turned) return;
        const [px, py] = desk.board.map.place(event.clientX, event.clientY);
        turned = toPlane(px, py);
        [["cx", px], ["cy", py]].forEach(([key, value]) => knob.setAttribute(key, value));
        [["x2", px], ["y2", py]].forEach(([key, value]) => arm.setAttribute(key, value));
      });
      knob.addEventListener("pointerup", (event) => {
        event.stopPropagation();
        const to = turned;
        turned = null;
        if (to && to !== end && desk.who) look(desk.who, to);
      });
      knob.addEventListener("click", (event) => event.stopPropagation());
      return [arm, knob];
    }

    // Somebody of an army that is being built: what he covers, and his name.
    function stone({ who, at, shape, size: wide }) {
      const own = who === desk.who ? " own" : "";
      const [x, y] = toScene(at);
      const kind = `board-ghost${own}`;
      const form = shape.length > 2 ? svg("polygon", { class: kind, points: points(shape) }) : svg("circle", { class: kind, cx: x, cy: y, r: size(wide) });
      const px = desk.board.map.place(0, 0)[2];
      // where warriors stand side by side whole names would lie over each other: inside a base there is room for two letters
      const room = shape.length > 2 || who === desk.who || (2 * size(wide)) / px > 7 * who.length;
      const low = shape.length > 2 ? Math.max(...shape.map((corner) => toScene(corner)[1])) + px * 12 : y + px * 4;
      const words = svg("text", { x, y: low, class: "board-named", "font-size": px * (room ? 11 : 9) });
      words.textContent = room ? who : who.replace(/^([a-z])[a-z-]*?([0-9]*)$/, "$1$2");
      form.style.pointerEvents = "auto";
      form.addEventListener("click", (event) => {
        event.stopPropagation();
        const [px_, py_] = desk.board.map.place(event.clientX, event.clientY);
        if (!army.upon(who, rounded(toPlane(px_, py_)))) desk.choose(who === desk.who ? "" : who);
      });
      return [form, words];
    }

    function scale() {
      const from = shapeOf(ruler.from);
      if (!ruler.to) {
        const [x, y] = toScene(from.shape[0]);
        return [svg("circle", { class: "board-rule", cx: x, cy: y, r: Math.max(size(from.size), unit / 4) })];
      }
      const found = plane.between(from, shapeOf(ruler.to));
      const [a, b] = [toScene(found.from), toScene(found.to)];
      const group = svg("g", { class: "board-rules" });
      ["board-halo", "board-core"].forEach((kind) => group.append(svg("line", { class: kind, x1: a[0], y1: a[1], x2: b[0], y2: b[1] })));
      const px = desk.board.map.place(0, 0)[2];
      const text = long(found.gap);
      const label = svg("g", { class: "board-label chosen", transform: `translate(${(a[0] + b[0]) / 2} ${(a[1] + b[1]) / 2}) scale(${(px * 13) / 250})` });
      const wide = text.length * 172 + 130;
      label.append(svg("rect", { x: -wide / 2, y: -160, width: wide, height: 320, rx: 100 }));
      const words = svg("text", { y: 90, "font-size": 250 });
      words.textContent = text;
      label.append(words);
      return [group, label];
    }

    // --- what is doubtful of a list: who is sent away above may stand in the way of who comes later

    const kindOf = (line, heading_) => {
      const row = model.rowOf(heading_, line);
      return row ? data.texts[row.k] : "";
    };

    function doubts(heading_) {
      const list = model.lines(heading_);
      const found = [];
      list.forEach((line, at) => {
        const kind = line.free || line.march ? "" : kindOf(line, heading_);
        const one = plane.figures.get(line.w[0]);
        const sure = line.free ? !(one && one.ahead) : roaming.firm.includes(kind);
        if (sure) return;
        const stirs = list.find((other, place) => other !== line && (place < at ? other.free || other.march || roaming.stirring.includes(kindOf(other, heading_)) : roaming.first.includes(kindOf(other, heading_))) && !clear(other, line));
        if (stirs) found.push([line, stirs]);
      });
      return found;
    }

    // Whether somebody who went is so far beside two others that nothing between these can have changed.
    function clear(other, line) {
      if (!other.free || line.free || line.march || line.t.length !== 1 || other.w.some((who) => line.w.includes(who))) return false;
      if (!other.free.points.length) return true;
      const mover = plane.figures.get(other.w[0]);
      const end = other.free.points[other.free.points.length - 1];
      return line.w.every((who) => {
        const [from, to] = [who, line.t[0]].map((id) => plane.body(id));
        if (!mover || !from || !to || from.shape.length > 1 || to.shape.length > 1) return false;
        const off = window.pbemPlane.off([from.shape[0], to.shape[0]], end);
        return off > mover.size + Math.max(from.size, to.size) + CLEAR;
      });
    }

    // What leads up to somebody: many, and so in a list of their own.
    const listed = (row) => roaming.listed.includes(data.texts[row.k]);

    // The corners of what somebody can reach, for the map to bring into sight.
    function around(who) {
      const one = roamer(who);
      if (!one) return [];
      const [x, y] = one.at;
      const far = one.reach + one.size;
      return [[x - far, y - far], [x + far, y + far]].map((corner) => toScene(corner.map((part, axis) => Math.min(roaming.size[axis], Math.max(0, part)))));
    }

    const stirs = (row) => roaming.stirring.includes(data.texts[row.k]);

    // What may follow a move in a line of its own.
    function again(line, who, heading_) {
      const row = line.free || line.march ? null : model.rowOf(heading_, line);
      if (!(line.free || (row && (listed(row) || stirs(row)))) || !roaming.again.includes(who)) return [];
      return march.again(who, heading_, line.free ? plane.touched(plane.figures.get(who), endOf(who, line)) : listed(row) ? line.t : []);
    }

    const standing = (line) => {
      if (line.march) return march.standing(line);
      const one = plane.figures.get(line.w[0]);
      if (!one || !one.reach) return "gone";
      if (!line.free.points.length) return one.turns ? "fine" : "gone";
      return line.s === sentence(line.w[0], line.free) ? "fine" : "gone";
    };

    // Whether there are more orders than a section may hold: {level, most, count}, or null.
    function over(heading_) {
      const { budget } = data.forms;
      if (!budget || heading_ !== model.phases[0].heading) return null;
      const counted = model.lines(heading_).filter((line) => line.free || line.march || !budget.free.includes(kindOf(line, heading_)));
      const alone = counted.filter((line) => line.w.every((who) => budget.alone.includes(who))).length;
      const beyond = counted.length - alone + Math.max(0, alone - budget.more) - budget.most;
      return beyond > 0 ? { level: beyond > budget.hoped ? "wrong" : "doubt", most: budget.most, more: budget.more, count: counted.length } : null;
    }

    document.addEventListener("keydown", (event) => {
      const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName);
      if (event.key === "m" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) rule(!ruler.on);
    });

    return {
      roamer, card, formed: march.card, building: () => (army ? army.card() : null), mustered: () => (army ? army.checks() : []), builds: Boolean(army), coming: () => model.lines(desk.at).filter((line) => line.march).flatMap((line) => march.ends(line).map(([one, end]) => [one.who, end])), camp: () => (army ? army.camp().map(toScene) : []), again, stirs, ruler: rulerCard, draw, tap, nudge, token, said, doubts, standing, over, button, listed, known, around,
      chosen: () => {
        further = turning = false;
      },
      state: () => ({ further, turning, ruler }),
      plane,
      toScene,
    };
  };
})();
