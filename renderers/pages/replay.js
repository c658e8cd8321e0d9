// A game moment by moment: the board, the story beside it, play, step and scrub, by mouse, finger and keys, and links to a moment.
(() => {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const { fill, make, listed, story } = window.pbemStory;
  const { words } = data;
  const at = (id) => document.getElementById(id);
  const { moments, turns } = listed(data);
  const last = moments.length - 1;
  const PACE = 1600;
  const SPEEDS = [0.5, 1, 2, 4, 8];
  const FAST = 1400;

  let now = -1;
  let timer = 0;
  let pace = PACE;
  let noted = 0;

  const board = window.pbemBoard(at("board"), data.board);
  const narrow = window.matchMedia("(max-width: 820px)");
  let follows = narrow.matches;

  // What is said of a moment: where it is in the game, and what happened.
  function placed(index) {
    const moment = moments[index];
    if (moment.phase < 0) return words.start;
    return fill(words.at, { phase: data.phases[moment.phase].title, n: index, of: last });
  }

  function told(index) {
    const moment = moments[index];
    return moment.who ? `${fill(words.said, { who: moment.who })}: ${moment.text}` : moment.text;
  }

  function go(index) {
    const wanted = Math.max(0, Math.min(last, index));
    if (wanted === now) return;
    const next = wanted === now + 1;
    now = wanted;
    board.show(now, { glide: next && (!timer || pace >= FAST / 4) });
    const cells = hexes(moments[now].cells);
    board.mark("now", cells.length ? [{ cells, class: "now" }] : []);
    if (follows && cells.length) board.focus({ cells });
    trail();
    telling.mark(now);
    at("asked").textContent = "";
    const place = placed(now), text = told(now);
    at("where").textContent = place;
    at("now").textContent = now ? text : "";
    at("scrub").value = String(now);
    at("scrub").setAttribute("aria-valuetext", place);
    at("turns").value = String(Math.max(0, moments[now].turn));
    if (!timer || pace >= FAST) at("live").textContent = now ? `${place}. ${text}` : place;
    for (const [id, off] of [["turn-back", now === 0], ["phase-back", now === 0], ["event-back", now === 0],
      ["event-on", now === last], ["phase-on", now === last], ["turn-on", now === last]]) at(id).setAttribute("aria-disabled", String(off));
    clearTimeout(noted);
    noted = setTimeout(note, 400);
  }

  const hexes = (places) => places.map((place) => data.board.cells[place][0]);

  // Where others went in this phase before.
  function trail() {
    const { phase } = moments[now];
    board.clear("trail");
    for (let i = phase < 0 ? now : data.phases[phase].first; i < now; i++) {
      const { way } = moments[i];
      if (way.length) board.way("trail", hexes(way), { class: "trail" });
    }
  }

  // Keep the address of the moment, so that it can be copied; browsers allow this only so often.
  function note() {
    const { slot, number } = moments[now];
    const hash = number ? `#s${slot}.e${number}` : `#s${slot}`;
    if (hash !== location.hash) {
      try {
        history.replaceState(null, "", hash);
      } catch {
        // A browser that minds keeps the address it has.
      }
    }
  }

  // The moment an address names: the event of a slot, or the first of the slot; -1 where there is none.
  function named(hash) {
    const found = /^#s(\d{1,5})(?:\.e(\d{1,6}))?$/.exec(hash);
    if (!found) return -1;
    const [slot, number] = [Number(found[1]), found[2] === undefined ? 0 : Number(found[2])];
    if (slot === moments[0].slot && number === 0) return 0;
    let best = -1;
    for (let i = 0; i <= last; i++) if (moments[i].slot === slot && (best < 0 || moments[i].number <= number)) best = i;
    return best;
  }

  const firsts = { event: moments.map((_, i) => i), phase: [0, ...data.phases.map((phase) => phase.first)], turn: [0, ...turns.map((turn) => turn.first)] };

  function step(by, way) {
    pause();
    const starts = firsts[by];
    if (way > 0) go(starts.find((first) => first > now) ?? last);
    else go(starts.filter((first) => first < now).pop() ?? 0);
  }

  function shown() {
    const label = timer ? words.pause : words.play;
    at("play").setAttribute("aria-label", label);
    at("play").title = label;
    document.body.classList.toggle("playing", Boolean(timer));
  }

  function pause() {
    if (!timer) return;
    clearInterval(timer);
    timer = 0;
    shown();
  }

  function play() {
    if (timer) return pause();
    if (now === last) go(0);
    timer = setInterval(() => (now < last ? go(now + 1) : pause()), pace);
    shown();
    return undefined;
  }

  function paced(times) {
    pace = PACE / times;
    if (timer) {
      pause();
      play();
    }
  }

  function following(wanted) {
    follows = wanted;
    at("follow").setAttribute("aria-pressed", String(follows));
    const { cells } = moments[now];
    if (follows && cells.length) board.focus({ cells: hexes(cells) });
    else board.fit();
  }

  // What stands on a hex that was clicked, and what the hex is.
  function asked({ cell }) {
    const ground = board.cell(cell);
    const there = board.at(cell).map((one) => one.words.slice(one.words.indexOf(": ") + 1).trim()).filter(Boolean);
    at("asked").textContent = [`${cell}${ground.words ? `: ${ground.words}` : ""}`, ...there].join(". ");
  }

  // The sheets: the proof of a roll, and the keys.
  let opener = null;

  function open(dialog, by) {
    pause();
    opener = by || document.activeElement;
    dialog.showModal();
    dialog.querySelector(".leaf").scrollTop = 0;
  }

  function prove(roll, by) {
    window.pbemProof.show(at("proof-body"), data, data.rolls[roll]);
    open(at("proof"), by);
  }

  for (const dialog of [at("proof"), at("keys")]) {
    dialog.querySelector(".close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
    dialog.addEventListener("close", () => opener && opener.isConnected && opener.focus());
  }

  function pressed(event) {
    if (event.defaultPrevented || document.querySelector("dialog[open]")) return;
    const on = event.target instanceof Element ? event.target : document.body;
    const chooses = on.closest("select, input:not(#scrub), textarea");
    if (chooses && event.key !== "?") return;
    const inBoard = Boolean(on.closest("#board"));
    const big = event.ctrlKey || event.altKey || event.metaKey;
    const by = big ? "turn" : event.shiftKey ? "phase" : "event";
    const does = {
      ArrowRight: () => !inBoard && step(by, 1),
      ArrowLeft: () => !inBoard && step(by, -1),
      PageDown: () => step("turn", 1),
      PageUp: () => step("turn", -1),
      Home: () => { pause(); go(0); },
      End: () => { pause(); go(last); },
      " ": () => !on.closest("button, a, summary") && !inBoard && play(),
      "?": () => open(at("keys")),
    }[event.key];
    if (does && does() !== false) event.preventDefault();
  }

  // What the page is made of.
  at("scrub").max = String(last);
  for (const turn of turns) {
    const tick = document.createElementNS("http://www.w3.org/2000/svg", "line");
    for (const [name, value] of [["x1", (turn.first / last) * 1000], ["x2", (turn.first / last) * 1000], ["y1", 0], ["y2", 8]]) tick.setAttribute(name, value);
    at("ticks").append(tick);
  }
  turns.forEach((turn, i) => at("turns").append(new Option(turn.title, String(i))));
  SPEEDS.forEach((times) => at("speed").append(new Option(fill(words["speed-times"], { times }), String(times), times === 1, times === 1)));
  const telling = story(at("story"), data, { moments, turns }, (index) => { pause(); go(index); }, prove);

  for (const by of Object.keys(firsts)) {
    at(`${by}-back`).addEventListener("click", () => step(by, -1));
    at(`${by}-on`).addEventListener("click", () => step(by, 1));
  }
  at("play").addEventListener("click", play);
  // A slider that is drawn along says more than can be drawn: the newest of each frame is enough.
  let drawn = 0;
  at("scrub").addEventListener("input", () => {
    pause();
    const wanted = Number(at("scrub").value);
    cancelAnimationFrame(drawn);
    drawn = requestAnimationFrame(() => go(wanted));
  });
  at("turns").addEventListener("change", () => { pause(); go(turns[Number(at("turns").value)].first); });
  at("speed").addEventListener("change", () => paced(Number(at("speed").value)));
  at("follow").addEventListener("click", () => following(!follows));
  at("help").addEventListener("click", () => open(at("keys"), at("help")));
  board.on("cell", asked);
  document.addEventListener("keydown", pressed);
  window.addEventListener("hashchange", () => { const index = named(location.hash); if (index >= 0) { pause(); go(index); } });

  shown();
  at("follow").setAttribute("aria-pressed", String(follows));
  go(Math.max(0, named(location.hash)));
  document.body.dataset.ready = "yes";
})();
