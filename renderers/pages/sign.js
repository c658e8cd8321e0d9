// Signing in the browser: keys of ed25519, signed order files, and the texts in which they travel. Window-global: pbemSign.
//
// Load in this order: sign.js, sign_tree.js, sign_values.js (values of the joint profile, join, go), sign_code.js (recovery codes), sign_panel.js
// (pbemSign.place, what a page shows; its looks are sign.css, under a node of the class ``signing``). What the page needs for it in ``data.signing`` is made by
// pbem/referee/pages/signing_page.py: signing_of(game, seat).
// All functions are async unless it says otherwise, take and give plain data, and fail with an Error that has a ``code`` and ``args``.
// The words for a code stand in pbem/words/en.yaml as ``packet.<code>`` and travel in the page's data; none stand here.
//
//   support()                -> {signs, keeps}    can this browser sign, and can it keep a key from one page to the next
//   make(comment)            -> key               a new key; key.file is its private key file, given this once: have it saved
//   load(text)               -> key               of an unencrypted private key file of OpenSSH; key.file is null
//   kept()                   -> [key]             the keys that this browser keeps for this page (Firefox keeps them for each file apart)
//   forget(fingerprint)                           takes one out of it again
//     key = {line: "ssh-ed25519 AAAA…", comment, fingerprint: "SHA256:…", file}; ``line`` is what `pbem new --seat` and join want
//   orders(header, yaml)     -> Uint8Array        the order file (sync); header = {game, slot, seat, head, luck, x, path, seen}, the last four or none
//   sign(fingerprint, namespace, bytes) -> text   SSHSIG, as ssh-keygen -Y sign writes it; bytes may be a text
//   signedOrders(fingerprint, header, yaml) -> {name, file, signature, armour, final}
//     ``file`` and ``signature`` are texts: saved as ``name`` and ``name``.sig they go to `pbem submit NAME`; ``armour`` is both in
//     one block of text for the body of a letter; ``final`` says whether a value or words are in it, else it is a draft (or, where
//     the slot takes none, all there is to send)
//   verify(line, namespace, bytes, armored) -> bool, sha256(bytes), hex, unhex, utf8, words(typed) (sync): for whoever signs more
//
// Codes: sign-no-context sign-no-ed25519 sign-no-key sign-key-form sign-key-locked sign-key-type sign-key-public sign-key-harmed
//   sign-form sign-too-long sign-luck-short sign-luck-long sign-luck-letters
(() => {
  "use strict";

  const MOST = 64 * 1024; // bytes of an order file
  const KEY_FILE = 16 * 1024; // characters of a key file, more than any has
  const TYPE = "ssh-ed25519";
  const BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----";
  const END = "-----END OPENSSH PRIVATE KEY-----";
  const ARMOUR = ["-----BEGIN PD1 ORDERS-----", "-----END PD1 ORDERS-----"];
  const SEAL = ["-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"];
  const MAGIC = "openssh-key-v1\0";
  const PKCS8 = new Uint8Array([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32]); // what stands before the 32 bytes of a key (RFC 8410)
  const GAME = /^[a-z0-9-]{8,40}$/;
  const SEAT = /^(?!(?:gm|early|go|none|player|beacon|drand)$)[a-z][a-z0-9]{0,15}$/;
  const HEX64 = /^[0-9a-f]{64}$/;
  const SEEN = /^[0-9a-f]{64} [1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;
  const SPACE = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu; // Unicode's White_Space, and nothing else

  const held = new Map(); // fingerprint -> {key, private, root}: what this page has in hand; the private parts cannot be read out

  function fault(code, args = {}) {
    return Object.assign(new Error(code), { code, args });
  }

  // --- bytes

  const utf8 = (text) => new TextEncoder().encode(text);
  const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
  const number = (value) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
  const same = (one, other) => one.length === other.length && one.every((byte, place) => byte === other[place]);

  function joined(...parts) {
    const listed = parts.map((part) => (typeof part === "string" ? utf8(part) : part));
    const all = new Uint8Array(listed.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    listed.forEach((part) => {
      all.set(part, at);
      at += part.length;
    });
    return all;
  }

  // Bytes with their length in front, as SSH writes them.
  const string = (part) => {
    const bytes = typeof part === "string" ? utf8(part) : part;
    return joined(number(bytes.length), bytes);
  };

  function base64(bytes) {
    let text = "";
    for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
    return btoa(text);
  }

  const unbase64 = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

  const lines = (text, width) => text.match(new RegExp(`.{1,${width}}`, "g")).join("\n");

  // Reads what ``string`` and ``number`` wrote; throws ``wrong`` where there is less than that.
  function reader(bytes, wrong) {
    let at = 0;
    const take = (length) => {
      if (bytes.length - at < length) throw wrong;
      at += length;
      return bytes.subarray(at - length, at);
    };
    const count = () => take(4).reduce((sum, byte) => sum * 256 + byte, 0);
    return { take, count, string: () => take(count()), rest: () => bytes.subarray(at) };
  }

  function crc32(bytes) {
    let crc = 0xffffffff;
    bytes.forEach((byte) => {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    });
    return (~crc >>> 0).toString(16).padStart(8, "0");
  }

  function subtle() {
    if (!window.crypto || !window.crypto.subtle) throw fault("sign-no-context");
    return window.crypto.subtle;
  }

  const sha256 = async (bytes) => new Uint8Array(await subtle().digest("SHA-256", bytes));

  // --- keys that the browser keeps

  // One thing to do with a store of this page; null where the browser keeps nothing for it.
  function stored(store, mode, act) {
    return new Promise((done) => {
      let request;
      try {
        request = window.indexedDB.open("pbem-sign", 1);
      } catch {
        done(null);
        return;
      }
      request.onupgradeneeded = () => ["keys", "given", "heads"].forEach((name) => request.result.createObjectStore(name));
      request.onerror = () => done(null);
      request.onblocked = () => done(null);
      request.onsuccess = () => {
        const base = request.result;
        try {
          const transaction = base.transaction(store, mode);
          const asked = act(transaction.objectStore(store));
          transaction.oncomplete = () => done({ result: asked.result });
          transaction.onerror = () => done(null);
          transaction.onabort = () => done(null);
        } catch {
          done(null);
        } finally {
          base.close();
        }
      };
    });
  }

  async function support() {
    try {
      await subtle().generateKey({ name: "Ed25519" }, false, ["sign", "verify"]);
    } catch (error) {
      return { signs: false, keeps: false, code: error.code === "sign-no-context" ? error.code : "sign-no-ed25519" };
    }
    return { signs: true, keeps: (await stored("keys", "readonly", (store) => store.count())) !== null };
  }

  async function ed25519(act) {
    try {
      return await act(subtle());
    } catch (error) {
      throw error.code && String(error.code).startsWith("sign-") ? error : fault("sign-no-ed25519");
    }
  }

  const blob = (open) => joined(string(TYPE), string(open));

  const lineOf = (open) => `${TYPE} ${base64(blob(open))}`;

  async function described(open, comment) {
    const print = base64(await sha256(blob(open))).replace(/=+$/, "");
    return { line: lineOf(open), comment, fingerprint: `SHA256:${print}`, file: null };
  }

  const tidy = (comment) => String(comment || "").replace(/[^ -~]/g, "").trim().slice(0, 60);

  // Take a key in hand: its 32 secret bytes go into keys of the browser that cannot be read out again.
  async function takeIn(seed, open, comment) {
    const key = await described(open, comment);
    const private_ = await ed25519((api) => api.importKey("pkcs8", joined(PKCS8, seed), { name: "Ed25519" }, false, ["sign"]));
    const root = await subtle().importKey("raw", await sha256(joined("pbem/chains-of-this-key\n", seed)), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    held.set(key.fingerprint, { key, private: private_, root });
    await stored("keys", "readwrite", (store) => store.put({ line: key.line, comment, private: private_, root }, key.fingerprint));
    return key;
  }

  async function make(comment) {
    const pair = await ed25519((api) => api.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]));
    const seed = new Uint8Array(await subtle().exportKey("pkcs8", pair.privateKey)).slice(PKCS8.length, PKCS8.length + 32);
    const open = new Uint8Array(await subtle().exportKey("raw", pair.publicKey));
    const key = await takeIn(seed, open, tidy(comment));
    return { ...key, file: keyFile(seed, open, tidy(comment)) };
  }

  function keyFile(seed, open, comment) {
    const check = crypto.getRandomValues(new Uint8Array(4));
    let inside = joined(check, check, string(TYPE), string(open), string(joined(seed, open)), string(comment));
    for (let pad = 1; inside.length % 8; pad += 1) inside = joined(inside, new Uint8Array([pad]));
    const whole = joined(MAGIC, string("none"), string("none"), string(""), number(1), string(blob(open)), string(inside));
    return `${BEGIN}\n${lines(base64(whole), 70)}\n${END}\n`;
  }

  async function load(text) {
    const wrong = fault("sign-key-form");
    const given = String(text).trim();
    if (/^(ssh-|ecdsa-|sk-)[a-z0-9@.-]* AAAA/.test(given)) throw fault("sign-key-public");
    const found = given.length <= KEY_FILE && new RegExp(`^${BEGIN}([A-Za-z0-9+/=\\s]+)${END}$`).exec(given);
    if (!found) throw /^-----BEGIN .*PRIVATE KEY-----/.test(given) ? fault("sign-key-type") : wrong;
    let bytes;
    try {
      bytes = unbase64(found[1].replace(/\s/g, ""));
    } catch {
      throw wrong;
    }
    const outer = reader(bytes, wrong);
    if (!same(outer.take(MAGIC.length), utf8(MAGIC))) throw wrong;
    const [cipher, derived] = [outer.string(), outer.string()].map((part) => new TextDecoder().decode(part));
    outer.string();
    if (cipher !== "none" || derived !== "none") throw fault("sign-key-locked");
    if (outer.count() !== 1) throw wrong;
    const public_ = outer.string();
    const inner = reader(outer.string(), wrong);
    if (!same(inner.take(4), inner.take(4))) throw fault("sign-key-harmed");
    if (new TextDecoder().decode(inner.string()) !== TYPE) throw fault("sign-key-type");
    const [open, both] = [inner.string(), inner.string()];
    const comment = tidy(new TextDecoder().decode(inner.string()));
    if (open.length !== 32 || both.length !== 64 || !same(public_, blob(open)) || !same(both.slice(32), open)) throw fault("sign-key-harmed");
    await belongs(both.slice(0, 32), open);
    return takeIn(both.slice(0, 32), open, comment);
  }

  // A file whose halves do not belong together would make signatures that hold for nobody.
  async function belongs(seed, open) {
    const said = utf8("pbem");
    const good = await ed25519(async (api) => {
      const private_ = await api.importKey("pkcs8", joined(PKCS8, seed), { name: "Ed25519" }, false, ["sign"]);
      const public_ = await api.importKey("raw", open, { name: "Ed25519" }, false, ["verify"]);
      return api.verify("Ed25519", public_, await api.sign("Ed25519", private_, said), said);
    });
    if (!good) throw fault("sign-key-harmed");
  }

  async function kept() {
    const keys = (await stored("keys", "readonly", (store) => store.getAllKeys()))?.result || [];
    const values = (await stored("keys", "readonly", (store) => store.getAll()))?.result || [];
    keys.forEach((fingerprint, place) => {
      const { line, comment, private: private_, root } = values[place];
      if (!held.has(fingerprint)) held.set(fingerprint, { key: { line, comment, fingerprint, file: null }, private: private_, root });
    });
    return Array.from(held.values(), ({ key }) => ({ ...key }));
  }

  async function forget(fingerprint) {
    held.delete(fingerprint);
    await stored("keys", "readwrite", (store) => store.delete(fingerprint));
  }

  async function inHand(fingerprint) {
    if (!held.has(fingerprint)) await kept();
    if (!held.has(fingerprint)) throw fault("sign-no-key", { fingerprint: String(fingerprint) });
    return held.get(fingerprint);
  }

  // --- signatures

  async function toSign(namespace, bytes) {
    const digest = new Uint8Array(await subtle().digest("SHA-512", typeof bytes === "string" ? utf8(bytes) : bytes));
    return joined("SSHSIG", string(namespace), string(""), string("sha512"), string(digest));
  }

  async function sign(fingerprint, namespace, bytes) {
    const { key, private: private_ } = await inHand(fingerprint);
    const message = await toSign(namespace, bytes);
    const made = new Uint8Array(await ed25519((api) => api.sign("Ed25519", private_, message)));
    const public_ = unbase64(key.line.split(" ")[1]);
    const inside = joined("SSHSIG", number(1), string(public_), string(namespace), string(""), string("sha512"), string(joined(string(TYPE), string(made))));
    return `${SEAL[0]}\n${lines(base64(inside), 70)}\n${SEAL[1]}\n`;
  }

  async function verify(line, namespace, bytes, armored) {
    const wrong = fault("sign-form", { what: "signature" });
    try {
      const text = armored.split("\n");
      if (text[0] !== SEAL[0] || text[text.length - 2] !== SEAL[1]) return false;
      const parts = reader(unbase64(text.slice(1, -2).join("")), wrong);
      if (!same(parts.take(10), joined("SSHSIG", number(1)))) return false;
      const [public_, use, reserved, hash, wrapped] = [0, 1, 2, 3, 4].map(() => parts.string());
      const inner = reader(wrapped, wrong);
      const [kind, made] = [inner.string(), inner.string()];
      const open = public_.slice(-32);
      const right = [
        `${TYPE} ${base64(public_)}` === line,
        same(public_, blob(open)),
        same(use, utf8(namespace)),
        reserved.length === 0,
        same(hash, utf8("sha512")),
        same(kind, utf8(TYPE)),
        made.length === 64,
      ];
      if (!right.every(Boolean)) return false;
      const key = await ed25519((api) => api.importKey("raw", open, { name: "Ed25519" }, false, ["verify"]));
      const message = await toSign(namespace, bytes);
      return await ed25519((api) => api.verify("Ed25519", key, made, message));
    } catch (error) {
      if (error.code === "sign-no-ed25519" || error.code === "sign-no-context") throw error;
      return false;
    }
  }

  // --- order files

  // Words for luck in normal form, as pbem writes them.
  function words(typed) {
    const said = String(typed).normalize("NFC").replace(SPACE, " ").replace(/^ +| +$/g, "");
    if (/[\p{Cc}\p{Cf}\p{Cs}]/u.test(said)) throw fault("sign-luck-letters");
    const length = Array.from(said).length;
    if (length < 8) throw fault("sign-luck-short");
    if (length > 100) throw fault("sign-luck-long");
    return said;
  }

  function orders({ game, slot, seat, head, luck = null, x = null, path = [], seen = null }, yaml) {
    const right = {
      game: GAME.test(game),
      slot: Number.isInteger(slot) && slot >= 1 && slot <= 10000,
      seat: SEAT.test(seat),
      head: HEX64.test(head),
      x: x === null || HEX64.test(x),
      path: path.every((hash) => HEX64.test(hash)) && (x !== null || path.length === 0),
      seen: seen === null || SEEN.test(seen),
      value: x === null || luck === null,
    };
    const bad = Object.keys(right).find((what) => !right[what]);
    if (bad) throw fault("sign-form", { what: bad });
    const salt = hex(crypto.getRandomValues(new Uint8Array(16)));
    const fields = { game, slot, seat, head, x, path: path.length ? path.join(" ") : null, luck: luck === null ? null : words(luck), seen, salt };
    const said = Object.entries(fields).filter(([, value]) => value !== null).map(([key, value]) => `#${key} ${value}`);
    const bytes = utf8(`${["#pd1-orders/1", ...said, "---"].join("\n")}\n${yaml.replace(/\r\n?/g, "\n")}`);
    if (bytes.length > MOST) throw fault("sign-too-long", { most: MOST });
    return bytes;
  }

  function armoured(bytes, signature) {
    const whole = joined(bytes, signature);
    return `${ARMOUR[0]}\n${lines(base64(whole).replace(/=+$/, ""), 64)}\ncrc ${crc32(whole)}\n${ARMOUR[1]}\n`;
  }

  async function signedOrders(fingerprint, header, yaml) {
    const bytes = orders(header, yaml);
    const { game, slot, seat, head, luck = null, x = null } = header;
    const signature = await sign(fingerprint, `pd1-orders/${game}/${slot}/${seat}/${head}`, bytes);
    return {
      name: `orders-s${String(slot).padStart(4, "0")}-${seat}.txt`,
      file: new TextDecoder().decode(bytes),
      signature,
      armour: armoured(bytes, signature),
      final: x !== null || luck !== null,
    };
  }

  window.pbemSign = { support, make, load, kept, forget, orders, sign, signedOrders, verify, words, sha256, hex, unhex, utf8, joined, fault, inHand, stored, lineOf, PKCS8 };
})();
