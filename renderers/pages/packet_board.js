// The map of the packet: where the chosen figure may go, whom it may strike, and what was ordered so far, as marks and ways.
(() => {
  "use strict";

  const packet = window.pbemPacket;

  const NARROW = 600; // pixels of a map on which nobody reads a whole table

  packet.board = (desk, panel) => {
    const { model, t, data } = desk;
    data.board.ground = document.querySelector("#still image").getAttribute("href");
    const map = window.pbemBoard(document.getElementById("board"), data.board);
    const key = (id) => (map.entry(`token/${id}`) ? `token/${id}` : `thing/${id}`);
    const idOf = (named) => named.split("/")[1];
    const place = (id) => (map.entry(key(id)) ? map.entry(key(id)).cells[0] : "");
    const goal = (row) => (row.c && row.c.length ? row.c[row.c.length - 1] : "");
    let shownFor = null;

    const phase = () => model.phases.find((one) => one.heading === desk.at);
    // What a click may mean: everything, or the kinds whose lists are open in the panel.
    function rows() {
      if (!phase()) return [];
      const all = model.available(desk.who, desk.at).rows.concat(model.following(desk.who, desk.at));
      const asked = all.filter((row) => desk.open.has(desk.key(desk.who, desk.at, row.k)));
      return asked.length ? asked.concat(all.filter((row) => row.t && !goal(row))) : all;
    }

    // Where a figure stands once its orders before a phase are carried out.
    const stands = (who, heading) => model.goesTo(who, heading) || place(who);

    // --- marks

    function show() {
      map.clear("reach");
      map.clear("plan");
      map.clear("chosen");
      const now = phase();
      document.getElementById("board").classList.toggle("ordering", Boolean(desk.who) || desk.at === "answers");
      document.getElementById("board").classList.toggle("later", Boolean(now) && now !== model.phases[0]);
      if (desk.at === "answers") questions();
      else {
        plan();
        if (now && desk.walk) walking();
        else if (now) reach();
        if (now) desk.roam.draw(map);
      }
      follow();
    }

    // A way that is tapped hex by hex: so far, and where it may go on.
    function walking() {
      const { who, from, cells } = desk.walk;
      map.mark("reach", [{ keys: [key(who)], class: "chosen" }, ...desk.more.nexts().map((cell) => ({ cells: [cell], class: "reach", say: t("walk-on", { place: cell }) }))]);
      map.way("plan", [from, ...cells], { class: "goes own" });
    }

    // Where those may begin who stand nowhere yet.
    function region() {
      if (desk.who || !phase() || phase().id !== "setup") return [];
      const waiting = model.figures(desk.at).filter((who) => who && !model.lineOf(who, desk.at).length);
      const cells = new Set(waiting.flatMap((who) => model.available(who, desk.at).rows.map(goal)).filter(Boolean));
      return cells.size ? [{ cells: [...cells], class: "region", say: t("region") }] : [];
    }

    function reach() {
      const best = new Map();
      const marks = [];
      const found = rows().filter((row) => !row.i);
      found.filter((row) => goal(row) && (!row.x || found.every((one) => one.x || !goal(one)))).forEach((row) => {
        const known = best.get(goal(row));
        if (!known || (row.p !== undefined && row.p < known.p)) best.set(goal(row), row);
      });
      best.forEach((row, cell) => marks.push({ cells: [cell], class: "reach", label: row.p, say: panel.told(row) }));
      aimed(found.filter((row) => !desk.roam.listed(row))).forEach((row, id) => marks.push({ keys: [key(id)], class: "target", label: odds(row, id), say: panel.told(row), at: "side" }));
      if (desk.who) {
        marks.push({ keys: [key(desk.who)], class: "chosen" });
        const there = stands(desk.who, desk.at);
        if (there && there !== place(desk.who)) marks.push({ cells: [there], class: "chosen" });
      } else model.figures(desk.at).filter(Boolean).forEach((who) => marks.push({ keys: [key(who)], class: model.lineOf(who, desk.at).length ? "done" : "able" }));
      map.mark("reach", [...region(), ...marks]);
    }

    // For each target what is done to it and to nobody else, where there is such an order.
    function aimed(found) {
      const best = new Map();
      found.filter((row) => row.t && !goal(row)).forEach((row) =>
        row.t.forEach((id) => {
          if (!best.has(id) || row.t.length < best.get(id).t.length) best.set(id, row);
        }),
      );
      return best;
    }

    // Of an attack that is ordered already the odds of all who take part.
    function odds(row, id) {
      const line = row.o ? model.lineOf(desk.who, desk.at).find((one) => one.t.length === 1 && one.t[0] === id) : null;
      return line ? model.oddsOf(desk.at, line.w, id) : row.l;
    }

    function plan() {
      const upto = phase() ? model.phases.indexOf(phase()) : model.phases.length - 1;
      model.phases.slice(0, upto + 1).forEach((one) =>
        model.lines(one.heading).forEach((line) => {
          const row = model.rowOf(one.heading, line);
          const own = line.w.includes(desk.who) ? " own" : "";
          if (line.free || line.march || line.army) return;
          if (line.way) map.way("plan", line.way.split(" "), { class: `goes${own}` });
          else if (row && row.y) map.way("plan", row.y.split(" "), { class: `goes${own}` });
          else if (line.goes && line.cells.length) line.w.forEach((who) => map.way("plan", [place(who), model.goalOf(line, who)], { class: `goes${own}` }));
          else if (row && desk.roam.listed(row)) map.way("plan", [place(line.w[0]), place(line.t[0])], { class: `goes${own}` });
          else if (line.t.length || (line.cells.length && one.id !== "setup")) line.w.forEach((who) => strikes(who, one.heading, line, own));
          else if (line.cells.length) map.way("plan", [place(line.w[0]), line.cells[line.cells.length - 1]], { class: `goes${own}` });
        }),
      );
      const set = model.lines("setup").filter((line) => line.cells.length);
      if (set.length && upto >= 0 && model.phases[0].id === "setup") map.mark("chosen", set.map((line) => ({ cells: [line.cells[0]], class: "done", label: desk.name(line.w[0] || "").slice(0, 12), say: line.s, at: "middle" })));
    }

    function strikes(who, heading, line, own) {
      const ends = line.t.length ? line.t.map((id) => stands(id, heading)) : line.cells.slice(-1);
      ends.forEach((end) => map.way("plan", [stands(who, heading), end], { class: `aims${own}` }));
    }

    function questions() {
      const marks = [];
      data.questions.forEach((question) => {
        if (question.unit) marks.push({ keys: [key(question.unit)], class: "chosen" });
        question.choices.forEach((choice) => {
          const taken = [model.draft().answers[question.id]].flat().includes(choice.value);
          if (map.cell(choice.value)) marks.push({ cells: [choice.value], class: taken ? "done" : "reach", say: `${question.said}: ${choice.value}` });
          else if (map.entry(key(choice.value))) marks.push({ keys: [key(choice.value)], class: taken ? "done" : "target", say: `${question.said}: ${choice.value}` });
        });
      });
      map.mark("reach", marks);
    }

    // Brings into sight what a figure that was just chosen may do; a map that is looked at is left alone.
    function follow() {
      const now = `${desk.at}/${desk.who}`;
      if (now === shownFor) return;
      const before = shownFor;
      shownFor = now;
      if (before === null && data.roaming && map.element.clientWidth < NARROW) return map.focus({ keys: own().map(key), points: desk.roam.camp() });
      if (!desk.who || !phase()) return undefined;
      const cells = rows().filter((row) => !row.i && goal(row)).map(goal);
      const around = desk.roam.around(desk.who);
      const aims = around.length ? [] : rows().flatMap((row) => (row.t || []).map(key));
      return map.focus({ cells: [...new Set(cells)], keys: [key(desk.who), ...aims], points: around });
    }

    // A whole table is too small to read on a telephone: its first view are one's own who may do something, or where one builds.
    const own = () => (phase() ? model.figures(desk.at).filter((who) => who in data.tokens) : []);

    // --- clicks

    function answer(value) {
      const question = data.questions.find((one) => one.choices.some((choice) => choice.value === value));
      if (!question) return false;
      const held = model.draft().answers[question.id];
      const several = question.kind === "some" ? (held || []).filter((one) => one !== value).concat((held || []).includes(value) ? [] : [value]) : value;
      desk.done(() => model.answer(question.id, several), t("answered", { value }));
      return true;
    }

    // What takes a figure away from the map is not meant by a hex that he could go to.
    function take(all, said, spot) {
      const found = all.some((row) => !row.x) ? all.filter((row) => !row.x) : all;
      if (!found.length) return false;
      if (found.length === 1 && found[0].s) {
        const taken = model.lines(desk.at).some((line) => line.s === found[0].s);
        if (taken) desk.untake(desk.at, found[0]);
        else desk.take(desk.at, found[0], !model.available(desk.who, desk.at).rows.includes(found[0]));
      } else desk.pick(found, said, spot);
      return true;
    }

    // Nobody is chosen: who of one's own could do something to whom was tapped, and what.
    function whoCould(id, spot) {
      const all = model.figures(desk.at).filter(Boolean).flatMap((who) => model.available(who, desk.at).rows.filter((row) => !row.i && !goal(row) && row.w[0] === who && row.t && row.t.includes(id)));
      const rows = all.filter((row) => row.s).sort((one, other) => one.t.length - other.t.length);
      const together = [...new Set(all.filter((row) => !row.s).map((row) => row.w[0]))].filter((who) => !rows.some((row) => row.w.includes(who)));
      if (!rows.length && !together.length) return false;
      desk.pick(rows, desk.name(id), spot, together);
      return true;
    }

    map.on("spot", ({ x, y }) => Boolean(phase()) && desk.roam.tap(x, y));
    map.on("nudge", ({ dx, dy }) => Boolean(phase()) && desk.roam.nudge(dx, dy));
    map.on("token", ({ key: named, cell, x, y }) => {
      const id = idOf(named);
      if (desk.roam.token(id)) return true;
      if (desk.at === "answers") return answer(id);
      if (!phase()) return false;
      if (desk.walk) return desk.more.step(cell) || true;
      const own = id !== desk.who && model.figures(desk.at).includes(id);
      const meant = desk.who ? rows().filter((row) => !row.i && row.t && row.t.includes(id)) : [];
      if (own && meant.length) return desk.pick(meant, desk.name(id), cell, [id]) || true;
      if (take(meant, desk.name(id), cell)) return true;
      if (desk.who && desk.who !== id && take(rows().filter((row) => !row.i && goal(row) === cell), cell, cell)) return true;
      if (named.startsWith("thing/") && x !== undefined && desk.who && desk.roam.tap(x, y)) return true;
      if (!model.figures(desk.at).includes(id)) return !desk.who && whoCould(id, cell);
      desk.choose(id === desk.who ? "" : id);
      return true;
    });
    map.on("cell", ({ cell, keys }) => {
      if (desk.at === "answers") return answer(cell);
      if (!phase()) return false;
      if (desk.walk) return desk.more.step(cell) || true;
      if (take(rows().filter((row) => !row.i && (row.c || []).includes(cell) && (goal(row) === cell || phase().id === "setup")), cell, cell)) return true;
      const own = keys.map(idOf).find((id) => id !== desk.who && model.figures(desk.at).includes(id));
      if (own) desk.choose(own);
      else desk.tell([cell, map.cell(cell).words, ...map.at(cell).map((one) => one.words), desk.who ? t("not-there", { name: desk.name(desk.who) }) : ""].filter(Boolean).join(". "));
      return true;
    });

    const picture = (id) => (id && map.entry(key(id)) ? map.picture(key(id)) : null);

    return { show, picture, traces: (on) => map.show(on ? 0 : 1), map };
  };
})();
