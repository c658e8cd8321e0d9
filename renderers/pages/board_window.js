/* The window on a board's map (board.js puts it together): zooming and dragging by wheel, fingers and calls. */
"use strict";
(() => {
  const { HEX, still, clamp } = window.pbemBoardKit;
  const MOST = 8; // times as large as the whole map in its width
  const READABLE = 46; // pixels from flat side to flat side that a hex should have to be read
  const SLACK = 6; // pixels a finger may slip and still have tapped

  /* view: the element that takes pointers; drawing: its svg; changed(scale, MOST) is called whenever the window has moved. */
  window.pbemBoardWindow = (view, drawing, box, changed) => {
    const [left, top, width, height] = box;
    const look = { x: left, y: top, scale: 1 }; // scale: times as large as the whole map in its width
    let tween = 0;

    function draw() {
      const [w, h] = [width / look.scale, height / look.scale];
      look.x = clamp(look.x, left, left + width - w);
      look.y = clamp(look.y, top, top + height - h);
      drawing.setAttribute("viewBox", `${look.x} ${look.y} ${w} ${h}`);
      view.classList.toggle("board-zoomed", look.scale > 1.001);
      changed(look.scale <= 1.001, look.scale >= MOST - 0.001);
    }

    function toLook(x, y, scale) {
      cancelAnimationFrame(tween);
      const from = { ...look };
      const to = { scale: clamp(scale, 1, MOST) };
      to.x = clamp(x, left, left + width - width / to.scale);
      to.y = clamp(y, top, top + height - height / to.scale);
      if (still()) {
        Object.assign(look, to);
        draw();
        return;
      }
      const start = performance.now();
      const move = (now) => {
        const share = clamp((now - start) / 220, 0, 1);
        const eased = share * (2 - share);
        for (const key of ["x", "y", "scale"]) look[key] = from[key] + (to[key] - from[key]) * eased;
        draw();
        if (share < 1) tween = requestAnimationFrame(move);
      };
      tween = requestAnimationFrame(move);
    }

    /* A place on the screen as one of the scene, and how many scene units a pixel is. */
    function place(clientX, clientY) {
      const matrix = drawing.getScreenCTM();
      return [(clientX - matrix.e) / matrix.a, (clientY - matrix.f) / matrix.d, 1 / matrix.a];
    }

    function zoomAt(clientX, clientY, factor) {
      cancelAnimationFrame(tween);
      const [x, y] = place(clientX, clientY);
      const scale = clamp(look.scale * factor, 1, MOST);
      const change = look.scale / scale;
      Object.assign(look, { x: x - (x - look.x) * change, y: y - (y - look.y) * change, scale });
      draw();
    }

    function zoom(factor, spot = null) {
      const scale = clamp(look.scale * factor, 1, MOST);
      const x = spot ? spot.x : look.x + width / look.scale / 2;
      const y = spot ? spot.y : look.y + height / look.scale / 2;
      toLook(x - width / scale / 2, y - height / scale / 2, scale);
    }

    const fit = () => toLook(left, top, 1);

    /* Brings places into sight; with ``larger`` so large that they can be read, as far as all of them stay in sight. */
    function reveal(list, larger, times = 1) {
      if (!list.length) return;
      const xs = list.map(({ x }) => x);
      const ys = list.map(({ y }) => y);
      const around = [Math.min(...xs) - HEX * 1.2, Math.min(...ys) - HEX * 1.1, Math.max(...xs) + HEX * 1.2, Math.max(...ys) + HEX * 1.1];
      const readable = (READABLE * times * place(0, 0)[2] * look.scale) / HEX;
      const room = Math.min(width / (around[2] - around[0]), height / (around[3] - around[1]));
      const scale = clamp(larger ? Math.max(look.scale, readable) : look.scale, 1, Math.max(1, room));
      const [w, h] = [width / scale, height / scale];
      const inside = around[0] >= look.x && around[1] >= look.y && around[2] <= look.x + w && around[3] <= look.y + h;
      if (!inside || Math.abs(scale - look.scale) > 0.01) {
        toLook((around[0] + around[2] - w) / 2, (around[1] + around[3] - h) / 2, scale);
      }
    }

    /* --- pointers: at rest one finger scrolls the page and never the map, so that nobody is caught in it; once the map is zoomed in
       one finger drags it, and what it is dragged beyond its border scrolls the page. Two fingers always zoom. */
    const fingers = new Map();
    let dragged = false;
    let pinch = 0;

    function drag(dx, dy, finger) {
      const unit = place(0, 0)[2];
      const beyond = look.y - dy * unit;
      look.x -= dx * unit;
      look.y = beyond;
      draw();
      const rest = (beyond - look.y) / unit;
      if (finger && Math.abs(rest) >= 1) window.scrollBy(0, rest);
    }

    view.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      if (!fingers.size) dragged = false;
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, sx: event.clientX, sy: event.clientY });
      pinch = 0;
    });
    view.addEventListener("pointermove", (event) => {
      const finger = fingers.get(event.pointerId);
      if (!finger) return;
      const [dx, dy] = [event.clientX - finger.x, event.clientY - finger.y];
      const slipped = Math.hypot(event.clientX - finger.sx, event.clientY - finger.sy) > SLACK;
      if (fingers.size === 1 && !dragged && !slipped) return;
      Object.assign(finger, { x: event.clientX, y: event.clientY });
      if (fingers.size === 1) {
        if (look.scale <= 1.001) return;
        cancelAnimationFrame(tween);
        if (!dragged) view.setPointerCapture(event.pointerId);
        dragged = true;
        drag(dx, dy, event.pointerType === "touch");
        return;
      }
      dragged = true;
      const [one, other] = [...fingers.values()];
      const apart = Math.hypot(one.x - other.x, one.y - other.y);
      if (pinch) zoomAt((one.x + other.x) / 2, (one.y + other.y) / 2, apart / pinch);
      pinch = apart;
      drag(dx / 2, dy / 2, false);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      view.addEventListener(end, (event) => {
        fingers.delete(event.pointerId);
        pinch = 0;
      });
    }
    view.addEventListener("pointerleave", (event) => {
      if (!view.hasPointerCapture(event.pointerId)) fingers.delete(event.pointerId);
    });
    /* Where the page can scroll, a wheel zooms only who has chosen the board, or holds Ctrl as a pinch on a touchpad does. */
    view.addEventListener(
      "wheel",
      (event) => {
        const page = document.documentElement;
        const scrolls = page.scrollHeight > page.clientHeight + 1;
        const chosen = !scrolls || event.ctrlKey || event.metaKey || look.scale > 1.001 || view.contains(document.activeElement);
        if (!chosen || (event.deltaY > 0 && look.scale <= 1.001 && !event.ctrlKey)) return;
        event.preventDefault();
        const notch = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
        zoomAt(event.clientX, event.clientY, Math.exp(clamp(-event.deltaY * notch, -240, 240) * (event.ctrlKey ? 0.008 : 0.0022)));
      },
      { passive: false },
    );

    /* Whether the last press was a drag, which no click shall follow; asked once. */
    function wasDragged() {
      const answer = dragged;
      dragged = false;
      return answer;
    }

    return { draw, fit, zoom, reveal, place, wasDragged };
  };
})();
