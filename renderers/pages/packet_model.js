// What was chosen so far, and what may be chosen still: looked up in the rows of the page, which the engine worked out. No rule is known here.
(() => {
  "use strict";

  const same = (one, other) => one.length === other.length && one.every((value, place) => value === other[place]);

  function model(data) {
    const phases = data.phases;
    const index = phases.map((phase) => {
      const of = new Map();
      phase.rows.forEach((row) => row.w.forEach((who) => (of.has(who) ? of.get(who).push(row) : of.set(who, [row]))));
      of.set("", phase.rows.filter((row) => !row.w.length));
      return of;
    });
    const said = phases.map((phase) => new Map(phase.rows.map((row) => [row.s, row])));
    let draft = blank();
    let undone = [];
    const listeners = [];

    function blank() {
      const lines = Object.fromEntries(phases.map((phase) => [phase.heading, []]));
      return { lines, answers: {}, standing: {}, luck: "", message: "", note: "", stop: "", meant: false, closing: "", hand: null };
    }

    const place = (heading) => phases.findIndex((phase) => phase.heading === heading);
    const lines = (heading) => draft.lines[heading] || [];
    const lineOf = (figure, heading) => lines(heading).filter((line) => line.w.includes(figure));

    // The offer that a line is looked up by: one that goes his own way has that of its goal.
    const base = (line) => line.base || line.s;

    // What a line leaves one of its figures: null where nothing is known of that.
    function left(line, figure, heading) {
      const row = said[place(heading)].get(base(line));
      const numbers = row && row.a;
      const number = numbers ? numbers[row.w.indexOf(figure)] : -1;
      return number >= 0 ? data.after[number] : null;
    }

    function idle(figure, at) {
      const row = (index[at].get(figure) || []).find((one) => one.i && one.a);
      return row ? data.after[row.a[0]] : null;
    }

    const later = (numbers) => (numbers || []).map((number) => data.later[number]);

    // Where somebody stands whom an order sends away, others may go after him.
    const open = (row, heading) => !row.u || lineOf(row.u, heading).some((line) => line.goes);

    // The rows of a figure in a phase after everything that it was told to do before: {rows, known}.
    function available(figure, heading) {
      const at = place(heading);
      const phase = phases[at].id;
      let rows = (index[at].get(figure) || []).filter((row) => open(row, heading));
      let known = true;
      const before = [];
      for (let earlier = 0; earlier < at; earlier += 1) {
        const own = lineOf(figure, phases[earlier].heading);
        const rest = own.length ? null : idle(figure, earlier);
        if (rest && rest[phase] && !before.length) rows = later(rest[phase]);
        own.forEach((line) => before.push([line, phases[earlier].heading]));
      }
      if (!before.length) return { rows, known };
      // Where he goes decides where he is; of everything else it counts only what it keeps him from.
      const usual = new Set(rows.map((row) => row.k));
      const main = before.findLast(([line]) => line.goes) || before[before.length - 1];
      const leaves = left(main[0], figure, main[1]);
      if (leaves && leaves[phase]) rows = later(leaves[phase]);
      else known = false;
      before.filter((one) => one !== main).forEach(([line, where]) => {
        const other = left(line, figure, where);
        if (!other || !other[phase]) return;
        const kinds = new Set(later(other[phase]).map((row) => row.k));
        rows = rows.filter((row) => kinds.has(row.k) || !usual.has(row.k));
      });
      return { rows, known };
    }

    // What may stand in the line after one of a figure's, in the same section.
    function next(line, figure, heading) {
      const leaves = left(line, figure, heading);
      const after = leaves ? later(leaves[phases[place(heading)].id]) : [];
      return after.concat(self.roam ? self.roam.again(line, figure, heading) : []);
    }

    function following(figure, heading) {
      const own = lineOf(figure, heading);
      return own.length ? next(own[own.length - 1], figure, heading) : [];
    }

    // The row that a line was made of, as it is now.
    const rowOf = (heading, line) => available(line.w[0] || "", heading).rows.find((row) => row.s === base(line)) || said[place(heading)].get(base(line));

    // On a table somebody may be able to do nothing but go.
    const roams = (who) => Boolean(data.roaming) && data.roaming.who.some((one) => one.who === who && one.reach);

    const figures = (heading) => {
      const at = place(heading);
      const named = new Set(index[at].keys());
      if (data.roaming) data.roaming.who.forEach((one) => one.reach && named.add(one.who));
      lines(heading).filter((line) => line.army).forEach((line) => named.add(line.w[0]));
      for (let earlier = 0; earlier < at; earlier += 1) for (const who of index[earlier].keys()) named.add(who);
      return [...named].filter((who) => lineOf(who, heading).length || available(who, heading).rows.some((row) => !row.i) || roams(who)).sort();
    };

    // --- what no offer holds, put together of what offers say

    const aim = (row) => (row.t && row.t[0]) || (row.c && row.c[row.c.length - 1]) || "";
    const filled = (form, values) => form.replace(/\{([a-z]+)\}/g, (all, name) => (name in values ? values[name] : all));
    const formOf = (row) => row && row.s && row.w.length === 1 && data.forms.either.find(([kind, form]) => kind === data.texts[row.k] && filled(form, { who: row.w[0], at: aim(row) }) === row.s);

    // What may stand in a line behind an "or": words of other offers of its kind, and some of its own.
    function elses(heading, line) {
      const row = line.base ? null : rowOf(heading, line);
      const form = formOf(row);
      if (!form) return [];
      const others = available(line.w[0], heading).rows.filter((one) => one.k === row.k && formOf(one)).map(aim);
      const named = new Set([aim(row), ...(line.or || [])]);
      return [...new Set([...others, ...form[2]])].filter((word) => !named.has(word));
    }

    // Whether everything behind an "or" may still stand there, and what is done otherwise.
    function elsesFit(heading, line) {
      const fine = new Set(line.or && line.or.length ? elses(heading, { ...line, or: [] }) : []);
      const done = !line.other || available(line.w[0] || "", heading).rows.some((row) => row.s === line.other);
      return done && (line.or || []).every((word) => fine.has(word));
    }

    // A way of one's own through cells, as a row; null where no offer leads to its end.
    function ownWay(figure, heading, cells) {
      const goal = cells[cells.length - 1];
      const to = available(figure, heading).rows.find((row) => row.y && row.w.length === 1 && aim(row) === goal && formOf(row));
      if (!to) return null;
      return { w: [figure], s: filled(data.forms.way, { who: figure, cells: cells.join(" ") }), c: [goal], y: [to.y.split(" ")[0], ...cells].join(" "), base: to.s };
    }

    const sentence = (line) => [line.s, ...(line.or || [])].join(" or ");

    // --- several on one

    const onOne = (row, target) => row.t && row.t.length === 1 && row.t[0] === target && row.o;

    function partners(figure, heading, target) {
      const found = new Set();
      available(figure, heading).rows.filter((row) => onOne(row, target)).forEach((row) => (row.j || []).forEach((who) => found.add(who)));
      const own = new Set(phases.flatMap((phase, at) => [...index[at].keys()]));
      own.forEach((who) => {
        if (!who || who === figure) return;
        const can = available(who, heading).rows.some((row) => onOne(row, target));
        if (can) found.add(who);
        else if (lineMoved(who, heading)) found.delete(who);
      });
      found.delete(figure);
      return [...found].sort();
    }

    // The row of an attack by just these, where there is one.
    function jointRow(heading, line) {
      const who = line.w.slice().sort().join();
      for (const one of line.w) {
        const row = available(one, heading).rows.find((each) => onOne(each, line.t[0]) && each.s && each.w.slice().sort().join() === who);
        if (row) return row;
      }
      const party = line.w.map((one) => `${one}@${goesTo(one, heading)}`).sort().join(" ");
      const found = data.told[data.parties[`${party} ${line.t[0]}`]];
      return found ? { s: line.s, w: line.w, l: found[0], n: found.slice(1) } : null;
    }

    // How an attack by these stands, short; empty where that is not worked out.
    function oddsOf(heading, who, target) {
      if (who.length === 1) {
        const alone = available(who[0], heading).rows.find((row) => row.w.length === 1 && onOne(row, target));
        return (alone && alone.l) || "";
      }
      const row = jointRow(heading, { w: who, t: [target], s: "" });
      return (row && row.l) || "";
    }

    // Where a figure is sent before a phase; empty where it stays.
    function goesTo(figure, heading) {
      const before = phases.slice(0, place(heading)).flatMap((phase) => lineOf(figure, phase.heading));
      const line = before.findLast((one) => one.goes && one.cells.length);
      return line ? goalOf(line, figure) : "";
    }

    // Of a line of as many hexes as figures each goes to his own, else all to the last.
    const goalOf = (line, figure) => line.cells[line.w.length > 1 && line.cells.length === line.w.length ? line.w.indexOf(figure) : line.cells.length - 1];

    // With whom figures could go on together as things stand, because they carry something between them.
    function bound(figures, heading) {
      const rows = figures.flatMap((who) => index[place(heading)].get(who) || []);
      return new Set(rows.filter((row) => row.w.length > 1 && row.c && row.p !== undefined).flatMap((row) => row.w));
    }

    const lineMoved = (figure, heading) =>
      phases.slice(0, place(heading)).some((phase) => lineOf(figure, phase.heading).some((line) => line.goes));

    // --- changing it

    function change(work) {
      undone.push(JSON.stringify(draft));
      if (undone.length > 100) undone.shift();
      work();
      listeners.forEach((tell) => tell());
    }

    function without(list, figures) {
      return list.flatMap((line) => {
        const rest = line.w.filter((who) => !figures.includes(who));
        if (rest.length === line.w.length) return [line];
        return rest.length && line.o ? [joint(line, rest)].filter(Boolean) : [];
      });
    }

    function joint(line, who) {
      if (who.length === 1) {
        const at = phases.findIndex((phase) => lines(phase.heading).includes(line));
        const alone = at < 0 ? null : available(who[0], phases[at].heading).rows.find((row) => row.s && row.w.length === 1 && same(row.t || [], line.t));
        return alone ? made(alone) : null;
      }
      return { w: who, s: line.o.replace("{who}", who.join(", ")), o: line.o, t: line.t, cells: [], u: "", goes: false, when: line.when || "" };
    }

    const made = (row) => ({ w: row.w.slice(), s: row.s, o: row.o || "", t: row.t || [], cells: row.c || [], u: row.u || "", goes: Boolean(row.y) || row.p !== undefined || Boolean(row.free || row.march), ...(row.free ? { free: row.free } : {}), ...(row.march ? { march: row.march } : {}), ...(row.army ? { army: row.army } : {}), ...(row.base ? { base: row.base, way: row.y } : {}) });

    function take(heading, row, { next = false } = {}) {
      change(() => {
        const kept = (next ? lines(heading).slice() : without(lines(heading), row.w)).filter((line) => !otherPlan(heading, line, row));
        const own = next ? kept.findLastIndex((line) => line.w.some((who) => row.w.includes(who))) + 1 : placeOf(heading, row.w, kept, row.u);
        kept.splice(own, 0, made(row));
        draft.lines[heading] = kept;
      });
    }

    // Whoever takes one plan gives up what belongs to another.
    function otherPlan(heading, line, row) {
      const old = said[place(heading)].get(base(line));
      return Boolean(row.e && old && old.e && old.e !== row.e);
    }

    // A figure's new line stands where its old one stood, but behind that of who makes way for it: lines are carried out in their order.
    function placeOf(heading, who, kept, after = "") {
      const old = lines(heading).findIndex((line) => line.w.some((one) => who.includes(one)));
      const first = after ? kept.findLastIndex((line) => line.w.includes(after)) + 1 : 0;
      return Math.max(first, old < 0 ? kept.length : Math.min(old, kept.length));
    }

    const takeAll = (heading, rows) => change(() => (draft.lines[heading] = [...without(lines(heading), rows.flatMap((row) => row.w)), ...rows.map(made)]));

    function together(heading, who, row) {
      change(() => {
        const kept = without(lines(heading), who);
        const line = joint(made(row), who);
        if (line) kept.splice(placeOf(heading, who, kept), 0, line);
        draft.lines[heading] = kept;
      });
    }

    const drop = (heading, line) => change(() => (draft.lines[heading] = lines(heading).filter((one) => one !== line)));

    function shift(heading, line, by) {
      const list = lines(heading).slice();
      const from = list.indexOf(line);
      const to = from + by;
      if (from < 0 || to < 0 || to >= list.length) return;
      change(() => {
        list.splice(from, 1);
        list.splice(to, 0, line);
        draft.lines[heading] = list;
      });
    }

    // Gives a line a second choice, a condition, or what is done otherwise; what is empty goes.
    function adjust(heading, line, more) {
      change(() => (draft.lines[heading] = lines(heading).map((one) => (one === line ? { ...one, ...more } : one))));
    }

    const set = (key, value) => change(() => (draft[key] = value));

    function instruct(who, key, value) {
      change(() => {
        const all = JSON.parse(JSON.stringify(draft.standing));
        const own = (all[who] = all[who] || {});
        if (value) own[key] = value;
        else delete own[key];
        if (!Object.keys(own).length) delete all[who];
        draft.standing = all;
      });
    }

    const answer = (id, value) => change(() => (draft.answers = { ...draft.answers, [id]: value }));

    function undo() {
      if (!undone.length) return false;
      draft = JSON.parse(undone.pop());
      listeners.forEach((tell) => tell());
      return true;
    }

    function restart() {
      change(() => (draft = blank()));
    }

    function restore(kept) {
      const fresh = blank();
      Object.keys(fresh).forEach((key) => {
        if (key !== "lines" && kept && typeof kept[key] === typeof fresh[key] && kept[key] !== null) fresh[key] = kept[key];
      });
      if (kept && typeof kept.hand === "string") fresh.hand = kept.hand;
      phases.forEach((phase) => {
        const list = kept && kept.lines && Array.isArray(kept.lines[phase.heading]) ? kept.lines[phase.heading] : [];
        fresh.lines[phase.heading] = list.filter((line) => line && Array.isArray(line.w) && typeof line.s === "string" && Array.isArray(line.t) && Array.isArray(line.cells) && (!line.or || Array.isArray(line.or)) && (!line.free || (data.roaming && Array.isArray(line.free.points) && typeof line.free.look === "string")) && (!line.march || (data.roaming && typeof line.march.direction === "string" && Number.isFinite(line.march.far))) && (!line.army || (data.roaming && data.roaming.muster && (line.army.at === null || Array.isArray(line.army.at)))));
      });
      draft = fresh;
      undone = [];
    }

    const self = {
      data, phases, available, next, following, rowOf, figures, partners, lines, lineOf, take, takeAll, together, drop, shift, set, instruct, answer, undo,
      restart, restore, onOne, jointRow, oddsOf, goesTo, goalOf, bound,
      base, elses, elsesFit, filled, formOf, ownWay, sentence, adjust,
      draft: () => draft,
      undoable: () => undone.length > 0,
      onChange: (tell) => listeners.push(tell),
    };
    return self;
  }

  window.pbemPacket = { model, same };
})();
