// The story of a game as a list: the sentences under the headings of their turn and phase, and which of them is shown now.
(() => {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";
  const MATTERS = 1, WROTE = 2;

  const fill = (text, args) => (text || "").replace(/\{([a-z_]+)\}/g, (slot, name) => (name in args ? String(args[name]) : slot));

  function make(tag, text, ...classes) {
    const made = document.createElement(tag);
    if (text !== undefined && text !== "") made.textContent = text;
    if (classes.length) made.className = classes.join(" ");
    return made;
  }

  // All moments in a row, each with where it stands; the first is the start, which is in no phase.
  function listed(data) {
    const moments = [{ slot: data.start, number: 0, text: data.words.start, roll: -1, cells: [], way: [], phase: -1, turn: -1 }];
    const turns = [];
    data.phases.forEach((phase, p) => {
      if (!turns.length || turns[turns.length - 1].title !== phase.turn) turns.push({ title: phase.turn, first: moments.length, phases: [] });
      const turn = turns.length - 1;
      turns[turn].phases.push(p);
      phase.first = moments.length;
      for (const [slot, number, text, roll, noted, cells, way, who] of phase.moments) {
        moments.push({ slot, number, text, roll, cells, way, phase: p, turn, matters: Boolean(noted & MATTERS), who: noted & WROTE ? who : "" });
      }
    });
    return { moments, turns };
  }

  function line(moment, index, data, told) {
    const item = make("li", "", "moment", ...(moment.matters ? ["matters"] : []), ...(moment.who ? ["wrote"] : []));
    const link = make("a", "", "told");
    link.href = `#s${moment.slot}.e${moment.number}`;
    link.tabIndex = -1;
    link.dataset.moment = index;
    if (moment.who) link.append(make("b", fill(data.words.said, { who: moment.who })), make("q", moment.text));
    else link.textContent = moment.text;
    item.append(link);
    if (moment.roll >= 0) {
      const [, sides, values] = data.rolls[moment.roll];
      const die = make("button", fill(data.words["dice-of"], { sides, values: values.join(" + ") }), "die");
      die.type = "button";
      die.tabIndex = -1;
      die.dataset.roll = moment.roll;
      die.setAttribute("aria-label", fill(data.words["dice-said"], { sides, values: values.join(", ") }));
      item.append(die);
    }
    told[index] = item;
    return item;
  }

  // The heading of a phase, with the colour of the side whose it is.
  function heading(phase, colours) {
    const made = make("h3", phase.title);
    const colour = colours[`side/${phase.side}`];
    if (!colour) return made;
    const box = document.createElementNS(SVG, "svg");
    const spot = document.createElementNS(SVG, "rect");
    for (const [name, value] of [["viewBox", "0 0 10 10"], ["aria-hidden", "true"], ["class", "whose"]]) box.setAttribute(name, value);
    for (const [name, value] of [["width", 10], ["height", 10], ["rx", 2], ["fill", colour]]) spot.setAttribute(name, value);
    box.append(spot);
    made.prepend(box);
    return made;
  }

  // Write the story into an element; `choose(index)` and `prove(roll)` are called for what is clicked.
  function story(into, data, { moments, turns }, choose, prove) {
    const told = [];
    const start = make("ol", "", "moments");
    start.append(line(moments[0], 0, data, told));
    into.append(start);
    for (const turn of turns) {
      const section = make("section", "", "turn");
      section.append(make("h2", turn.title));
      for (const p of turn.phases) {
        const phase = data.phases[p];
        const part = make("section", "", "phase");
        const list = make("ol", "", "moments");
        phase.moments.forEach((_, n) => list.append(line(moments[phase.first + n], phase.first + n, data, told)));
        part.append(heading(phase, data.board.colours), list);
        section.append(part);
      }
      into.append(section);
    }
    into.addEventListener("click", (event) => {
      const die = event.target.closest(".die");
      const link = event.target.closest(".told");
      if (die) prove(Number(die.dataset.roll), die);
      else if (link) choose(Number(link.dataset.moment));
      if (link) event.preventDefault();
    });
    let now = null;

    // What was never in sight has no height of its own yet, so the list is asked again once it has been drawn.
    function bring(item, times) {
      if (item !== now || times === 0) return;
      const box = into.getBoundingClientRect(), own = item.getBoundingClientRect();
      const margin = Math.min(box.height / 4, Math.max(0, (box.height - own.height) / 2));
      const seen = own.top >= box.top + margin && own.bottom <= box.bottom - margin;
      if (!seen) into.scrollTop += own.top - box.top - Math.max(margin, Math.min(box.height / 3, box.height - own.height));
      requestAnimationFrame(() => bring(item, times - 1));
    }

    return {
      // Mark one moment, and bring it into sight without moving anything but the list.
      mark(index) {
        if (now) {
          now.classList.remove("now");
          now.querySelector(".told").removeAttribute("aria-current");
          for (const one of now.children) one.tabIndex = -1;
        }
        now = told[index];
        now.classList.add("now");
        now.querySelector(".told").setAttribute("aria-current", "step");
        for (const one of now.children) one.tabIndex = 0;
        const item = now;
        requestAnimationFrame(() => bring(item, 6));
      },
    };
  }

  window.pbemStory = { fill, make, listed, story };
})();
