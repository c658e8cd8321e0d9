// Values of the joint profile in the browser: when one may leave (R8), the join and the go. Window-global: pbemSign.
//
// The values of a seat come from a secret, and the secret of a key follows from the private key itself, so the key file is all that a player
// has to keep. It serves where the seat has joined with it (pbemSign.join makes that letter). A seat that joined with `pbem join` has a
// secret of its own on that computer: its file SEAT.chain can be given as ``secret`` (64 hex digits), else the page signs drafts.
//
//   fixes(fingerprint, {game, seat, revision}, secret, tell) -> {root} or {anchor}   what is published of the values; tell: see sign_tree.js
//   given(text)                                  -> text (sync)   a secret as its file has it; fails where it is none
//   value(fingerprint, place, secret, more)      -> {x, path, slot, last}   for the order file; place = {game, slot, seat, head, join, records}
//   join(fingerprint, {game, seat, manifest, revision, profile, words, recovery}, secret, more) -> text   the letter for `pbem admit`
//   go(fingerprint, {game, slot, seat, lock, join, records, luck}, secret, more) -> {letter, slot, last}    for `pbem submit`
//     more = {tell, means}: who is told how far the making of the values is; the slot that the player means, where it is far on
//
// ``join`` is the text of this seat's join, ``records`` are the records of the ledger as [[text, armored signature], …], from the manifest on.
// A value leaves only for the slot that the newest of them opens, after the page has seen: each record is signed by the umpire's key of that
// place and names the one before it; the start names this seat's join; that, or the last change of this seat's keys, fixes just these values.
// No value of this slot or a later one may have left for another history, and a history that leaves out what this browser has seen is
// refused. A slot that is far on, or before which some have passed the seat by, has to be meant. The page does not play the rules again.
//
// Codes: sign-chain-form sign-ledger sign-ledger-signature sign-other-chain sign-not-open sign-given sign-later sign-forked sign-far
(() => {
  "use strict";

  const { chained, fault, hex, inHand, sha256, sign, stored, tree, unhex, utf8, verify, words } = window.pbemSign;
  const FAR = 20; // so many slots after the last one given the next may be
  const PASSED = 3; // so many slots that waited for the seat and went by without it make it say which one it means
  const TAG = 16; // digits of what fixes the values since a change of keys that name them
  const built = new Map(); // whose values -> a promise of them

  function given(text) {
    const found = String(text).trim();
    if (!/^[0-9a-f]{64}$/.test(found)) throw fault("sign-chain-form");
    return found;
  }

  async function secretOf(fingerprint, game, seat, secret) {
    if (secret !== null && secret !== undefined) return unhex(given(secret));
    const { root } = await inHand(fingerprint);
    return new Uint8Array(await crypto.subtle.sign("HMAC", root, utf8(`pbem/chain\n${game}\n${seat}\n`)));
  }

  // The tree or the chain of a seat; built once for a page.
  async function made(make, fingerprint, game, seat, secret, tell) {
    const bytes = await secretOf(fingerprint, game, seat, secret);
    const whose = `${make.name} ${game} ${seat} ${hex(await sha256(bytes))}`;
    if (!built.has(whose)) built.set(whose, make(bytes, game, seat, tell));
    return built.get(whose);
  }

  async function fixes(fingerprint, { game, seat, revision }, secret = null, tell = () => {}) {
    if (revision === 1) return { anchor: (await made(chained, fingerprint, game, seat, secret, tell)).anchor };
    return { root: (await made(tree, fingerprint, game, seat, secret, tell)).root };
  }

  // The bytes of a record: keys in their order, nothing between them, one line.
  function canonical(record) {
    const sorted = Object.fromEntries(Object.keys(record).sort().map((key) => [key, record[key]]));
    return utf8(`${JSON.stringify(sorted)}\n`);
  }

  async function letter(fingerprint, use, record) {
    const bytes = canonical(record);
    return new TextDecoder().decode(bytes) + (await sign(fingerprint, use, bytes));
  }

  async function join(fingerprint, { game, seat, manifest, revision, profile, words: said = "yes, I play", recovery = null }, secret = null, { tell } = {}) {
    const record = { type: "join", game, seat, manifest };
    if (profile === "gm") record.words = said.normalize("NFC").replace(/\s+/gu, " ").trim();
    else Object.assign(record, await fixes(fingerprint, { game, seat, revision }, secret, tell));
    if (recovery !== null) record.recovery = recovery;
    return letter(fingerprint, `pd1-join/${game}/${seat}`, record);
  }

  // --- the history that asks for a value

  function parsed(text) {
    try {
      return JSON.parse(text);
    } catch {
      throw fault("sign-ledger");
    }
  }

  // Goes through the records and returns them with their ids; fails where they are not one signed history. A key of the umpire's counts
  // from the record after the one that brings it.
  async function history(game, records) {
    if (!Array.isArray(records) || records.length < 2) throw fault("sign-ledger");
    const read = [];
    const ids = [];
    let gm = parsed(records[0][0]).key;
    for (const [text, signature] of records) {
      const bytes = utf8(text);
      const record = parsed(text);
      const place = read.length;
      const right = record.game === game && record.n === place + 1 && (record.type === "manifest") === (place === 0);
      if (!right || (place > 0 && record.prev !== ids[place - 1])) throw fault("sign-ledger");
      if (!(await verify(gm, `pd1-gm/${game}`, bytes, signature))) throw fault("sign-ledger-signature", { record: place + 1 });
      if (record.type === "rekey" && record.of === "gm" && record.key) gm = record.key;
      read.push(record);
      ids.push(hex(await sha256(bytes)));
    }
    return { read, ids };
  }

  // What fixes the values that a seat gives now: its join, or the newest change of its keys that has come into force; and the slot of the
  // last value that was given of these.
  async function standing({ read, ids }, seat, joined) {
    const start = read.find(({ type }) => type === "start");
    const id = hex(await sha256(utf8(joined || "")));
    if (!start || !start.joins.some((one) => one.seat === seat && one.join === id)) throw fault("sign-other-chain", { seat });
    const { anchor = null, root = null, manifest } = parsed(joined);
    if (manifest !== ids[0]) throw fault("sign-ledger");
    let now = { anchor, root, at: 0, tag: "", last: null };
    let coming = null;
    read.forEach((record) => {
      if (record.type === "rekey" && record.of === seat && (record.root || record.anchor)) {
        coming = { anchor: record.anchor || null, root: record.root || null, at: record.from - 1, tag: (record.root || record.anchor).slice(0, TAG), last: null };
      }
      if (record.type === "result") {
        const value = record.values.find(({ who }) => who === seat);
        if (value && value.x && value.x !== "-") now.last = record.slot;
      }
      if (coming && ["result", "undo"].includes(record.type)) {
        now = coming;
        coming = null;
      }
    });
    return now;
  }

  // Fails unless the secret in hand makes the values that are fixed; returns that of a slot, with its path.
  async function ownValue(fingerprint, { game, seat, slot }, secret, now, tell) {
    if (now.root !== null) {
      const own = await made(tree, fingerprint, game, seat, secret, tell);
      if (own.root !== now.root) throw fault("sign-other-chain", { seat });
      return { x: own.value(slot), path: own.path(slot, now.last) };
    }
    const own = await made(chained, fingerprint, game, seat, secret, tell);
    if (now.anchor === null || own.value(now.at) !== now.anchor) throw fault("sign-other-chain", { seat });
    return { x: own.value(slot), path: [] };
  }

  // Fails where this browser has seen a record of this game that is not in the history.
  async function noFork(game, ids) {
    const before = (await stored("heads", "readonly", (store) => store.get(game)))?.result;
    if (before && !ids.includes(before)) throw fault("sign-forked", { head: before.slice(0, 16) });
  }

  // Fails where the value of a slot left for something else before, or that of a later one has left.
  async function once(whose, slot, context) {
    const before = (await stored("given", "readonly", (store) => store.get(`${whose}/${slot}`)))?.result;
    if (before && before !== context) throw fault("sign-given", { slot });
    const every = (await stored("given", "readonly", (store) => store.getAllKeys()))?.result || [];
    const later = every.filter((key) => key.startsWith(`${whose}/`)).map((key) => Number(key.slice(whose.length + 1)));
    if (Math.max(0, ...later) > slot) throw fault("sign-later", { slot, later: Math.max(...later) });
  }

  // Slots as a sentence has room for them.
  const listed = (slots) => (slots.length > 8 ? `${slots[0]} … ${slots[slots.length - 1]} (${slots.length})` : slots.join(", ") || "–");

  // Fails where a slot is far on, or some passed the seat by before it, unless it is the one that the player means.
  function notFar(read, seat, slot, last, means) {
    let waits = [];
    const locked = new Map();
    const passed = [];
    read.forEach((record) => {
      if (record.type === "lock") locked.set(record.slot, waits.includes(seat) && !record.entries.some((one) => one.seat === seat && one.sha512));
      const silent = record.type === "result" && record.values.some((one) => one.who === seat && one.x === "-");
      if (silent && locked.get(record.slot) && record.slot > last) passed.push(record.slot);
      // What was taken back has not passed by.
      if (record.type === "undo") while (passed.length && passed[passed.length - 1] >= record.to) passed.pop();
      if (["start", "result", "undo"].includes(record.type)) waits = record.next ? record.next.waits : [];
    });
    if (means !== slot && (slot - last > FAR || passed.length >= PASSED)) throw fault("sign-far", { slot, last: last || "–", passed: listed(passed) });
  }

  async function leaves(fingerprint, place, secret, { tell, means = null }, allowed) {
    const { game, slot, seat, join: joined, records } = place;
    const found = await history(game, records);
    let newest = found.read.length - 1; // a change of keys opens nothing and closes nothing
    while (newest > 0 && found.read[newest].type === "rekey") newest -= 1;
    if (!allowed(found.read[newest], found.ids[newest])) throw fault("sign-not-open", { slot });
    const now = await standing(found, seat, joined);
    const own = await ownValue(fingerprint, place, secret, now, tell);
    const whose = now.tag ? `${game}/${seat}.${now.tag}` : `${game}/${seat}`;
    await noFork(game, found.ids);
    await once(whose, slot, found.ids[newest]);
    notFar(found.read, seat, slot, now.last || 0, means);
    await stored("heads", "readwrite", (store) => store.put(found.ids[found.ids.length - 1], game));
    await stored("given", "readwrite", (store) => store.put(found.ids[newest], `${whose}/${slot}`));
    return { ...own, slot, last: now.last };
  }

  // The value of the slot that the newest record opens, where it belongs into the order file.
  async function value(fingerprint, place, secret = null, more = {}) {
    const opens = ({ next }, id) => Boolean(next) && next.slot === place.slot && next.value === "early" && next.waits.includes(place.seat) && id === place.head;
    return leaves(fingerprint, place, secret, more, opens);
  }

  // The answer to a lock that asks this seat: its value, or the words given, where the seat has fixed no values.
  async function go(fingerprint, place, secret = null, more = {}) {
    const { game, slot, seat, lock, luck = null } = place;
    const asks = (record, id) => record.type === "lock" && record.slot === slot && id === lock && record.entries.some((one) => one.seat === seat && one.x === "go");
    const record = { type: "go", game, seat, slot, lock };
    let said = {};
    if (luck === null) {
      const { x, path, last } = await leaves(fingerprint, place, secret, more, asks);
      Object.assign(record, path.length ? { x, path } : { x });
      said = { slot, last };
    } else record.luck = words(luck);
    return { letter: await letter(fingerprint, `pd1-go/${game}/${slot}/${seat}/${lock}`, record), ...said };
  }

  Object.assign(window.pbemSign, { fixes, given, value, join, go });
})();
