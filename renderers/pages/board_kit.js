/* Parts of a board (board.js puts them together): what is on it in each frame, and what is laid over it. */
"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FONTS = "'DejaVu Sans',Verdana,'Noto Sans','Segoe UI','Helvetica Neue',Arial,sans-serif";
  const HEX = 1000; // scene units from flat side to flat side
  const GLIDE = 380;
  const CHOSEN = /^(token|thing)\/[^/]+/;
  const HEIGHTS = { middle: 0, bottom: 555 };
  const BESIDE = { x: 330, y: 87 }; // where what stands beside a counter begins: at its right edge, between the counters of the next column

  function svg(name, attributes = {}, parent = null) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  }

  function html(name, attributes = {}, parent = null) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (parent) parent.append(made);
    return made;
  }

  /* What Python wrote comes from us alone; a template parses it without running or fetching anything. */
  function parsed(text) {
    const template = document.createElement("template");
    template.innerHTML = `<svg xmlns="${SVG}">${text}</svg>`;
    const found = document.createDocumentFragment();
    found.append(...template.content.firstChild.childNodes);
    return found;
  }

  const still = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));

  function lettered(node) {
    node.setAttribute("font-family", FONTS);
    node.setAttribute("font-weight", "bold");
    node.setAttribute("text-anchor", "middle");
    node.setAttribute("stroke-linejoin", "round");
    return node;
  }

  /* The pieces: a frame is what comes and goes since the one before; the same list leads forwards and backwards. */
  function pieces(group, data) {
    const there = new Set();
    const shown = new Map(); // key -> {index, node}
    const parsedPieces = [];
    let frame = -1;

    /* All pieces that are new are parsed at once, which is much faster than one by one. */
    function prepare(numbers) {
      const wanted = new Set();
      for (const number of numbers) if (!parsedPieces[data.entries[number][1]]) wanted.add(data.entries[number][1]);
      const found = parsed([...wanted].map((index) => `<g>${data.pieces[index]}</g>`).join("")).children;
      [...wanted].forEach((index, place) => {
        parsedPieces[index] = found[place];
      });
    }

    const piece = (index) => [...parsedPieces[index].cloneNode(true).childNodes];

    /* A figure is drawn anew, and says what it is to a mouse that rests on it. */
    function fill(node, [key, index, , , said]) {
      node.replaceChildren(...piece(index));
      if (said && CHOSEN.test(key) && node.firstChild) svg("title", {}, node).textContent = said;
    }

    function step(index) {
      for (const entry of data.frames[index]) {
        if (!there.delete(entry)) there.add(entry);
      }
    }

    function show(index, { glide = false } = {}) {
      const wanted = clamp(index, 0, data.frames.length - 1);
      if (!data.frames.length || wanted === frame) return;
      while (frame < wanted) step(++frame);
      while (frame > wanted) step(frame--);
      const order = Int32Array.from(there).sort();
      prepare(order);
      const left_ = new Set(shown.keys());
      const slides = [];
      for (const number_ of order) {
        const [key, , x, y] = data.entries[number_];
        left_.delete(key);
        const old = shown.get(key);
        if (!old) {
          const node = svg("g", { "data-key": key, transform: `translate(${x} ${y})` });
          fill(node, data.entries[number_]);
          shown.set(key, { number: number_, node });
          continue;
        }
        if (old.number === number_) continue;
        const [, , ox, oy] = data.entries[old.number];
        fill(old.node, data.entries[number_]);
        if (ox !== x || oy !== y) {
          old.node.setAttribute("transform", `translate(${x} ${y})`);
          slides.push([old, ox, oy, x, y]);
        }
        old.number = number_;
      }
      for (const key of left_) {
        shown.get(key).node.remove();
        shown.delete(key);
      }
      let next = null;
      for (let place = order.length - 1; place >= 0; place--) {
        const { node } = shown.get(data.entries[order[place]][0]);
        if (node.parentNode !== group || node.nextSibling !== next) group.insertBefore(node, next);
        next = node;
      }
      const slow = glide && !still();
      if (!slow) for (const one of shown.values()) if (one.sliding) one.sliding.cancel();
      for (const [one, ox, oy, x, y] of slides) {
        if (one.sliding) one.sliding.cancel();
        one.sliding = null;
        if (!slow || !CHOSEN.test(one.node.dataset.key)) continue;
        const steps = [{ transform: `translate(${ox}px, ${oy}px)` }, { transform: `translate(${x}px, ${y}px)` }];
        one.sliding = one.node.animate(steps, { duration: GLIDE, easing: "ease-in-out" });
      }
    }

    const told = (number_) => {
      const [key, , , , said, stands] = data.entries[number_];
      return { key, words: said, cells: stands.map((place) => data.cells[place][0]) };
    };

    function entry(key) {
      const found = shown.get(key);
      return found ? told(found.number) : null;
    }

    function at(cell) {
      const place = data.cells.findIndex((one) => one[0] === cell);
      const found = [];
      for (const number_ of there) {
        if (data.entries[number_][5].includes(place)) found.push(number_);
      }
      return found.sort((a, b) => b - a).map(told);
    }

    function picture(key) {
      const found = shown.get(key);
      const made = lettered(svg("svg", { class: "board-picture", viewBox: "-440 -440 880 880", "aria-hidden": "true" }));
      if (found) made.append(...piece(data.entries[found.number][1]));
      return made;
    }

    /* What lies in a part of the map, from the lowest to the highest: [key, drawn]; those whose key begins so are left out. */
    function within([left, top, right, bottom], without) {
      const found = [];
      for (const number of Int32Array.from(there).sort()) {
        const [key, index, x, y] = data.entries[number];
        if (x < left || x > right || y < top || y > bottom || without.some((one) => key === one || key.startsWith(`${one}/`))) continue;
        const group_ = svg("g", { transform: `translate(${x} ${y})` });
        group_.append(...piece(index));
        found.push(group_);
      }
      return found;
    }

    /* The hexes on which something stands whose key begins so. */
    function busy(kind = "") {
      const found = new Set();
      for (const number of there) {
        const [key, , , , , stands] = data.entries[number];
        if (key.startsWith(kind)) for (const place of stands) found.add(data.cells[place][0]);
      }
      return found;
    }

    return { show, entry, at, picture, busy, within, number: () => frame };
  }

  /* What is laid over the map by name: marks under the figures, their labels and ways above them. */
  function marks(under, over, byCell, shown, box) {
    const layers = new Map();

    function layer(name) {
      if (!layers.has(name)) {
        const both = { under: svg("g", { "data-layer": name }, under), over: svg("g", { "data-layer": name }, over), said: new Map() };
        layers.set(name, both);
      }
      return layers.get(name);
    }

    function clear(name) {
      for (const [key, both] of layers) {
        if (name !== undefined && key !== name) continue;
        both.under.remove();
        both.over.remove();
        layers.delete(key);
      }
    }

    const width = (text) => Math.max(330, text.length * 172 + 130);

    // Beside a counter, never over its name or values; on the other side where the map ends.
    function beside(group, text, kind, { x, y }) {
      const wide = width(text) * 0.8;
      const right = x + BESIDE.x + wide <= box[0] + box[2];
      label(group, text, kind, x + (right ? 1 : -1) * (BESIDE.x + wide / 2), y + BESIDE.y, 0.8);
    }

    function label(group, text, kind, x, y, scale = 1) {
      const wide = width(text);
      const made = svg("g", { class: `board-label ${kind}`, transform: `translate(${x} ${y})${scale === 1 ? "" : ` scale(${scale})`}` }, group);
      svg("rect", { x: -wide / 2, y: -160, width: wide, height: 320, rx: 100 }, made);
      svg("text", { y: 90, "font-size": 250 }, made).textContent = text;
    }

    function standing(mark) {
      const found = (mark.cells || []).map((cell) => byCell.get(cell)).filter(Boolean);
      for (const key of mark.keys || []) {
        const here = shown.entry(key);
        if (here) found.push(...here.cells.map((cell) => byCell.get(cell)));
      }
      found.push(...(mark.points || []).map(([x, y]) => ({ x, y })));
      return found;
    }

    function mark(name, marks) {
      clear(name);
      const both = layer(name);
      const busy = shown.busy();
      for (const one of marks) {
        const kind = one.class || "";
        standing(one).forEach((cell, place) => {
          svg("polygon", { class: `board-mark ${kind}`, points: cell.points, "data-cell": cell.cell }, both.under);
          const text = one.label === undefined || one.label === null ? "" : String(one.label);
          const side = one.at ? one.at === "side" : busy.has(cell.cell);
          if (text && place === 0 && side) beside(both.over, text, kind, cell);
          else if (text && place === 0) label(both.over, text, kind, cell.x, cell.y + HEIGHTS[one.at || "middle"]);
          if (one.say || text) both.said.set(cell.cell, one.say || text);
        });
      }
    }

    function way(name, places, { class: kind = "", label: text = "" } = {}) {
      const spots = places.map((cell) => byCell.get(cell)).filter(Boolean);
      if (spots.length < 2) return;
      const group = svg("g", { class: `board-way ${kind}` }, layer(name).over);
      const [before, end] = spots.slice(-2);
      const far = Math.hypot(end.x - before.x, end.y - before.y) || 1;
      const [dx, dy] = [(end.x - before.x) / far, (end.y - before.y) / far];
      const line = spots.slice(0, -1).map(({ x, y }) => `${x},${y}`);
      line.push(`${Math.round(end.x - dx * 190)},${Math.round(end.y - dy * 190)}`);
      const head = [
        [60, 0],
        [-230, 170],
        [-230, -170],
      ].map(([run, off]) => `${Math.round(end.x + dx * run - dy * off)},${Math.round(end.y + dy * run + dx * off)}`);
      for (const layer_ of ["board-halo", "board-core"]) {
        svg("polyline", { class: layer_, points: line.join(" ") }, group);
        svg("polygon", { class: layer_, points: head.join(" ") }, group);
      }
      if (text) label(group, String(text), kind, end.x, end.y + HEIGHTS.bottom);
    }

    function draw(name, { under: low = [], over: high = [] }) {
      const both = layer(name);
      both.under.append(...low);
      both.over.append(...high);
    }

    const said = (cell) => [...layers.values()].map((both) => both.said.get(cell)).filter(Boolean);

    return { mark, way, draw, clear, standing, said };
  }

  window.pbemBoardKit = { HEX, CHOSEN, svg, html, parsed, lettered, still, clamp, pieces, marks };
})();
