/* The board of a page: shows what renderers/board.py made, moves pieces from frame to frame, and says what is clicked, tapped or chosen
   by keys. It knows no rule and no word of its own: what there is to say travels in the data.

   const map = pbemBoard(container, data)      data: what board.py returns
   map.show(i, {glide})        the pieces of frame i; with glide, figures slide to where they went
   map.frame                   the number of the frame that is shown
   map.mark(layer, marks)      marks: [{cells: ["0712"], keys: ["token/tudur"], class: "reach", label: "3", say: "3 points", at: "side"}]
   map.way(layer, cells, {class, label})       a line through cells with an arrow at its end
   map.clear(layer)            takes away a layer of marks and ways; without a name all
   map.on(what, fn)            "token" {key, cell, keys, x, y}, "cell" {cell, keys}, "cursor" {cell, keys}; a token that nobody answers (no
                               handler returns true) is a cell that was chosen; on a table "spot" {x, y, cell} comes before "cell", and
                               "nudge" {dx, dy} of Shift and an arrow; returns what takes the handler away
   map.draw(layer, nodes)      {under, over}: SVG of one's own in a layer; map.place(x, y) a place on the screen as one of the scene
   map.focus({cells, keys, points})    brings them into sight, larger where they would be too small to read; map.fit() shows the whole map
   map.zoom(factor)            around the middle
   map.select(cell)            puts the cursor on a cell; map.cursor tells where it is
   map.at(cell)                [{key, words, cells}] on a cell, the highest first; map.entry(key) one of them, or null
   map.picture(key)            an <svg> of a piece, for a list beside the board
   map.cell(cell)              {cell, x, y, words}, or null; map.spot(cell) its middle on the screen, [x, y]
   map.say(text)               lets a screen reader say something
   map.element                 the element that takes the focus

   Goes into a page with board_kit.js, board_window.js and board_storeys.js before it, and page.css and board.css. */
"use strict";
(() => {
  const { HEX, CHOSEN, svg, html, parsed, lettered, still } = window.pbemBoardKit;
  const TOUCH = 14; // pixels from the middle of what is touched: 28 across
  let boards = 0;

  window.pbemBoard = (container, data) => {
    const words = data.words || {};
    const [left, top, width, height] = data.box;
    const number = ++boards;
    const every = data.cells.map(([cell, x, y, points, said, reach]) => ({ cell, x, y, points, words: said, reach: reach || 0 }));
    const byCell = new Map(every.map((cell) => [cell.cell, cell]));
    const handlers = { token: [], cell: [], cursor: [], spot: [], nudge: [] };

    const root = html("div", { class: "board" });
    const view = html("div", { class: "board-view", tabindex: "0", role: "application", "aria-label": words.map || "" }, root);
    if (words.kind) view.setAttribute("aria-roledescription", words.kind);
    const help = html("p", { class: "board-unseen", id: `board-help-${number}` }, root);
    help.textContent = words.help || "";
    view.setAttribute("aria-describedby", help.id);
    const drawing = lettered(svg("svg", { "aria-hidden": "true", viewBox: data.box.join(" ") }, view));
    svg("defs", {}, drawing).append(parsed(data.drawings || ""));
    svg("image", { href: data.ground, x: left, y: top, width, height, preserveAspectRatio: "none" }, drawing);
    const under = svg("g", { class: "board-under" }, drawing);
    const shown = window.pbemBoardKit.pieces(svg("g", { class: "board-pieces" }, drawing), data);
    const marks = window.pbemBoardKit.marks(under, svg("g", { class: "board-over" }, drawing), byCell, shown, data.box);
    const pointer = svg("polygon", { class: "board-cursor", points: "" }, drawing);
    const tools = html("div", { class: "board-tools", role: "group", "aria-label": words.tools || "" }, root);
    const live = html("p", { class: "board-unseen", "aria-live": "polite" }, root);
    const buttons = {};
    const window_ = window.pbemBoardWindow(view, drawing, data.box, (whole, most) => {
      buttons.out.disabled = buttons.fit.disabled = whole;
      buttons.in.disabled = most;
    });

    const storeys = window.pbemBoardStoreys(root, data, shown);

    const say = (text) => {
      live.textContent = text;
    };

    function focus(what) {
      const named = Array.isArray(what) ? { cells: what } : what;
      window_.reveal(marks.standing(named), true, data.free ? 2 : 1);
      view.scrollIntoView({ block: "nearest", behavior: still() ? "auto" : "smooth" });
    }

    /* --- what is chosen */
    let cursor = null;

    /* The cells that can be chosen now: where only a base can stand, while one stands there. */
    function open() {
      if (!data.free) return every;
      const busy = shown.busy();
      return every.filter((cell) => !cell.reach || busy.has(cell.cell));
    }

    function holds(points, x, y) {
      let inside = false;
      const corners = points.split(" ").map((pair) => pair.split(",").map(Number));
      corners.forEach(([ax, ay], place) => {
        const [bx, by] = corners[(place || corners.length) - 1];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
      });
      return inside;
    }

    /* On a table: the base or piece of building under a finger, never less than TOUCH round its middle; else the area there. */
    function beneath(x, y) {
      const finger = TOUCH * window_.place(0, 0)[2];
      let best = null;
      let least = Infinity;
      for (const cell of open()) {
        if (!cell.reach) continue;
        const far = Math.hypot(cell.x - x, cell.y - y);
        if ((far <= Math.max(cell.reach, finger) || holds(cell.points, x, y)) && far < least) [best, least] = [cell, far];
      }
      return best || every.filter((cell) => !cell.reach && holds(cell.points, x, y)).pop() || null;
    }

    function nearest(x, y) {
      if (data.free) return beneath(x, y);
      let best = null;
      let least = HEX * HEX * 0.36;
      for (const cell of every) {
        const far = (cell.x - x) ** 2 + (cell.y - y) ** 2;
        if (far < least) [best, least] = [cell, far];
      }
      return best;
    }

    function fire(what, told_) {
      let done = false;
      for (const handler of [...handlers[what]]) done = handler(told_) === true || done;
      return done;
    }

    const keysAt = (cell) => shown.at(cell).map(({ key }) => key);

    function chosen(cell, key, x, y) {
      const keys = keysAt(cell);
      const where = data.free && x !== undefined ? { x, y } : null;
      if (key && fire("token", { key, cell, keys, ...where })) return;
      if (where && fire("spot", { ...where, cell })) return;
      fire("cell", { cell, keys });
    }

    /* What is said of a piece begins with its hexes, which the cursor has said already. */
    const without = (text) => text.slice(text.indexOf(": ") + 2);

    function select(cell, { quiet = false, sticky = false } = {}) {
      const found = byCell.get(cell);
      if (!found) return;
      cursor = sticky ? { ...found, sx: cursor.sx, sy: cursor.sy } : { ...found, sx: found.x, sy: found.y };
      pointer.setAttribute("points", found.points);
      if (quiet) return;
      const here = shown.at(cell).filter((one) => one.words);
      const parts = [[cell, found.words].filter(Boolean).join(", "), ...here.map((one) => without(one.words)), ...marks.said(cell)];
      say(parts.join(". "));
      fire("cursor", { cell, keys: here.map(({ key }) => key) });
    }

    view.addEventListener("click", (event) => {
      if (window_.wasDragged()) return;
      const [x, y] = window_.place(event.clientX, event.clientY);
      const node = event.target.closest("[data-key]");
      const named = ((node && CHOSEN.exec(node.dataset.key)) || [""])[0];
      const label = data.free && node && node.dataset.key.split("/").length > 2; // a name lies over ground that may be meant
      if (label && !nearest(x, y) && fire("spot", { x, y, cell: "" })) return undefined;
      const key = label && nearest(x, y) ? "" : named;
      const stands = key ? (shown.entry(key) || { cells: [] }).cells : [];
      const under_ = nearest(x, y);
      const cell = under_ && (!stands.length || stands.includes(under_.cell)) ? under_.cell : stands[0];
      if (!cell) return data.free && fire("spot", { x, y, cell: "" });
      select(cell);
      const held = !key && data.free && byCell.get(cell).reach ? keysAt(cell).find((one) => CHOSEN.test(one)) : "";
      return chosen(cell, key || held || "", x, y);
    });

    function towards(dx, dy) {
      let best = null;
      let least = Infinity;
      for (const cell of open()) {
        const run = (cell.x - cursor.x) * dx + (cell.y - cursor.y) * dy;
        const off = Math.abs(dx ? cell.y - cursor.sy : cell.x - cursor.sx);
        const across = Math.abs(dx ? cell.y - cursor.y : cell.x - cursor.x);
        if (run < 100 || across > run * (data.free ? 1.01 : 0.9)) continue;
        const cost = run + off;
        if (cost < least) [best, least] = [cell, cost];
      }
      return best;
    }

    function edge(sign) {
      const row = open().filter((cell) => Math.abs(cell.y - cursor.sy) < HEX * 0.6);
      return row.reduce((best, cell) => ((cell.x - best.x) * sign > 0 ? cell : best), row[0]);
    }

    function peopled(sign) {
      const busy = shown.busy("token/");
      const found = every.filter((cell) => busy.has(cell.cell));
      const here = every.indexOf(byCell.get(cursor.cell));
      const later = found.filter((cell) => (every.indexOf(cell) - here) * sign > 0);
      return sign > 0 ? later[0] || found[0] : later[later.length - 1] || found[found.length - 1];
    }

    /* Through a zigzag of hexes the cursor keeps the height, or the column, in which it set out. */
    function straight(dx, dy) {
      const to = towards(dx, dy);
      if (to) Object.assign(cursor, dx ? { sx: to.x } : { sy: to.y });
      return to;
    }

    const KEYS = {
      ArrowUp: () => straight(0, -1),
      ArrowDown: () => straight(0, 1),
      ArrowLeft: () => straight(-1, 0),
      ArrowRight: () => straight(1, 0),
      Home: () => edge(-1),
      End: () => edge(1),
      PageDown: () => peopled(1),
      PageUp: () => peopled(-1),
    };

    const STEPS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

    view.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !every.length) return;
      if (event.shiftKey && STEPS[event.key] && fire("nudge", { dx: STEPS[event.key][0], dy: STEPS[event.key][1] })) return event.preventDefault();
      if (!cursor) select(every[0].cell, { quiet: true });
      if (KEYS[event.key]) {
        const to = KEYS[event.key]();
        if (to) {
          select(to.cell, { sticky: event.key.startsWith("Arrow") });
          window_.reveal([to], false);
        }
      } else if (event.key === "Enter" || event.key === " ") {
        const highest = keysAt(cursor.cell).find((key) => CHOSEN.test(key));
        chosen(cursor.cell, highest || "");
      } else if (event.key === "+" || event.key === "=") window_.zoom(1.5, cursor);
      else if (event.key === "-") window_.zoom(1 / 1.5, cursor);
      else if (event.key === "0") window_.fit();
      else return;
      event.preventDefault();
    });
    view.addEventListener("focus", () => {
      if (!view.matches(":focus-visible") || !every.length) return;
      select((cursor || every[0]).cell);
    });

    /* --- buttons */
    for (const [name, sign, act] of [
      ["in", "+", () => window_.zoom(1.6)],
      ["out", "\u2212", () => window_.zoom(1 / 1.6)],
      ["fit", "\u2922", window_.fit],
    ]) {
      const button = html("button", { type: "button", class: "board-button", "aria-label": words[name] || sign, title: words[name] || "" }, tools);
      button.textContent = sign;
      button.addEventListener("click", act);
      buttons[name] = button;
    }

    tools.prepend(storeys.button);
    const show = (index, how) => {
      shown.show(index, how);
      storeys.changed();
    };

    window_.draw();
    container.replaceChildren(root);
    show(0);
    return {
      show,
      at: shown.at,
      entry: shown.entry,
      picture: shown.picture,
      mark: marks.mark,
      way: marks.way,
      draw: marks.draw,
      place: (x, y) => window_.place(x, y),
      clear: marks.clear,
      fit: window_.fit,
      zoom: (factor) => window_.zoom(factor),
      focus,
      select,
      say,
      element: view,
      get frame() {
        return shown.number();
      },
      get cursor() {
        return cursor ? cursor.cell : null;
      },
      cell: (cell) => (byCell.has(cell) ? { ...byCell.get(cell) } : null),
      spot(cell) {
        const found = byCell.get(cell);
        if (!found) return null;
        const [x, y, unit] = window_.place(0, 0);
        return [(found.x - x) / unit, (found.y - y) / unit];
      },
      on(what, handler) {
        handlers[what].push(handler);
        return () => {
          handlers[what] = handlers[what].filter((one) => one !== handler);
        };
      },
    };
  };
})();
