// The order file as it grows, and what is said of it before it is sent: only what the data of the page can tell.
(() => {
  "use strict";

  const { same } = window.pbemPacket;
  const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

  // One line of text as a file may hold it: no sign that cannot be seen, one kind of space.
  const plain = (text) => text.normalize("NFC").replace(/\s+/gu, " ").replace(UNSEEN, "").trim();

  // Text of a person in single quotes, in which no sign means anything.
  const quoted = (text) => `'${plain(text).replace(/'/g, "''")}'`;

  function yaml(model) {
    const { data, phases } = model;
    const draft = model.draft();
    if (draft.hand !== null) return draft.hand;
    const out = [`game: ${data.game}`, `seat: ${data.seat}`];
    if (phases.length) out.push(`turn: ${data.turn}`);
    if (data.luck && plain(draft.luck)) out.push(`luck: ${quoted(draft.luck)}`);
    const silent = unsaid(model);
    if (draft.meant && silent && !draft.closing) out.push(silent);
    phases.forEach((phase) => {
      const list = model.lines(phase.heading).flatMap((line) => written(model, line));
      if (draft.closing && phase === phases[0]) list.push(`- ${draft.closing}`);
      if (list.length) out.push(`${phase.heading}:`, ...list);
    });
    if (draft.stop) out.push(`stop-after: ${draft.stop}`);
    const answers = data.questions.filter((question) => given(draft, question));
    if (answers.length) {
      out.push("answers:");
      answers.forEach((question) => {
        const value = draft.answers[question.id];
        out.push(`  ${question.id}: ${question.kind === "some" ? `[${value.join(", ")}]` : value}`);
      });
    }
    const instructed = Object.keys(draft.standing).sort((one, other) => (other === "everyone") - (one === "everyone") || (one < other ? -1 : 1));
    if (instructed.length) {
      out.push("standing:");
      instructed.forEach((who) => {
        out.push(`  ${who}:`);
        data.standing.filter(({ key }) => draft.standing[who][key]).forEach(({ key }) => out.push(`    ${key}: ${draft.standing[who][key]}`));
      });
    }
    ["message", "note"].filter((key) => plain(draft[key])).forEach((key) => out.push(`${key}: ${quoted(draft[key])}`));
    return `${out.join("\n")}\n`;
  }

  // The line by which somebody says that he means what he does not say: that nobody is ordered, or that the others may be placed for him.
  function unsaid({ data, phases, lines, figures }) {
    if (!phases.length || data.questions.length) return "";
    if (!phases.some((phase) => lines(phase.heading).length)) return "nobody: moves";
    const placed = new Set(lines(phases[0].heading).flatMap((line) => line.w));
    return !data.dice && figures(phases[0].heading).some((who) => who && !placed.has(who)) ? "final: yes" : "";
  }

  // A line as it stands in the file; what is only done if something is so takes several.
  function written(model, line) {
    if (!line.when) return [`- ${model.sentence(line)}`];
    return [`- when: ${line.when}`, `  then: ${model.sentence(line)}`, ...(line.other ? [`  otherwise: ${line.other}`] : [])];
  }

  const given = (draft, question) => {
    const value = draft.answers[question.id];
    return question.kind === "some" ? Array.isArray(value) && value.length > 0 : typeof value === "string" && value !== "";
  };

  // What is doubtful, as {level: "wrong" | "doubt" | "note", key, args, heading, who}.
  function checks(model) {
    const { data, phases } = model;
    const draft = model.draft();
    const found = [];
    const say = (level, key, args = {}, more = {}) => found.push({ level, key, args, ...more });
    if (draft.hand !== null) {
      say("note", "check-hand");
      return found;
    }
    phases.forEach((phase) => {
      const list = model.lines(phase.heading);
      const goals = new Map();
      const acted = new Map();
      list.forEach((line) => {
        const where = { heading: phase.heading, who: line.w[0] };
        const state = line.army ? "fine" : line.free || line.march ? model.roam.standing(line) : standing(model, phase.heading, line);
        if (state === "gone") say("wrong", "check-gone", { sentence: line.s, who: line.w.join(", ") }, where);
        else if (state === "unknown") say("doubt", "check-unknown", { sentence: line.s }, where);
        else if (!line.free && !line.march && !line.army && !model.elsesFit(phase.heading, line)) say("wrong", "check-else", { sentence: model.sentence(line) }, where);
        else if (line.base) say("doubt", "check-way", { sentence: line.s }, where);
        const first = line.u ? list.findIndex((one) => one.goes && one.w.includes(line.u)) : -1;
        if (first > list.indexOf(line)) say("wrong", "check-order", { sentence: line.s, first: list[first].s }, where);
        line.w.forEach((who) => {
          const before = acted.get(who);
          if (before && follows(model, phase.heading, before, line) && model.data.roaming) say("doubt", "check-later", { sentence: line.s, first: before.s }, where);
          else if (before && !follows(model, phase.heading, before, line)) say("wrong", "check-twice", { who, first: before.s, second: line.s }, where);
          acted.set(who, line);
        });
        const shares = (model.rowOf(phase.heading, line) || {}).b;
        const goal = line.w.length && !shares && (line.goes || phase.id === "setup") ? line.cells[line.cells.length - 1] : "";
        if (goal && goals.has(goal)) say("wrong", "check-same", { hex: goal, first: goals.get(goal), second: line.w.join(", ") }, where);
        else if (goal) goals.set(goal, line.w.join(", "));
        const instead = line.other ? model.available(line.w[0] || "", phase.heading).rows.find((row) => row.s === line.other) : null;
        const place = instead && instead.p !== undefined && instead.c ? instead.c[instead.c.length - 1] : "";
        if (place && goals.has(place) && place !== goal) say("wrong", "check-same", { hex: place, first: goals.get(place), second: line.w.join(", ") }, where);
        else if (place) goals.set(place, line.w.join(", "));
      });
      model.roam.doubts(phase.heading).forEach(([line, first]) => say("doubt", "check-later", { sentence: line.s, first: first.s }, { heading: phase.heading, who: line.w[0] || "" }));
      const over = model.roam.over(phase.heading);
      if (over) say(over.level, over.level === "wrong" ? "check-budget" : "check-hoped", over, { heading: phase.heading, who: "" });
      entangled(model, phase.heading, list).forEach(([first, second, who]) => say("doubt", "check-both", { who, first: first.s, second: second.s }, { heading: phase.heading, who: second.w[0] }));
      tooMany(model, phase.heading, list).forEach(({ most, last }) => say("wrong", "check-most", { most, sentence: last.s }, { heading: phase.heading, who: "" }));
      const idle = model.figures(phase.heading).filter((who) => who && !acted.has(who));
      if (idle.length && list.length && !model.roam.builds) say("note", phase.id === "setup" ? "check-unplaced" : "check-idle", { phase: phase.title, count: idle.length, who: idle.join(", ") }, { heading: phase.heading, who: idle[0] });
    });
    const after = draft.stop ? phases.slice(phases.findIndex((phase) => phase.heading === draft.stop) + 1) : [];
    const late = after.find((phase) => model.lines(phase.heading).length);
    if (late) say("wrong", "check-stop", { phase: late.title });
    if (!phases.length && !data.questions.length) say("doubt", "check-not-now");
    if (phases.length && !phases.some((phase) => model.lines(phase.heading).length) && !draft.meant && !model.roam.builds) say("doubt", phases[0].id === "setup" ? "check-nobody-placed" : "check-nothing");
    model.roam.mustered().forEach(([level, key, args]) => say(level, key, args));
    if (draft.closing) say("doubt", "check-closing", { sentence: draft.closing });
    data.questions.filter((question) => !given(draft, question)).forEach((question) => say("doubt", "check-answer", { question: question.said }));
    data.questions.filter((question) => given(draft, question) && question.kind === "some").forEach((question) => {
      const count = draft.answers[question.id].length;
      if (count < question.least || count > question.most) say("wrong", "check-count", { question: question.said, least: question.least, most: question.most });
    });
    const letters = [...plain(draft.luck)].length;
    if (data.luck && !letters) say("note", "check-draft");
    else if (data.luck && letters < data.luck) say("wrong", "check-luck", { least: data.luck });
    return found;
  }

  // Lines that were worked out one by one though they need the same: an animal, or a figure that carries something with another.
  function entangled(model, heading, list) {
    const found = [];
    list.forEach((line, place) => {
      const needs = new Set([...model.bound(line.w, heading), ...(line.goes && line.cells.length ? line.t.filter((id) => id in model.data.tokens) : [])]);
      list.slice(0, place).forEach((first) => {
        if (!first.goes || first.w.some((who) => line.w.includes(who))) return;
        const both = [...first.w, ...(first.cells.length ? first.t : [])].find((who) => needs.has(who));
        if (both) found.push([first, line, both]);
      });
    });
    return found;
  }

  // Of each kind of which only so many may stand in a section: how many, and the last line, where there are more.
  function tooMany(model, heading, list) {
    const kinds = new Map();
    list.forEach((line) => {
      const row = model.rowOf(heading, line);
      if (row && row.m) kinds.set(row.k, [...(kinds.get(row.k) || []), { most: row.m, last: line }]);
    });
    return [...kinds.values()].filter((some) => some.length > some[0].most).map((some) => some[some.length - 1]);
  }

  // Whether a line is still among what its figures may do: "fine", "gone", or "unknown" where that was not worked out.
  function standing(model, heading, line) {
    const all = (line.w.length ? line.w : [""]).map((who) => model.available(who, heading));
    const fits = (rows, who) => rows.some((row) => (line.w.length > 1 && line.o ? model.onOne(row, line.t[0]) : row.s === model.base(line)));
    if (line.w.length > 1 && line.o) {
      const listed = all.some(({ rows }) => rows.some((row) => row.s === line.s));
      const apart = all.map(({ rows }, place) => fits(rows, line.w[place]) || joins(model, heading, line, line.w[place]));
      if (listed || apart.every(Boolean)) return "fine";
    } else if (all.some(({ rows }, place) => fits(rows, line.w[place])) || follows(model, heading, null, line)) return "fine";
    return all.every(({ known }) => known) ? "gone" : "unknown";
  }

  const joins = (model, heading, line, who) => line.w.some((other) => other !== who && model.partners(other, heading, line.t[0]).includes(who));

  function follows(model, heading, before, line) {
    const list = model.lines(heading);
    const first = before || list.slice(0, list.indexOf(line)).findLast((one) => one.w.some((who) => line.w.includes(who)));
    return Boolean(first) && model.next(first, line.w[0], heading).some((row) => row.s === line.s);
  }

  Object.assign(window.pbemPacket, { yaml, written, checks, given, plain, same, unsaid });
})();
