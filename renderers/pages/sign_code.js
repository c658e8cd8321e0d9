// Recovery codes in the browser: what a player writes down when he joins, so that a lost key can be replaced on his own word.
// Window-global: pbemSign.code, pbemSign.recovery. The code makes a key, whose public half stands in the join; it is shown once and kept nowhere.
//
//   code()                       -> {letters, printed} (sync)   a new code: its 26 letters, and as it is written down, a check letter at its end
//   recovery(game, seat, letters) -> line                        the public key that a code makes for a seat of a game
(() => {
  "use strict";

  const { sha256, utf8, joined, lineOf, PKCS8 } = window.pbemSign;
  const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // five bits a letter, without those that are misread
  const LENGTH = 26;

  // The remainder of some letters in the field of 32 elements: no wrong letter and no two exchanged ones leave it as it was.
  function check(letters) {
    return Array.from(letters).reduce((rest, letter) => ((rest << 1) ^ (rest & 16 ? 0b100101 : 0)) ^ LETTERS.indexOf(letter), 0);
  }

  function written(letters) {
    return (letters + LETTERS[check(letters + LETTERS[0])]).match(/.{1,4}/g).join("-");
  }

  function code() {
    let number = crypto.getRandomValues(new Uint8Array(16)).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    let letters = "";
    for (let place = 0; place < LENGTH; place += 1, number >>= 5n) letters = LETTERS[Number(number & 31n)] + letters;
    return { letters, printed: written(letters) };
  }

  async function recovery(game, seat, letters) {
    const seed = await sha256(utf8(`pd1/recovery\n${game}\n${seat}\n${letters}\n`));
    const key = await crypto.subtle.importKey("pkcs8", joined(PKCS8, seed), { name: "Ed25519" }, true, ["sign"]);
    const { x } = await crypto.subtle.exportKey("jwk", key);
    return lineOf(Uint8Array.from(atob(x.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0)));
  }

  Object.assign(window.pbemSign, { code, recovery });
})();
