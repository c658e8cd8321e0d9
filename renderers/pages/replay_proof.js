// A roll worked out again in this page, from the salt and what everybody gave (the protocol pd1, sections 2.2 to 2.4), and by hand.
(() => {
  "use strict";

  const { fill, make } = window.pbemStory;
  const RANGE = 2 ** 32;
  const bytes = (text) => new TextEncoder().encode(text);
  const hex = (buffer) => Array.from(new Uint8Array(buffer), (one) => one.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => new Uint8Array((text.match(/../g) || []).map((pair) => parseInt(pair, 16)));
  const digests = () => (window.crypto && window.crypto.subtle) || null;

  const sha256 = async (text) => hex(await digests().digest("SHA-256", bytes(text)));

  async function hmac(key, text) {
    const imported = await digests().importKey("raw", unhex(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return hex(await digests().sign("HMAC", imported, bytes(text)));
  }

  const sorted = (object) => Object.keys(object).sort();
  const saltText = (proof) => `pd1/salt\n${proof.game}\n${proof.manifest}\n${sorted(proof.joins).map((seat) => `${seat} ${proof.joins[seat]}\n`).join("")}`;
  const seedText = (proof, slot) =>
    `pd1/seed\n${proof.game}\n${slot.slot}\ngm ${slot.gm}\n${sorted(slot.seats).map((seat) => `${seat} ${slot.seats[seat]}\n`).join("")}beacon ${slot.beacon}\n`;
  const luckText = (proof, slot, seat) => `pd1/luck\n${proof.game}\n${seat}\n${slot.slot}\n${slot.luck[seat]}\n`;
  const dieText = (label, sides, i, ctr) => `pd1/die\n${label}\n${sides}\n${i}\n${ctr}\n`;

  // Every seed up to that of a slot, each from the one before; the first key is the salt.
  async function seedOf(proof, number) {
    let key = await sha256(saltText(proof));
    let made = null;
    for (const slot of proof.slots) {
      const luck = {};
      for (const seat of sorted(slot.luck)) luck[seat] = await sha256(luckText(proof, slot, seat));
      const seed = await hmac(key, seedText(proof, slot));
      const holds = seed === slot.seed && sorted(luck).every((seat) => luck[seat] === slot.seats[seat]);
      made = { slot, key, seed, holds: holds && (made === null || made.holds), before: made ? made.slot.slot : 0, luck };
      if (slot.slot === number) return made;
      key = seed;
    }
    return null;
  }

  async function dieOf(seed, label, sides, i) {
    const bound = Math.floor(RANGE / sides) * sides;
    const refused = [];
    for (let ctr = 0; ctr < 1000; ctr++) {
      const digest = await hmac(seed, dieText(label, sides, i, ctr));
      for (let place = 0; place < 64; place += 8) {
        const word = parseInt(digest.slice(place, place + 8), 16);
        if (word < bound) return { ctr, digest, word, bound, refused, value: (word % sides) + 1 };
        refused.push(`0x${digest.slice(place, place + 8)}`);
      }
    }
    throw new Error("no die");
  }

  // Work out a roll; null where this browser reckons no digests.
  async function workedOut(proof, [label, sides, values, slot]) {
    if (!digests()) return null;
    const origin = await seedOf(proof, slot);
    if (origin === null || !(sides >= 2 && sides <= RANGE)) return { origin: null, dice: [], agrees: false, values: [] };
    const dice = [];
    for (let i = 0; i < values.length; i++) dice.push(await dieOf(origin.seed, label, sides, i));
    const found = dice.map((die) => die.value);
    return { origin, dice, values: found, agrees: origin.holds && found.join() === values.join() };
  }

  const printf = (text) => `printf '${text.replace(/\n/g, "\\n")}'`;

  function openssl(seed, label, sides, dice, count) {
    const lines = [];
    for (let i = 0; i < count; i++) {
      const text = dieText(label, sides, i, dice.length ? dice[i].ctr : 0);
      lines.push(`${printf(text)} | openssl dgst -sha256 -mac HMAC -macopt hexkey:${seed}`);
    }
    return lines.join("\n");
  }

  function facts(rows) {
    const list = make("dl");
    for (const [name, value, ...kind] of rows) if (value !== "" && value !== undefined) list.append(make("dt", name), make("dd", String(value), ...kind));
    return list;
  }

  function code(text, words) {
    const box = make("div", "", "code");
    const pre = make("pre", text);
    pre.tabIndex = 0;
    const copy = make("button", words.copy, "quiet");
    copy.type = "button";
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(text);
        copy.textContent = words.copied;
      } catch {
        const range = document.createRange();
        range.selectNodeContents(pre);
        const chosen = window.getSelection();
        chosen.removeAllRanges();
        chosen.addRange(range);
      }
    });
    box.append(pre, copy);
    return box;
  }

  function* seedParts(proof, origin, words) {
    const { slot } = origin;
    yield make("h3", fill(words.seed, { slot: slot.slot }));
    yield make("p", words["seed-lines"]);
    yield make("pre", seedText(proof, slot));
    for (const seat of sorted(slot.luck)) {
      yield make("p", fill(words.luck, { seat, words: slot.luck[seat], value: slot.seats[seat] }));
    }
    yield facts([
      ...sorted(slot.stands).map((seat) => [seat, slot.stands[seat], "bare"]),
      [words.key, origin.key, "bare"],
      [words["just-now"], origin.seed, "bare"],
      [words.published, slot.seed, "bare"],
    ]);
    if (origin.before) yield make("p", fill(words.chain, { slot: origin.before }));
    yield make("p", words.salt);
    yield make("pre", saltText(proof));
    if (!origin.holds) yield make("p", words["seed-differs"], "bad");
  }

  function* dieParts(roll, die, i, words) {
    const [label, sides] = roll;
    yield make("h3", roll[2].length > 1 ? fill(words.die, { n: i + 1 }) : words.word);
    const refused = die.refused.length ? fill(words.refused, { bound: die.bound, words: die.refused.join(", ") }) : "";
    const word = `0x${die.digest.slice((die.refused.length % 8) * 8, (die.refused.length % 8) * 8 + 8)}`;
    const sum = fill(words.arithmetic, { word, number: die.word, bound: die.bound, sides, value: die.value });
    yield facts([[words.message, dieText(label, sides, i, die.ctr).trim().split("\n").join(" ⏎ "), "bare"], [words.digest, die.digest, "bare"]]);
    if (refused) yield make("p", refused);
    yield make("p", sum, "sum");
  }

  // Put the proof of a roll into an element.
  async function show(into, data, roll) {
    const { words, proof } = data;
    const [label, sides, values, slot, told] = roll;
    const published = proof.slots.find((one) => one.slot === slot);
    into.replaceChildren(make("p", words.working));
    const found = await workedOut(proof, roll);
    const verdict = make("p", words["no-crypto"], "verdict");
    verdict.id = "verdict";
    if (found) {
      verdict.classList.add(found.agrees ? "good" : "bad");
      const [said, again] = [values.join(", "), found.values.join(", ")];
      verdict.textContent = found.agrees ? fill(words.agrees, { values: again }) : fill(words.differs, { said, values: again || "–" });
    }
    const parts = [verdict, facts([
      [words.label, label, "bare"],
      [words.values, fill(words["dice-of"], { sides, values: values.join(" + ") })],
      ...["table", "column", "base", "modifiers", "row", "result", "rule"].map((key) => [words[key], told[key]]),
    ])];
    if (found && found.origin) {
      found.dice.forEach((die, i) => parts.push(...dieParts(roll, die, i, words)));
      parts.push(...seedParts(proof, found.origin, words));
    }
    parts.push(make("h3", words["by-hand"]));
    if (published) {
      parts.push(make("p", fill(words["by-hand-die"], { sides })));
      parts.push(code(openssl(published.seed, label, sides, found ? found.dice : [], values.length), words));
    }
    parts.push(make("p", words["verify-roll"]), code(`pbem roll ${proof.archive} ${slot} ${label}`, words));
    parts.push(make("p", words.verify), code(`pbem verify ${proof.archive}`, words), facts([[words.head, proof.head, "bare"]]));
    into.replaceChildren(...parts);
  }

  window.pbemProof = { show, workedOut };
})();
