// The panel beside the map: the steps, who is to be ordered, and what the chosen figure may do. Everything on the map is here too.
(() => {
  "use strict";

  const packet = window.pbemPacket;

  // An element with its attributes, listeners (on…: function) and children; texts become text and nothing else.
  function el(name, set = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(set).forEach(([key, value]) => {
      if (typeof value === "function") made.addEventListener(key.slice(2), value);
      else if (value === true && !key.startsWith("aria-")) made.setAttribute(key, "");
      else if (value === false && key.startsWith("aria-")) made.setAttribute(key, "false");
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

    const inWords = (text) => data.said[text] || text;
    const text = (numbers) => (numbers || []).map((number) => inWords(data.texts[number]));
    const kind = (row) => inWords(data.texts[row.k]);
    const isMove = (row) => Boolean(row.y) || row.p !== undefined;

    // --- the steps

    function steps() {
      const tabs = phases.map((phase, place) => {
        const done = new Set(model.lines(phase.heading).flatMap((line) => (line.w.length ? line.w : [line.s]))).size;
        return step(phase.heading, place + 1, phase.title, done);
      });
      if (data.questions.length) tabs.push(step("answers", tabs.length + 1, t("answers"), data.questions.filter((one) => packet.given(model.draft(), one)).length));
      tabs.push(step("finish", tabs.length + 1, t("finish"), 0));
      return tabs;
    }

    function step(id, number, title, done) {
      const chosen = desk.at === id;
      return el(
        "button",
        { type: "button", class: "step", role: "tab", id: `step-${id}`, "aria-selected": chosen, "aria-controls": "panel", tabindex: chosen ? 0 : -1, onclick: () => desk.go(id), "data-some": done > 0 },
        el("span", { class: "step-number", "aria-hidden": "true" }, done ? `✓ ${done}` : String(number)),
        el("span", { class: "step-title" }, title),
        done ? el("span", { class: "unseen" }, t("orders-count", { count: done })) : null,
      );
    }

    // --- who

    function list(heading) {
      const phase = phases.find((one) => one.heading === heading);
      const figures = model.figures(heading);
      const without = figures.filter((who) => who && !model.lineOf(who, heading).length);
      const having = figures.filter((who) => who && model.lineOf(who, heading).length);
      const setup = phase.id === "setup";
      return [
        el("h2", { id: "panel-title", tabindex: -1 }, phase.title),
        el("p", { class: "hint" }, t(desk.roam.builds ? "hint-army" : setup ? "hint-setup" : phase !== phases[0] ? "hint-later" : figures.includes("") ? "hint-plan" : "hint-first")),
        model.data.unworked.length ? el("p", { class: "hint" }, t("unworked", { who: model.data.unworked.map(desk.name).join(", ") })) : null,
        desk.roam.building(),
        figures.includes("") ? own(heading) : null,
        figures.length ? null : el("p", { class: "empty" }, t("nobody")),
        without.length ? [el("h3", {}, t(desk.roam.builds ? "army-left" : setup ? "unplaced" : "without", { count: without.length })), el("ul", { class: "figures" }, without.map((who) => figure(who, heading)))] : null,
        desk.roam.ruler(),
        having.length ? [el("h3", {}, t(desk.roam.builds ? "army-taken" : setup ? "placed" : "having", { count: having.length })), el("ul", { class: "figures" }, having.map((who) => figure(who, heading)))] : null,
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
          desk.picture(who),
          el("span", { class: "figure-name" }, desk.name(who)),
          el("span", { class: "figure-about" }, line.length ? line.map(said).join("; ") : about),
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
        el("div", { class: "who top-row" }, el("button", { type: "button", class: "back", "aria-label": t("back"), title: t("back"), onclick: () => desk.choose("") }, "‹"), desk.picture(who), el("h2", { id: "panel-title", tabindex: -1 }, desk.name(who)), el("p", { class: "about" }, desk.about(who, heading))),
        lines.map((line) => chosen(line, heading)),
        known ? null : el("p", { class: "doubt" }, t("unknown")),
        lines.length ? onward(who, heading) : null,
        next.length ? [el("h3", {}, t("then-at-once")), groups(who, heading, next, true)] : null,
        desk.roam.card(who),
        desk.roam.formed(who),
        groups(who, heading, rows),
        desk.roam.ruler(),
        rows.some((row) => !row.i) || desk.roam.roamer(who) ? null : el("p", { class: "empty" }, t("nothing", { phase: phase.title })),
        desk.more.way(who, heading),
        after(who, heading),
      ];
    }

    function chosen(line, heading) {
      return el(
        "div",
        { class: "chosen" },
        el("span", { class: "sentence" }, said(line)),
        el("span", { class: "known" }, line.free || line.march ? desk.roam.said(line) : line.base ? t("way-of-own") : known(line, heading)),
        el("button", { type: "button", class: "small", "data-key": `remove ${line.s}`, onclick: () => desk.done(() => model.drop(heading, line), t("removed", { sentence: line.s })), "aria-label": t("remove-that", { sentence: line.s }) }, t("remove")),
        desk.more.below(line, heading),
      );
    }

    function known(line, heading) {
      const row = line.w.length > 1 && line.o ? model.jointRow(heading, line) : model.available(line.w[0] || "", heading).rows.find((one) => one.s === line.s);
      return row ? notes(row) : line.w.length > 1 && line.o ? t("odds-later") : "";
    }

    const notes = (row) => [desk.roam.known(row), row.u ? t("once-gone", { who: desk.name(row.u) }) : "", row.p === undefined ? "" : t("points", { points: row.p }), ...text(row.n)].filter(Boolean).join(" · ");

    // A line in one sentence, with its condition.
    const said = (line) => (line.when ? t(line.other ? "said-when-else" : "said-when", { condition: line.when, sentence: model.sentence(line), other: line.other || "" }) : model.sentence(line));

    const told = (row) => [row.s, notes(row)].filter(Boolean).join(": ");

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

    // Everything that was clicked at once, where it could mean several things; or who of one's own could do something there.
    function picked(heading) {
      const { rows, place, figures } = desk.picked;
      const who = desk.who;
      return [
        el("div", { class: "picked-head" }, el("h3", {}, t(who ? "which-at" : "who-at", { place })), el("button", { type: "button", class: "small", "data-key": "close", "aria-label": t("close"), title: t("close"), onclick: () => desk.pick(null) }, "×")),
        who ? targets(who, heading, rows) : el("div", { class: "group" }, rows.map((row) => button(row.w[0], heading, row))),
        figures.map((one) => el("button", { type: "button", class: "order", "data-key": `choose ${one}`, onclick: () => desk.choose(one) }, el("span", { class: "sentence" }, t("choose", { name: desk.name(one) })), el("span", { class: "known" }, desk.about(one, heading)))),
      ];
    }

    function groups(who, heading, rows, next = false) {
      const some = rows.filter((row) => row.s || row.o);
      const aimed = some.filter((row) => row.t && !isMove(row) && !desk.roam.listed(row) && !(data.roaming && row.w.length > 1) && !(row.c && row.c.length));
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
      const mapped = rows.some((row) => row.c && row.c.length);
      if (rows.length < 4 || (!mapped && rows.length < 10)) return el("div", { class: "group" }, rows.map((row) => button(who, heading, row, next)));
      const title = `${kind(rows[0])} (${rows.length})`;
      const key = desk.key(who, heading, rows[0].k);
      const box = el("details", { class: "group many", "data-open": key, open: desk.open.has(key) }, el("summary", {}, el("span", {}, title), mapped && !rows[0].x ? el("span", { class: "hint" }, t("tap-map")) : null));
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
        if (desk.open.has(key) === box.open) return;
        desk.open[box.open ? "add" : "delete"](key);
        desk.board.show();
      });
      if (desk.open.has(key)) fill();
      return box;
    }

    // --- one target, alone or together

    function targets(who, heading, rows, next = false) {
      const single = rows.filter((row) => !row.o);
      const aims = [...new Set(rows.filter((row) => row.o).map((row) => row.t[0]))];
      return [
        aims.map((target) => attack(who, heading, target, rows.filter((row) => row.o && row.t[0] === target))),
        single.length ? el("div", { class: "group" }, single.map((row) => button(who, heading, row, next))) : null,
      ];
    }

    // An enemy: what the figure can do to him alone, and with whom.
    function attack(who, heading, target, rows) {
      const now = model.lineOf(who, heading).find((line) => line.t.length === 1 && line.t[0] === target);
      const inside = now ? now.w : [who];
      const mates = model.partners(who, heading, target);
      const alone = rows.find((row) => row.w.length === 1);
      const listed = rows.filter((row) => row.w.length > 1);
      const any = alone || listed[0];
      const others = model.lines(heading).filter((line) => line !== now && !line.w.includes(who) && line.t.length === 1 && line.t[0] === target && line.w.some((one) => mates.includes(one)));
      const join = (all) => desk.done(() => model.together(heading, all, any), t("together-now", { who: all.map(desk.name).join(", "), target: desk.name(target) }));
      return el(
        "section",
        { class: "attack", "aria-label": t("on-target", { target: desk.name(target) }) },
        el("div", { class: "who" }, desk.picture(target), el("h4", {}, t("on-target", { target: desk.name(target) })), el("p", { class: "about" }, desk.about(target, ""))),
        alone && alone.s ? button(who, heading, alone) : el("p", { class: "known" }, [t("only-together"), alone ? notes(alone) : ""].filter(Boolean).join(": ")),
        others.map((line) => el("button", { type: "button", class: "order", "data-key": `join ${line.s}`, onclick: () => join([...line.w, who]) }, el("span", { class: "sentence" }, t("join", { sentence: line.s })))),
        mates.length
          ? [
              el("p", { class: "hint" }, t("together")),
              el("div", { class: "mates", role: "group", "aria-label": t("together") }, mates.map((mate) => {
                const has = Boolean(now) && inside.includes(mate);
                const all = has ? inside.filter((one) => one !== mate) : [...inside, mate];
                const odds = has ? "" : model.oddsOf(heading, all, target);
                return el("button", { type: "button", class: "mate", "aria-pressed": has, "data-key": `mate ${target} ${mate}`, onclick: () => join(all) }, desk.name(mate), odds ? el("span", { class: "odds" }, odds) : null);
              })),
            ]
          : null,
      );
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

    return { steps, list, card, answers, picked, notes, said, told, kind, isMove };
  }

  Object.assign(packet, { el, words, panel });
})();
