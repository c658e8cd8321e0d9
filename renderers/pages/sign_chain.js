// Values of the joint profile in the browser: the chain of a key, when a value may leave (R8), the join and the go.
//
// The chain of a key for a game and a seat follows from the private key itself, so the key file is all that a player has to keep. It can
// be used where the seat has joined with it (pbemSign.join makes that letter). A seat that joined with `pbem join` has a chain of its own
// on that computer: its file SEAT.chain can be given as ``secret`` (64 hex digits), else the page signs drafts.
//
//   chain(fingerprint, game, seat, secret) -> {anchor}   built once for a page, 10,000 links
//   value(fingerprint, place, secret)      -> x          for the order file; place = {game, slot, seat, head, records}
//   join(fingerprint, {game, seat, manifest, profile, words}, secret) -> text   the letter that the umpire gives to `pbem admit`
//   go(fingerprint, {game, slot, seat, lock, records, luck}, secret)  -> text   the letter that answers a lock, for `pbem submit`
//
// ``records`` are the records of the ledger as [[text, armored signature], …], from the manifest on. A value leaves only for the slot that
// the newest of them opens, after the page has seen: each record is signed by the key in the manifest and names the one before it; the
// start names this seat's join with the anchor of this very chain; the chain leads to the value last given. What was given for what is
// noted, and the newest record: a history that leaves out what this browser has seen is refused. Who signs two histories has proved it.
//
// Codes: sign-chain-form sign-ledger sign-ledger-signature sign-rekeyed sign-other-chain sign-not-open sign-given sign-forked
(() => {
  "use strict";

  const { fault, hex, inHand, joined, sha256, sign, stored, unhex, utf8, verify, words } = window.pbemSign;
  const LENGTH = 10000;
  const built = new Map(); // whose chain -> its values, the anchor first

  async function secretOf(fingerprint, game, seat, secret) {
    if (secret !== null && secret !== undefined) {
      if (!/^[0-9a-f]{64}$/.test(String(secret).trim())) throw fault("sign-chain-form");
      return unhex(String(secret).trim());
    }
    const { root } = await inHand(fingerprint);
    return new Uint8Array(await crypto.subtle.sign("HMAC", root, utf8(`pbem/chain\n${game}\n${seat}\n`)));
  }

  async function values(fingerprint, game, seat, secret) {
    const bytes = await secretOf(fingerprint, game, seat, secret);
    const whose = hex(await sha256(joined(bytes, `${game}\n${seat}`)));
    if (!built.has(whose)) {
      const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      const top = new Uint8Array(await crypto.subtle.sign("HMAC", key, utf8(`pd1/chain-top\n${game}\n${seat}\n${LENGTH}\n`)));
      const chain = new Array(LENGTH + 1);
      chain[LENGTH] = hex(top);
      for (let k = LENGTH; k > 0; k -= 1) chain[k - 1] = hex(await sha256(utf8(`pd1/chain\n${game}\n${seat}\n${k}\n${chain[k]}\n`)));
      built.set(whose, chain);
    }
    return built.get(whose);
  }

  async function chain(fingerprint, game, seat, secret = null) {
    return { anchor: (await values(fingerprint, game, seat, secret))[0] };
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

  async function join(fingerprint, { game, seat, manifest, profile, words: said = "yes, I play" }, secret = null) {
    const record = { type: "join", game, seat, manifest };
    if (profile === "gm") record.words = said.normalize("NFC").replace(/\s+/gu, " ").trim();
    else record.anchor = (await values(fingerprint, game, seat, secret))[0];
    return letter(fingerprint, `pd1-join/${game}/${seat}`, record);
  }

  // --- the history that asks for a value

  // Goes through the records and returns them, their ids and their manifest; fails where they are not one signed history.
  async function history(game, records) {
    if (!Array.isArray(records) || records.length < 2) throw fault("sign-ledger");
    const read = [];
    const ids = [];
    for (const [text, signature] of records) {
      const bytes = utf8(text);
      let record;
      try {
        record = JSON.parse(text);
      } catch {
        throw fault("sign-ledger");
      }
      const place = read.length;
      const right = record.game === game && record.n === place + 1 && (record.type === "manifest") === (place === 0);
      if (!right || (place > 0 && record.prev !== ids[place - 1])) throw fault("sign-ledger");
      if (record.type === "rekey") throw fault("sign-rekeyed");
      const gm = place === 0 ? record.key : read[0].key;
      if (!(await verify(gm, `pd1-gm/${game}`, bytes, signature))) throw fault("sign-ledger-signature", { record: place + 1 });
      read.push(record);
      ids.push(hex(await sha256(bytes)));
    }
    return { read, ids };
  }

  // Fails unless the seat joined this game with the anchor of this chain.
  async function joinedWith({ read, ids }, game, seat, anchor) {
    const own = hex(await sha256(canonical({ type: "join", game, seat, manifest: ids[0], anchor })));
    const start = read.find(({ type }) => type === "start");
    if (!start || !start.joins.some((one) => one.seat === seat && one.join === own)) throw fault("sign-other-chain", { seat });
  }

  // Fails where this browser has seen a record of this game that is not in the history, and notes the newest.
  async function noFork(game, ids) {
    const before = (await stored("heads", "readonly", (store) => store.get(game)))?.result;
    if (before && !ids.includes(before)) throw fault("sign-forked", { head: before.slice(0, 16) });
    await stored("heads", "readwrite", (store) => store.put(ids[ids.length - 1], game));
  }

  // Fails where the value of a slot left for something else before, and notes for what it leaves now.
  async function once(game, seat, slot, context) {
    const key = `${game}/${seat}/${slot}`;
    const before = (await stored("given", "readonly", (store) => store.get(key)))?.result;
    if (before && before !== context) throw fault("sign-given", { slot });
    await stored("given", "readwrite", (store) => store.put(context, key));
  }

  async function leaves(fingerprint, { game, slot, seat, records }, secret, allowed) {
    const all = await values(fingerprint, game, seat, secret);
    const found = await history(game, records);
    const newest = found.read.length - 1;
    if (!allowed(found.read[newest], found.ids[newest])) throw fault("sign-not-open", { slot });
    await joinedWith(found, game, seat, all[0]);
    await noFork(game, found.ids);
    await once(game, seat, slot, found.ids[newest]);
    return all[slot];
  }

  // The value of the slot that the newest record opens, where it belongs into the order file.
  async function value(fingerprint, place, secret = null) {
    const opens = ({ next }, id) => Boolean(next) && next.slot === place.slot && next.value === "early" && next.waits.includes(place.seat) && id === place.head;
    return leaves(fingerprint, place, secret, opens);
  }

  // The answer to a lock that asks this seat: its value, or the words given, where the seat has no chain.
  async function go(fingerprint, place, secret = null) {
    const { game, slot, seat, lock, luck = null } = place;
    const asks = (record, id) => record.type === "lock" && record.slot === slot && id === lock && record.entries.some((one) => one.seat === seat && one.x === "go");
    const record = { type: "go", game, seat, slot, lock };
    if (luck === null) record.x = await leaves(fingerprint, place, secret, asks);
    else record.luck = words(luck);
    return letter(fingerprint, `pd1-go/${game}/${slot}/${seat}/${lock}`, record);
  }

  Object.assign(window.pbemSign, { chain, value, join, go });
})();
