// What may be added to an order: a second choice, a condition, a way of one's own; and what ends the game. Sentences come from the data.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const { el } = packet;
  const SLOT = /\{([a-z]+)\}/g;

  packet.more = (desk) => {
    const { model, t, data } = desk;
    const { forms } = data;
    let asking = null; // the condition that is being put together: {line, heading, form, values}

    const option = (value, said, now) => el("option", { value, selected: value === now }, said);
    const list = (label, options, now, change, id) => el("label", { class: "ask" }, el("span", {}, label), el("select", { "data-key": id, onchange: (event) => change(event.target.value) }, options.map(([value, said]) => option(value, said, now))));

    // --- below a line

    function below(line, heading) {
      const key = `more/${model.base(line)}`;
      const some = Boolean((line.or || []).length || line.when);
      const parts = [second(line, heading), condition(line, heading)].flat(3).filter(Boolean);
      if (!parts.length) return null;
      return el("details", { class: "more", "data-open": key, open: some || desk.open.has(key) }, el("summary", {}, t("more-to-it")), parts);
    }

    function second(line, heading) {
      const words = model.elses(heading, line);
      const named = line.or || [];
      if (!words.length && !named.length) return null;
      const said = (word) => (word in data.tokens ? desk.name(word) : word);
      return [
        named.map((word) =>
          el("button", { type: "button", class: "small", "data-key": `or ${word}`, "aria-label": t("remove-that", { sentence: `or ${word}` }), onclick: () => desk.done(() => model.adjust(heading, line, { or: named.filter((one) => one !== word) }), t("removed", { sentence: `or ${word}` })) }, t("or-else", { word: said(word) }), " ×"),
        ),
        words.length ? list(t("else"), [["", t("else-none")], ...words.map((word) => [word, said(word)])], "", (word) => word && desk.done(() => model.adjust(heading, line, { or: [...named, word] }), `${t("taken")}: ${[model.sentence(line), word].join(" or ")}`), "else") : null,
      ];
    }

    // --- if … then … otherwise

    function condition(line, heading) {
      const before = model.phases.some((phase) => phase.heading === heading && phase.id === "setup"); // nothing happens in between then
      if (!forms.conditions.length || before) return null;
      if (line.when) return standing(line, heading);
      const mine = asking && asking.heading === heading && asking.sentence === model.sentence(line) ? asking : null;
      const people = Object.keys(data.tokens).length > 1;
      const fitting = forms.conditions.filter((form) => (people || !form.includes("{one}")) && (!form.includes("{foe}") || (line.t.length === 1 && line.w.length)));
      const blank = (form) => blanked(form.replace("{who}", line.w.join(", ")).replace("{foe}", line.t[0] || ""));
      return [
        list(t("only-if"), [["", t("only-if-none")], ...fitting.map((form) => [form, blank(form)])], mine ? mine.form : "", (form) => ask(line, heading, form), "only-if"),
        mine ? slots(mine, line, heading) : null,
      ];
    }

    const blanked = (form) => form.replace(SLOT, "…");

    function ask(line, heading, form) {
      asking = form ? { heading, sentence: model.sentence(line), form, values: {} } : null;
      if (asking && !open(asking).length) settle(line, heading);
      else desk.again();
    }

    const open = ({ form }) => [...form.matchAll(SLOT)].map(([, name]) => name).filter((name) => name !== "who" && name !== "foe");

    function slots(mine, line, heading) {
      const put = (name, value) => {
        mine.values[name] = value;
      };
      return el(
        "div",
        { class: "slots" },
        open(mine).map((name) => slot(name, mine, put)),
        el("button", { type: "button", class: "small", "data-key": "set-when", onclick: () => settle(line, heading) }, t("only-if-set")),
      );
    }

    function slot(name, mine, put) {
      if (name === "hex" || name === "number") {
        const value = mine.values[name] || (name === "number" ? "2" : "");
        put(name, value);
        return el("label", { class: "ask" }, el("span", {}, t(`slot-${name}`)), el("input", { type: "text", inputmode: "numeric", maxlength: name === "hex" ? 4 : 2, "data-key": `slot-${name}`, value, oninput: (event) => put(name, event.target.value.trim()) }));
      }
      const first = (id) => Number((data.tokens[id].side === data.side) === (name === "other")); // one's own before whom they do it to
      const ids = Object.keys(data.tokens).sort((one, other) => first(one) - first(other) || (one < other ? -1 : 1));
      put(name, mine.values[name] || ids[0] || "");
      return list(t(`slot-${name}`), ids.map((id) => [id, desk.name(id)]), mine.values[name], (value) => put(name, value), `slot-${name}`);
    }

    function settle(line, heading) {
      const { form, values } = asking;
      const wrong = (values.hex !== undefined && !desk.board.map.cell(values.hex)) || (values.number !== undefined && !/^[1-9]\d?$/.test(values.number)) || ("one" in values && values.one === values.other);
      if (wrong) return desk.tell(t("only-if-wrong"));
      asking = null;
      const when = model.filled(form, { who: line.w.join(", "), foe: line.t[0] || "", ...values });
      return desk.done(() => model.adjust(heading, line, { when }), t("only-if-now", { condition: when }));
    }

    function standing(line, heading) {
      const rows = model.available(line.w[0] || "", heading).rows.filter((row) => row.s && row.w.join() === line.w.join() && row.s !== model.base(line));
      const few = rows.slice(0, 200);
      return [
        el("p", { class: "condition" }, t("only-if-now", { condition: line.when })),
        few.length ? list(t("otherwise"), [["", t("otherwise-none")], ...few.map((row) => [row.s, row.s])], line.other || "", (other) => desk.done(() => model.adjust(heading, line, { other }), `${t("otherwise")}: ${other || t("otherwise-none")}`), "otherwise") : null,
        el("button", { type: "button", class: "small", "data-key": "no-when", onclick: () => desk.done(() => model.adjust(heading, line, { when: "", other: "" }), t("always-now")) }, t("always")),
      ];
    }

    // --- a way of one's own

    const steps = (who, heading) => model.available(who, heading).rows.filter((row) => row.y && row.w.length === 1 && model.formOf(row));

    function way(who, heading) {
      if (!forms.way || !steps(who, heading).length) return null;
      const { walk } = desk;
      if (!walk) return el("button", { type: "button", class: "quiet", id: "walk", onclick: () => begin(who, heading) }, t("walk"));
      const row = model.ownWay(who, heading, walk.cells);
      return el(
        "div",
        { class: "walk", role: "group", "aria-label": t("walk") },
        el("p", {}, t("walk-now", { cells: walk.cells.join(" ") || "–" })),
        list(t("walk-next"), [["", "–"], ...nexts().map((cell) => [cell, cell])], "", (cell) => cell && step(cell), "walk-next"),
        el("div", { class: "ways" }, [
          row ? el("button", { type: "button", class: "small", id: "walk-take", onclick: () => finish(heading, row) }, t("walk-take")) : null,
          walk.cells.length ? el("button", { type: "button", class: "small", id: "walk-back", onclick: () => shorter() }, t("walk-back")) : null,
          el("button", { type: "button", class: "small", id: "walk-stop", onclick: () => stop() }, t("walk-stop")),
        ]),
      );
    }

    function begin(who, heading) {
      desk.walk = { who, heading, from: steps(who, heading)[0].y.split(" ")[0], cells: [] };
      desk.again();
    }

    // The hexes beside the last one that he could end in.
    function nexts() {
      const { walk } = desk;
      const { map } = desk.board;
      const last = map.cell(walk.cells[walk.cells.length - 1] || walk.from);
      if (!last) return [];
      const goals = new Set(steps(walk.who, walk.heading).map((row) => row.c[row.c.length - 1]));
      return [...goals].filter((cell) => {
        const spot = map.cell(cell);
        const far = spot ? Math.hypot(spot.x - last.x, spot.y - last.y) : 0;
        return far > 0 && far < 1200 && !walk.cells.includes(cell);
      }).sort();
    }

    function step(cell) {
      const { cells } = desk.walk;
      if (cells[cells.length - 1] === cell) return shorter();
      if (!nexts().includes(cell)) return desk.tell(t("walk-beside", { place: cell }));
      cells.push(cell);
      desk.tell(t("walk-now", { cells: cells.join(" ") }), { shown: false });
      return desk.again();
    }

    function shorter() {
      desk.walk.cells.pop();
      desk.again();
    }

    function stop() {
      desk.walk = null;
      desk.again();
    }

    function finish(heading, row) {
      desk.walk = null;
      desk.take(heading, row);
    }

    // --- the end of the game

    function closing() {
      const now = model.draft().closing;
      const key = "closing";
      const box = (...inside) => el("details", { class: "settings", "data-open": key, open: desk.open.has(key) || Boolean(now) }, el("summary", {}, t("closing")), ...inside);
      if (!forms.closing.length) {
        const write = (word) => desk.done(() => model.set("note", [model.draft().note, t(word)].filter(Boolean).join(" ")), t(word));
        return box(el("p", { class: "hint" }, t("closing-note")), el("div", { class: "ways" }, ["note-resign", "note-draw"].map((word) => el("button", { type: "button", class: "small", "data-key": word, onclick: () => write(word) }, t(word)))));
      }
      return box(
        el("p", { class: "hint" }, t("closing-hint")),
        el("div", { class: "ways" }, forms.closing.map((said) => el("button", { type: "button", class: "small", "aria-pressed": now === said, "data-key": `closing ${said}`, onclick: () => desk.done(() => model.set("closing", now === said ? "" : said), now === said ? t("removed", { sentence: said }) : `${t("taken")}: ${said}`) }, said))),
      );
    }

    return { below, way, nexts, step, closing };
  };
})();
