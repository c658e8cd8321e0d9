// The panel beside the map: the steps, who is to be ordered, and what the chosen figure may do. Everything on the map is here too.
(() => {
  "use strict";

  const packet = window.pbemPacket;

  // An element with its attributes, listeners (on…: function) and children; texts become text and nothing else.
  function el(name, set = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(set).forEach(([key, value]) => {
      if (typeof value === "function") made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, String(value));
    });
    made.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
    return made;
  }

  const words = (data) => (key, args = {}) =>
    (data.words[key] || key).replace(/\{([a-z_]+)\}/g, (all, name) => (name in args ? String(args[name]) : all));

  function panel(desk) {
    const { model, t, data } = desk;
    const { phases } = model;

    const text = (numbers) => (numbers || []).map((number) => data.texts[number]);
    const kind = (row) => data.texts[row.k];
    const isMove = (row) => Boolean(row.y) || row.p !== undefined;

    // --- the steps

    function steps() {
      const tabs = phases.map((phase, place) => {
        const done = new Set(model.lines(phase.heading).flatMap((line) => line.w)).size;
        return step(phase.heading, place + 1, phase.title, t("orders-count", { count: done }), done > 0);
      });
      if (data.questions.length) tabs.push(step("answers", 1, t("answers"), t("orders-count", { count: Object.keys(model.draft().answers).length })));
      const wrong = packet.checks(model).filter((one) => one.level !== "note").length;
      tabs.push(step("finish", tabs.length + 1, t("finish"), wrong ? t("checks-count", { count: wrong }) : t("ready")));
      return tabs;
    }

    function step(id, number, title, note, some = false) {
      const chosen = desk.at === id;
      return el(
        "button",
        { type: "button", class: "step", role: "tab", id: `step-${id}`, "aria-selected": chosen, "aria-controls": "panel", tabindex: chosen ? 0 : -1, onclick: () => desk.go(id), "data-some": some },
        el("span", { class: "step-number", "aria-hidden": "true" }, String(number)),
        el("span", { class: "step-title" }, title),
        el("span", { class: "step-note" }, note),
      );
    }

    // --- who

    function list(heading) {
      const phase = phases.find((one) => one.heading === heading);
      const figures = model.figures(heading);
      const without = figures.filter((who) => who && !model.lineOf(who, heading).length);
      const having = figures.filter((who) => who && model.lineOf(who, heading).length);
      return [
        el("h2", { id: "panel-title", tabindex: -1 }, phase.title),
        el("p", { class: "hint" }, phase === phases[0] ? t("hint-first") : t("hint-later")),
        model.data.unworked.length ? el("p", { class: "hint" }, t("unworked", { who: model.data.unworked.map(desk.name).join(", ") })) : null,
        figures.includes("") ? own(heading) : null,
        figures.length ? null : el("p", { class: "empty" }, t("nobody")),
        without.length ? [el("h3", {}, t("without", { count: without.length })), el("ul", { class: "figures" }, without.map((who) => figure(who, heading)))] : null,
        having.length ? [el("h3", {}, t("having", { count: having.length })), el("ul", { class: "figures" }, having.map((who) => figure(who, heading)))] : null,
      ];
    }

    function figure(who, heading) {
      const line = model.lineOf(who, heading);
      const about = desk.about(who, heading);
      return el(
        "li",
        {},
        el(
          "button",
          { type: "button", class: "figure", "data-who": who, "data-some": line.length > 0, onclick: () => desk.choose(who) },
          el("span", { class: "figure-name" }, desk.name(who)),
          el("span", { class: "figure-about" }, line.length ? line.map((one) => one.s).join("; ") : about),
        ),
      );
    }

    // Orders that belong to no figure: the plan of a day, hexes to prepare.
    function own(heading) {
      const rows = model.available("", heading).rows;
      return el("div", { class: "own" }, groups("", heading, rows));
    }

    // --- what he may do

    function card(who, heading) {
      const phase = phases.find((one) => one.heading === heading);
      const { rows, known } = model.available(who, heading);
      const lines = model.lineOf(who, heading);
      const next = model.following(who, heading);
      return [
        el("button", { type: "button", class: "back", onclick: () => desk.choose("") }, t("back")),
        el("h2", { id: "panel-title", tabindex: -1 }, desk.name(who)),
        el("p", { class: "about" }, desk.about(who, heading)),
        lines.map((line) => chosen(line, heading)),
        desk.picked ? picked(who, heading) : null,
        known ? null : el("p", { class: "doubt" }, t("unknown")),
        lines.length ? onward(who, heading) : null,
        next.length ? [el("h3", {}, t("then-at-once")), groups(who, heading, next, true)] : null,
        groups(who, heading, rows),
        rows.some((row) => !row.i) ? null : el("p", { class: "empty" }, t("nothing", { phase: phase.title })),
        after(who, heading),
      ];
    }

    function chosen(line, heading) {
      const list = model.lines(heading);
      return el(
        "div",
        { class: "chosen" },
        el("span", { class: "sentence" }, line.s),
        el("span", { class: "known" }, known(line, heading)),
        el("button", { type: "button", class: "small", onclick: () => desk.done(() => model.drop(heading, line), t("removed", { sentence: line.s })), "aria-label": t("remove-that", { sentence: line.s }) }, t("remove")),
        list.length > 1 ? el("span", { class: "place" }, t("line-of", { line: list.indexOf(line) + 1, of: list.length })) : null,
      );
    }

    function known(line, heading) {
      const row = model.available(line.w[0], heading).rows.find((one) => one.s === line.s);
      return row ? notes(row) : "";
    }

    const notes = (row) => [row.p === undefined ? "" : t("points", { points: row.p }), ...text(row.n)].filter(Boolean).join(" · ");

    const said = (row) => [row.s, notes(row)].filter(Boolean).join(": ");

    // What else he may do where he is then, in the phases after this one.
    function onward(who, heading) {
      const from = phases.findIndex((phase) => phase.heading === heading) + 1;
      return phases.slice(from).map((phase) => {
        const rows = model.available(who, phase.heading).rows.filter((row) => !row.i && (row.t || !isMove(row)));
        const line = model.lineOf(who, phase.heading);
        if (!rows.length && !line.length) return null;
        return el("div", { class: "onward" }, el("h3", {}, t("from-there", { phase: phase.title })), rows.length ? targets(who, phase.heading, rows) : el("p", { class: "doubt" }, t("gone-there")));
      });
    }

    function after(who, heading) {
      const waiting = model.figures(heading).filter((one) => one && one !== who && !model.lineOf(one, heading).length);
      return waiting.length ? el("button", { type: "button", class: "next", onclick: () => desk.choose(waiting[0]) }, t("next", { name: desk.name(waiting[0]), count: waiting.length })) : null;
    }

    // Everything that was clicked at once, where it could mean several things.
    function picked(who, heading) {
      const rows = desk.picked.rows;
      return el("div", { class: "picked", id: "picked", tabindex: -1, role: "group", "aria-label": t("which") }, el("h3", {}, t("which-at", { place: desk.picked.place })), rows.map((row) => button(who, heading, row)));
    }

    function groups(who, heading, rows, next = false) {
      const some = rows.filter((row) => row.s || row.o);
      const aimed = some.filter((row) => row.t && !isMove(row) && !(row.c && row.c.length));
      const rest = some.filter((row) => !aimed.includes(row) && !row.i);
      const kinds = [...new Set(rest.map((row) => row.k))];
      return [
        aimed.length ? targets(who, heading, aimed, next) : null,
        kinds.map((number) => group(who, heading, rest.filter((row) => row.k === number), next)),
        some.filter((row) => row.i).map((row) => button(who, heading, row, next)),
      ];
    }

    // Orders of one kind: few as buttons, many in a list that is opened.
    function group(who, heading, rows, next) {
      if (rows.length < 4) return el("div", { class: "group" }, rows.map((row) => button(who, heading, row, next)));
      const title = `${kind(rows[0])} (${rows.length})`;
      const key = `${who}/${heading}/${rows[0].k}/${next}`;
      const box = el("details", { class: "group many", open: desk.open.has(key) }, el("summary", {}, el("span", {}, title), el("span", { class: "hint" }, t("tap-map"))));
      const fill = () => {
        if (box.querySelector(".many-list")) return;
        const sorted = rows.slice().sort((one, other) => (one.p || 0) - (other.p || 0));
        const shown = el("div", { class: "many-list" });
        const filter = el("input", { type: "search", "aria-label": t("filter"), placeholder: t("filter"), oninput: () => show(filter.value) });
        const show = (part) => {
          const wanted = part.trim().toLowerCase();
          const found = sorted.filter((row) => row.s.includes(wanted));
          shown.replaceChildren(...found.slice(0, 80).map((row) => button(who, heading, row, next)), ...(found.length > 80 ? [el("p", { class: "hint" }, t("more", { count: found.length - 80 }))] : []));
        };
        show("");
        box.append(filter, shown);
      };
      box.addEventListener("toggle", () => {
        if (box.open) fill();
        desk.open[box.open ? "add" : "delete"](key);
      });
      if (desk.open.has(key)) fill();
      return box;
    }

    // --- one target, alone or together

    function targets(who, heading, rows, next = false) {
      return el("div", { class: "group targets" }, rows.filter((row) => row.w.length === 1 || !row.o).map((row) => (row.o ? attack(who, heading, row) : button(who, heading, row, next))), pairs(who, heading, rows));
    }

    // Attacks by several that the engine lists because none of them can do it alone.
    const pairs = (who, heading, rows) => rows.filter((row) => row.w.length > 1 && row.o).map((row) => attack(who, heading, row));

    function attack(who, heading, row) {
      const target = row.t.length === 1 ? row.t[0] : "";
      const now = model.lineOf(who, heading).find((line) => packet.same(line.t, row.t));
      const with_ = now ? now.w : row.w.length > 1 ? row.w : [who];
      const mates = target ? model.partners(who, heading, target) : [];
      const box = el("div", { class: "attack", "data-target": target });
      if (row.s) box.append(button(who, heading, row));
      else box.append(el("p", { class: "sentence" }, t("only-together", { target: desk.name(target) })), el("p", { class: "known" }, notes(row)));
      if (mates.length) {
        box.append(
          el("p", { class: "hint" }, t("together")),
          el("div", { class: "mates", role: "group", "aria-label": t("together") }, mates.map((mate) => {
            const inside = Boolean(now) && with_.includes(mate);
            const all = inside ? with_.filter((one) => one !== mate) : [...new Set([...(now ? with_ : [who]), mate])];
            return el("button", { type: "button", class: "mate", "aria-pressed": inside, onclick: () => desk.done(() => model.together(heading, all, row), t("together-now", { who: all.map(desk.name).join(", "), target: desk.name(target) })) }, desk.name(mate));
          })),
        );
      }
      return box;
    }

    function button(who, heading, row, next = false) {
      const taken = model.lineOf(who || row.w[0] || "", heading).some((line) => line.s === row.s) || (!row.w.length && model.lines(heading).some((line) => line.s === row.s));
      return el(
        "button",
        { type: "button", class: "order", "aria-pressed": taken, "data-sentence": row.s, onclick: () => (taken ? desk.untake(heading, row) : desk.take(heading, row, next)) },
        el("span", { class: "sentence" }, row.s),
        el("span", { class: "known" }, notes(row)),
      );
    }

    // --- questions

    function answers() {
      return [
        el("h2", { id: "panel-title", tabindex: -1 }, t("answers")),
        data.questions.map((question) => {
          const value = model.draft().answers[question.id];
          const several = question.kind === "some";
          const held = several ? value || [] : [value];
          return el(
            "fieldset",
            { class: "question" },
            el("legend", {}, question.said),
            several ? el("p", { class: "hint" }, t("choose-some", { least: question.least, most: question.most })) : null,
            question.choices.map((choice) => {
              const set = () => model.answer(question.id, several ? (held.includes(choice.value) ? held.filter((one) => one !== choice.value) : [...held, choice.value]) : choice.value);
              return el(
                "label",
                { class: "choice" },
                el("input", { type: several ? "checkbox" : "radio", name: question.id, value: choice.value, checked: held.includes(choice.value), onchange: () => desk.done(set, t("answered", { value: choice.value })) }),
                el("span", {}, choice.value, choice.said ? ` – ${choice.said}` : "", choice.default ? el("span", { class: "hint" }, ` (${t("default")})`) : null),
              );
            }),
          );
        }),
      ];
    }

    return { steps, list, card, answers, notes, said, kind, isMove };
  }

  Object.assign(packet, { el, words, panel });
})();
