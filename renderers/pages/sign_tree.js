// Trees and chains of values (pd1.1 and pd1.0), built in the page. Window-global: pbemSign.tree, pbemSign.chained.
//
// A browser's own SHA-256 answers later, each of 50,000 times; so there is one here that answers at once. A tree is built in slices, between
// which the page can draw and be touched.
//
//   tree(secret, game, who, tell) -> {root, value(slot), path(slot, last)}   secret: 32 bytes; tell(part) is told how much is done, 0 to 1
//   chained(secret, game, who, tell) -> {anchor, value(slot)}                the chain of a game that was begun with pd1.0
(() => {
  "use strict";

  const { hex, utf8 } = window.pbemSign;
  const DEPTH = 14;
  const LEAVES = 1 << DEPTH;
  const LENGTH = 10000; // of a chain
  const SLICE = 512;
  const DIGITS = Array.from("0123456789abcdef", (sign) => sign.charCodeAt(0));

  // --- SHA-256: its constants are the fractions of the roots of the first primes

  const PRIMES = [];
  for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
  const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
  const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
  const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
  const W = new Int32Array(64);

  function mix(state, bytes, from) {
    for (let i = 0, at = from; i < 16; i += 1, at += 4) W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    for (let i = 16; i < 64; i += 1) {
      const p = W[i - 15];
      const q = W[i - 2];
      const s = ((p >>> 7) | (p << 25)) ^ ((p >>> 18) | (p << 14)) ^ (p >>> 3);
      const t = ((q >>> 17) | (q << 15)) ^ ((q >>> 19) | (q << 13)) ^ (q >>> 10);
      W[i] = (W[i - 16] + s + W[i - 7] + t) | 0;
    }
    let a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
    for (let i = 0; i < 64; i += 1) {
      const s = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const one = (h + s + ((e & f) ^ (~e & g)) + CONSTANTS[i] + W[i]) | 0;
      const t = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const two = (t + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + one) | 0; d = c; c = b; b = a; a = (one + two) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d; state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }

  const STATE = new Int32Array(8);
  const ROOM = 128; // bytes behind a text, for what ``digest`` writes there

  // Puts the hash of the first bytes into ``out``; ``begun`` is the state after ``before`` bytes that came earlier. Behind them the text ends
  // as SHA-256 wants it, so there has to be room.
  function digest(begun, before, bytes, length, out, place) {
    for (let i = 0; i < 8; i += 1) STATE[i] = begun[i];
    const end = (length + 72) & ~63;
    const bits = (before + length) * 8;
    bytes[length] = 128;
    for (let at = length + 1; at < end - 4; at += 1) bytes[at] = 0;
    for (let i = 1; i <= 4; i += 1) bytes[end - i] = bits >>> (8 * (i - 1));
    for (let at = 0; at < end; at += 64) mix(STATE, bytes, at);
    for (let i = 0; i < 8; i += 1) {
      const at = place + 4 * i;
      out[at] = STATE[i] >>> 24;
      out[at + 1] = STATE[i] >>> 16;
      out[at + 2] = STATE[i] >>> 8;
      out[at + 3] = STATE[i];
    }
  }

  // The two states with which every HMAC of a key of at most 64 bytes begins.
  function halves(key) {
    return [0x36, 0x5c].map((pad) => {
      const block = new Uint8Array(64).fill(pad);
      key.forEach((byte, at) => { block[at] ^= byte; });
      const state = Int32Array.from(START);
      mix(state, block, 0);
      return state;
    });
  }

  // Writes 32 bytes as hex digits.
  function spell(bytes, from, out, at) {
    for (let i = 0; i < 32; i += 1) {
      out[at + 2 * i] = DIGITS[bytes[from + i] >> 4];
      out[at + 2 * i + 1] = DIGITS[bytes[from + i] & 15];
    }
  }

  // A text that begins always alike: ``begin`` bytes stay, then ``put`` writes a number or a hash and returns where it ends.
  function line(begin) {
    const start = utf8(begin).length;
    const bytes = new Uint8Array(start + 2 * 72 + ROOM);
    bytes.set(utf8(begin));
    const number = (at, value) => {
      const text = String(value);
      for (let i = 0; i < text.length; i += 1) bytes[at + i] = text.charCodeAt(i);
      bytes[at + text.length] = 10;
      return at + text.length + 1;
    };
    const hash = (at, of, from) => {
      spell(of, from, bytes, at);
      bytes[at + 64] = 10;
      return at + 65;
    };
    return { bytes, start, number, hash };
  }

  const rest = () => new Promise((done) => { setTimeout(done, 0); });

  // Does a step ``count`` times, and lets the page live in between.
  async function inSlices(count, step, tell) {
    for (let i = 0; i < count; i += 1) {
      step(i);
      if (i % SLICE === SLICE - 1) {
        tell((i + 1) / count);
        await rest();
      }
    }
  }

  function valuesOf(secret, game, who) {
    const [inner, outer] = halves(secret);
    const text = line(`pd1/value\n${game}\n${who}\n`);
    const half = new Uint8Array(32 + ROOM);
    return (slot, out, place) => {
      digest(inner, 64, text.bytes, text.number(text.start, slot), half, 0);
      digest(outer, 64, half, 32, out, place);
    };
  }

  async function tree(secret, game, who, tell = () => {}) {
    const value = valuesOf(secret, game, who);
    const levels = Array.from({ length: DEPTH + 1 }, (_, level) => new Uint8Array((LEAVES >> level) * 32));
    const leaf = line(`pd1/leaf\n${game}\n${who}\n`);
    const node = line("pd1/node\n");
    const x = new Uint8Array(32);
    await inSlices(LEAVES, (slot) => {
      value(slot, x, 0);
      digest(START, 0, leaf.bytes, leaf.hash(leaf.number(leaf.start, slot), x, 0), levels[0], slot * 32);
      // A node is made as soon as both that hang from it are there.
      for (let level = 0; slot >> level & 1; level += 1) {
        const right = slot >> level;
        const end = node.hash(node.hash(node.start, levels[level], (right - 1) * 32), levels[level], right * 32);
        digest(START, 0, node.bytes, end, levels[level + 1], (right >> 1) * 32);
      }
    }, tell);
    return {
      root: hex(levels[DEPTH]),
      value(slot) {
        value(slot, x, 0);
        return hex(x);
      },
      // The hashes that go with the value of a slot where that of ``last`` was the one given before (null: none was).
      path(slot, last) {
        const length = last === null ? DEPTH : 31 - Math.clz32(slot ^ last);
        return Array.from({ length }, (_, level) => {
          const at = (slot >> level ^ 1) * 32;
          return hex(levels[level].subarray(at, at + 32));
        });
      },
    };
  }

  async function chained(secret, game, who, tell = () => {}) {
    const [inner, outer] = halves(secret);
    const top = line(`pd1/chain-top\n${game}\n${who}\n${LENGTH}\n`);
    const half = new Uint8Array(32 + ROOM);
    const all = new Uint8Array(32 * (LENGTH + 1));
    digest(inner, 64, top.bytes, top.start, half, 0);
    digest(outer, 64, half, 32, all, 32 * LENGTH);
    const text = line(`pd1/chain\n${game}\n${who}\n`);
    await inSlices(LENGTH, (i) => {
      const k = LENGTH - i;
      digest(START, 0, text.bytes, text.hash(text.number(text.start, k), all, 32 * k), all, 32 * (k - 1));
    }, tell);
    const value = (slot) => hex(all.subarray(32 * slot, 32 * slot + 32));
    return { anchor: value(0), value };
  }

  Object.assign(window.pbemSign, { tree, chained });
})();
