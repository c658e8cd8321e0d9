/* The storeys of a board side by side (board.js puts it together): where people stand above one another, a button opens a window on each
   storey with who is on it, in a picture and in words. */
"use strict";
(() => {
  const { svg, html, lettered } = window.pbemBoardKit;
  const STAIRS = "M4 20h16M4 12h16M4 4h16M8 20v-8M8 12V4M14 20v-8M14 12V4";

  /* root: where the windows go; data: of the board; pieces: what is on it now. */
  window.pbemBoardStoreys = (root, data, pieces) => {
    const words = data.words || {};
    const [left, top, width, height] = data.box;
    const button = html("button", { type: "button", class: "board-button board-floors", "aria-label": words.storeys || "", title: words.storeys || "", hidden: "" });
    svg("path", { d: STAIRS, fill: "none", stroke: "currentColor", "stroke-width": 1.8 }, svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, button));
    const sheet = html("dialog", { class: "board-storeys", "aria-label": words.storeys || "" }, root);
    const close = html("button", { type: "button", class: "quiet" });
    close.textContent = words.close || "\u00d7";
    close.addEventListener("click", () => sheet.close());

    const told = data.storeys || { named: [], frames: [] };
    const listed = () => (told.frames.filter(([first]) => first <= pieces.number()).pop() || [0, []])[1];

    /* [title, box, ids of those on the storey, keys of what is on another] */
    function windows() {
      const all = listed();
      return all.map(([box, title, on, beyond]) => {
        const others = all.filter((one) => String(one[0]) === String(box)).flatMap((one) => one[2]).filter((one) => !on.includes(one));
        return [told.named[title], box, on.map((one) => told.named[one]), [...others.map((one) => `token/${told.named[one]}`), ...beyond.map((one) => told.named[one])]];
      });
    }

    function picture(box, hidden) {
      const made = lettered(svg("svg", { "aria-hidden": "true", viewBox: `${box[0]} ${box[1]} ${box[2] - box[0]} ${box[3] - box[1]}` }));
      svg("image", { href: data.ground, x: left, y: top, width, height, preserveAspectRatio: "none" }, made);
      made.append(...pieces.within(box, ["trace", ...hidden]));
      return made;
    }

    function open() {
      const list = html("ul", { class: "board-windows" });
      for (const [title, box, on, hidden] of windows()) {
        const item = html("li", {}, list);
        html("h3", {}, item).textContent = title;
        item.append(picture(box, hidden));
        const who = html("ul", {}, item);
        for (const id of on) html("li", {}, who).textContent = (pieces.entry(`token/${id}`) || {}).words || id;
      }
      const head = html("header", {});
      html("h2", {}, head).textContent = words.storeys || "";
      head.append(close);
      sheet.replaceChildren(head, list);
      sheet.showModal();
      sheet.scrollTop = 0;
    }

    button.addEventListener("click", open);
    sheet.addEventListener("click", (event) => event.target === sheet && sheet.close());
    sheet.addEventListener("close", () => sheet.replaceChildren());

    /* To be called whenever another frame is shown. */
    function changed() {
      button.hidden = !listed().length;
      if (sheet.open) sheet.close();
    }

    return { button, changed };
  };
})();
