// Clicks about in a packet at random, always the same way for the same seed, and returns what came of it.
([seed, steps]) => {
  let state = seed;
  const chance = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const one = (list) => list[Math.floor(chance() * list.length)];
  const { pbemDesk: desk, pbemPacket: packet } = window;
  const { map } = desk.board;
  const all = (selector) => [...document.querySelectorAll(selector)].filter((found) => found.offsetParent !== null && !found.disabled);
  const press = (selector) => all(selector).length && one(all(selector)).click();
  const told = (target, name) => target.dispatchEvent(new Event(name, { bubbles: true }));
  const key = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  function cell(name) {
    const [clientX, clientY] = map.spot(name);
    const under = document.elementFromPoint(clientX, clientY);
    (under && map.element.contains(under) ? under : map.element).dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
  }

  function changed(selector, change, name) {
    desk.go("finish");
    const found = one([...document.querySelectorAll(selector)]);
    if (!found) return;
    change(found);
    told(found, name);
  }

  function chosen(list) {
    if (!list) return;
    list.selectedIndex = Math.floor(chance() * list.options.length);
    told(list, "change");
  }

  function filled(box) {
    if (!box) return;
    box.value = one(["3", "1", "0", "", one(desk.data.board.cells)[0], "9999", "'"]);
    told(box, "input");
  }

  // A second choice, a condition with what is done otherwise, for a line that there is.
  function added() {
    const lines = desk.model.phases.flatMap(({ heading }) => desk.model.lines(heading).filter((line) => line.w.length).map((line) => [heading, line.w[0]]));
    if (!lines.length) return;
    desk.go(...one(lines));
    document.querySelectorAll("#panel .more").forEach((box) => (box.open = true));
    chosen(one(all("#panel .more select")));
    all("#panel .slots input, #panel .slots select").forEach((box) => (box.tagName === "INPUT" ? filled(box) : chosen(box)));
    press("#panel [data-key=set-when]");
    chosen(one(all("#panel [data-key=otherwise]")));
  }

  // A way of one's own, of some hexes.
  function walked() {
    const walkers = desk.model.phases.flatMap(({ heading }) => desk.model.figures(heading).filter((who) => who && desk.more.way(who, heading)).map((who) => [heading, who]));
    if (!walkers.length) return;
    desk.go(...one(walkers));
    press("#walk");
    for (let step = 0; step < 3 && desk.walk; step += 1) {
      const next = one(desk.more.nexts());
      if (next) desk.more.step(next);
    }
    press("#walk-take");
  }

  // On a table: taps anywhere on it, and what stands beside it for a way and a look.
  function roamed() {
    if (!desk.data.roaming) return;
    const heading = desk.model.phases[0] && desk.model.phases[0].heading;
    if (!heading) return;
    if (chance() < 0.5) desk.go(heading, one(desk.data.roaming.who).who);
    const [wide, deep] = desk.data.roaming.size;
    for (let taps = 0; taps < 3; taps += 1) {
      const near = desk.roam.plane.figures.get(desk.who);
      const point = near && chance() < 0.8 ? near.at.map((part) => part + (chance() - 0.5) * 1800) : [chance() * wide, chance() * deep];
      const [x, y] = desk.roam.toScene(point);
      const [ox, oy, unit] = map.place(0, 0);
      const [clientX, clientY] = [(x - ox) / unit, (y - oy) / unit];
      const under = document.elementFromPoint(clientX, clientY);
      (under && map.element.contains(under) ? under : map.element).dispatchEvent(new MouseEvent("click", { bubbles: true, clientX, clientY }));
      if (chance() < 0.5) press("#panel .roam button");
      if (chance() < 0.2) chosen(one(all("#panel .roam select, #panel .march select")));
      if (chance() < 0.2) map.element.dispatchEvent(new KeyboardEvent("keydown", { key: one(["ArrowUp", "ArrowLeft"]), shiftKey: true, bubbles: true, cancelable: true }));
    }
  }

  // Several in formation: mates are pressed one after another, and the map is tapped.
  function formed() {
    const { roaming } = desk.data;
    if (!roaming || !roaming.touching.length || !desk.model.phases[0]) return;
    const party = one(roaming.touching).slice();
    const near = () => roaming.touching.filter((pair) => pair.some((who) => party.includes(who))).flat().find((who) => !party.includes(who));
    for (let who = near(); who && party.length < 3; who = near()) party.push(who);
    desk.go(desk.model.phases[0].heading, party[0]);
    all("#panel .march").forEach((box) => (box.open = true));
    if (chance() < 0.8) party.slice(1).forEach((who) => all("#panel .march .mate").filter((mate) => mate.dataset.key === `march ${who}`).forEach((mate) => mate.click()));
    else press("#panel .march .mate");
    chosen(one(all("#panel .march select")));
    const far = one(all("#panel .march input"));
    if (far && chance() < 0.7) {
      far.value = one(["3", "0.5", "6.25", "12", "", "-1"]);
      told(far, "change");
    } else roamed();
  }

  const ways = [
    [desk.data.roaming ? 14 : 0, roamed],
    [desk.data.roaming ? 1 : 0, () => press("#measure")],
    [desk.data.roaming ? 4 : 0, formed],
    [3, () => press("#steps button")],
    [6, () => press("#panel .figure")],
    [9, () => press("#panel .order")],
    [4, () => press("#panel .mate, #panel [data-key^=join]")],
    [3, () => press("#panel button:not(#restart, #copy, #share, #signing *)")],
    [2, () => press("#panel summary")],
    [4, () => press("#picked button")],
    [3, added],
    [1, walked],
    [6, () => chosen(one(all("#panel .more select, #panel .walk select")))],
    [1, () => filled(one(all("#panel .slots input")))],
    [1, () => [desk.go("finish"), press("#panel [data-key^=closing]")]],
    [10, () => document.querySelector(".board-mark") && cell(one([...document.querySelectorAll(".board-mark")]).dataset.cell)],
    [2, () => cell(one(desk.data.board.cells)[0])],
    [8, () => desk.model.phases.some((phase) => phase.heading === desk.at) && desk.choose(one(desk.model.figures(desk.at)) || "")],
    [1, () => document.getElementById("undo").click()],
    [1, () => key(document.body, "Escape")],
    [3, () => key(map.element, one(["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Enter", " ", "+", "-", "0", "PageDown", "Home"]))],
    [1, () => [desk.go("finish"), press("#panel .arrange button")]],
    [1, () => changed("#panel select", (list) => (list.selectedIndex = Math.floor(chance() * list.options.length)), "change")],
    [1, () => changed("#panel .words textarea", (box) => (box.value = one(["it's: #1", "- a\n- b: c", "\u202e</script>", "\u0000\u0007", "'", "ü 👩‍👩‍👧"])), "input")],
    [3, () => press("#panel .choice input")],
    [1, () => [document.getElementById("hand").click(), document.getElementById("back-to-clicks").click()]],
  ];
  const total = ways.reduce((sum, [often]) => sum + often, 0);
  for (let step = 0; step < steps; step += 1) {
    let rest = chance() * total;
    ways.find(([often]) => (rest -= often) < 0)[1]();
  }
  desk.go("finish");
  const yaml = document.getElementById("yaml").value;
  const levels = packet.checks(desk.model).map((found) => found.level === "wrong" || ["check-unknown", "check-both", "check-way", "check-later"].includes(found.key));
  desk.restart();
  localStorage.clear();
  return { yaml, warned: levels.includes(true) };
}
