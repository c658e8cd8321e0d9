// What a page shows of signing: the key, how the file goes out, and the signed file to send. No word stands here.
//
// ``data.signing.kind`` says what is signed: orders (where it is missing), a join, or a go.
//   pbemSign.place(node, {data, text, words, tell, unfinished}) fills ``node``. ``data.signing`` is what pbem/referee/pages/signing_page.py makes,
//   ``text()`` the order file as YAML, ``words(key, args)`` a sentence of the page, ``tell(said)`` says something aloud,
//   ``unfinished()`` tells why the file cannot be final yet, by the key of a sentence, or "".
//   Of a seat without a key only the maker of keys is shown. What was chosen stays when the page draws this place anew. A page whose
//   order file has changed since sends the event ``stale`` to ``node``: what was signed before is taken away.
(() => {
  "use strict";

  const sign = window.pbemSign;
  const chosen = { secret: null, luck: "", value: true, made: null, means: null, recovery: true };

  function el(name, more = {}, ...children) {
    const made = document.createElement(name);
    Object.entries(more).forEach(([key, value]) => {
      if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else if (value === true) made.setAttribute(key, "");
      else if (value !== false && value !== null) made.setAttribute(key, value);
    });
    made.append(...children.filter((child) => child !== null));
    return made;
  }

  // A file to save: a link whose address is made when it is shown.
  function saved(text, name, label, id) {
    const link = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    return el("a", { class: "button", href: link, download: name, id }, label);
  }

  // A file that somebody chooses, read as text; nothing larger than a key is read.
  function asked(label, id, took) {
    const input = el("input", { type: "file", id, class: "file" });
    input.addEventListener("change", async () => {
      const [file] = input.files;
      input.value = "";
      if (file) took(file.size > 16384 ? "" : await file.text());
    });
    return el("div", { class: "field" }, el("label", { for: id }, label), input);
  }

  async function place(node, { data, text, words: t, tell, unfinished = () => "" }) {
    const { signing } = data;
    const kind = signing.kind || "orders";
    const support = await sign.support();
    const said = el("p", { class: "doubt", id: "sign-said", hidden: true });
    const asks = el("div", { class: "ways", id: "sign-asks", hidden: true });

    function say(words) {
      said.textContent = words;
      said.hidden = words === "";
      asks.hidden = true;
      if (words) tell(words);
    }

    // Values take a moment to be made: how far they are is shown, and said aloud once.
    function making(part) {
      const words = part < 1 ? t("sign-making", { percent: Math.round(part * 100) }) : "";
      if (said.hidden && words) tell(words);
      said.textContent = words;
      said.hidden = words === "";
    }

    const tried = (act) => async (...given) => {
      say("");
      try {
        await act(...given);
      } catch (error) {
        const values = node.querySelector("details");
        if (values && error.code === "sign-other-chain") values.open = true;
        say(t(error.code || "sign-failed", error.args || {}));
        if (error.code === "sign-far") ask(error.args.slot);
      }
    };

    // A slot that is far on is given only to who says that he means it.
    function ask(slot) {
      const means = () => {
        chosen.means = slot;
        document.getElementById("sign-go").click();
      };
      asks.replaceChildren(el("button", { type: "button", id: "sign-means", onclick: means }, t("sign-means", { slot })));
      asks.hidden = false;
    }

    async function draw() {
      const keys = await sign.kept();
      const own = keys.find((key) => key.line === signing.key);
      const parts = signing.key ? [el("h3", {}, t(kind === "orders" ? "sign" : `sign-${kind}`))] : [];
      if (!signing.key) {
        // Nothing has to be signed, so it stays folded up until somebody looks for it.
        const inside = support.signs ? [el("p", { class: "hint" }, t("sign-next-why")), maker(keys)] : [el("p", { class: "doubt" }, t(support.code))];
        parts.push(el("details", { open: chosen.made !== null }, el("summary", {}, t("sign-next")), ...inside));
      } else if (!support.signs) parts.push(el("p", { class: "doubt" }, t(support.code)));
      else if (own) parts.push(el("p", { class: "hint", id: "sign-with" }, t("sign-with", { fingerprint: own.fingerprint })), form(own));
      else parts.push(el("p", { class: "hint" }, t("sign-why", { fingerprint: signing.fingerprint })), loader());
      node.replaceChildren(...parts, said, asks, chosen.made && own && chosen.made.of === text() ? result(chosen.made) : "");
    }

    node.addEventListener("stale", () => {
      const signed = node.querySelector(".signed");
      if (signed && chosen.made.of !== text()) signed.remove();
    });

    // --- keys

    function loader() {
      const took = tried(async (given) => {
        const key = await sign.load(given);
        if (signing.key && key.line !== signing.key) {
          await sign.forget(key.fingerprint);
          throw sign.fault("sign-other-key", { fingerprint: key.fingerprint, wanted: signing.fingerprint });
        }
        await draw();
        tell(t("sign-loaded", { fingerprint: key.fingerprint }));
      });
      return el("div", {}, asked(t("sign-load"), "sign-key", took), el("p", { class: "hint" }, `${t(support.keeps ? "sign-keeps" : "sign-forgets")} ${t("sign-trust")}`));
    }

    function maker(keys) {
      const comment = el("input", { type: "text", id: "sign-comment", maxlength: 60, value: data.signing.seat, autocomplete: "off" });
      const make = tried(async () => {
        const key = await sign.make(comment.value);
        chosen.made = { key };
        await draw();
        tell(t("sign-made"));
      });
      const { key } = chosen.made || {};
      return el(
        "div",
        {},
        el("div", { class: "field" }, el("label", { for: "sign-comment" }, t("sign-comment")), comment),
        el("div", { class: "ways" }, el("button", { type: "button", id: "sign-make", onclick: make }, t("sign-make"))),
        key ? made(key) : null,
        ...keys.filter((one) => !key || one.line !== key.line).map((one) => open(one)),
      );
    }

    function made(key) {
      return el("div", { class: "made" }, el("p", {}, t("sign-save")), el("div", { class: "ways" }, saved(key.file, "id_ed25519", t("sign-save-key"), "sign-save")), open(key));
    }

    // The public half, to be sent to the umpire before a game is made.
    function open(key) {
      const line = `${key.line} ${key.comment}`.trim();
      const id = `sign-open-${key.fingerprint.slice(7, 15).replace(/[^A-Za-z0-9]/g, "-")}`;
      const box = el("textarea", { readonly: true, rows: 3, id, class: "line" });
      box.value = line;
      return el("div", { class: "field" }, el("label", { for: id }, t("sign-open", { fingerprint: key.fingerprint })), box);
    }

    // --- the file

    function form(own) {
      const act = tried(async () => {
        const of = text();
        chosen.made = { ...(await work[kind](own.fingerprint, of)), of };
        await draw();
        const noted = chosen.made.noted !== false;
        document.getElementById(noted ? "sign-file" : "sign-noted").focus();
        tell(t(noted ? doneKey(chosen.made) : "sign-code"));
      });
      return el(
        "div",
        {},
        signing.value ? valued() : null,
        kind === "join" && signing.revision > 1 ? recovering() : null,
        el("div", { class: "ways" }, el("button", { type: "button", id: "sign-go", class: "main", onclick: act }, t(kind === "orders" ? "sign-do" : `sign-${kind}-do`)), el("button", { type: "button", class: "quiet", id: "sign-forget", onclick: tried(forget) }, t("sign-forget"))),
      );

      async function forget() {
        await sign.forget(own.fingerprint);
        chosen.made = null;
        await draw();
        tell(t("sign-forgotten"));
      }
    }

    const more = () => ({ tell: making, means: chosen.means });

    // What is signed: the order file; the answer to an invitation; the answer to a lock.
    const work = {
      async orders(fingerprint, yaml) {
        const { game, slot, seat, head } = signing;
        const header = { game, slot, seat, head };
        const why = signing.value && !chosen.value ? "" : unfinished();
        if (why) throw sign.fault(why);
        if (signing.value === "words" && chosen.value) header.luck = chosen.luck;
        const { slot: gave = null, last = null, ...value } = signing.value === "own" && chosen.value ? await sign.value(fingerprint, signing, chosen.secret, more()) : {};
        return { ...(await sign.signedOrders(fingerprint, { ...header, ...value }, yaml)), gave, last };
      },
      async join(fingerprint) {
        const { letters, printed: code } = signing.revision > 1 && chosen.recovery ? sign.code() : { letters: null, printed: "" };
        const recovery = letters === null ? null : await sign.recovery(signing.game, signing.seat, letters);
        return { letter: await sign.join(fingerprint, { ...signing, recovery }, null, more()), name: `join-${signing.seat}.txt`, gave: null, code, noted: code === "" };
      },
      async go(fingerprint) {
        const place = signing.value === "words" ? { ...signing, luck: chosen.luck } : signing;
        const { letter, slot: gave = null, last = null } = await sign.go(fingerprint, place, chosen.secret, more());
        return { letter, name: `go-${signing.seat}.txt`, gave, last };
      },
    };

    // Whether a recovery code goes with the join.
    function recovering() {
      const box = el("input", { type: "checkbox", id: "sign-recovery", onchange: () => { chosen.recovery = box.checked; } });
      box.checked = chosen.recovery;
      return el("div", {}, el("div", { class: "check" }, box, el("label", { for: "sign-recovery" }, t("sign-recovery"))), el("p", { class: "hint" }, t("sign-recovery-hint")));
    }

    // The recovery code, shown once. The letter comes when it is written down: else nobody would have it.
    function coded(signed) {
      const box = el("input", { type: "checkbox", id: "sign-noted", onchange: tried(async () => {
        signed.noted = box.checked;
        await draw();
        document.getElementById("sign-noted").focus();
      }) });
      box.checked = signed.noted;
      const parts = signed.code.split(/(?<=-)/).map((part) => el("span", {}, part));
      return el(
        "div",
        { class: "code" },
        el("p", {}, t("sign-code")),
        el("p", { class: "letters", id: "sign-code" }, ...parts),
        el("p", { class: "hint" }, t("sign-code-for")),
        el("div", { class: "check" }, box, el("label", { for: "sign-noted" }, t("sign-noted"))),
      );
    }

    // Whether a value or words go with the file: then it is final. A go has nothing else in it.
    function valued() {
      const box = el("input", { type: "checkbox", id: "sign-value", onchange: () => { chosen.value = box.checked; } });
      box.checked = chosen.value;
      const parts = [el("p", { class: "hint" }, t(kind === "go" ? "sign-go-hint" : `sign-value-${signing.value}-hint`))];
      if (kind === "orders") parts.unshift(el("div", { class: "check" }, box, el("label", { for: "sign-value" }, t(`sign-value-${signing.value}`))));
      if (signing.value === "words") {
        const input = el("input", { type: "text", id: "sign-luck", maxlength: 200, autocomplete: "off", oninput: () => { chosen.luck = input.value; } });
        input.value = chosen.luck;
        parts.push(el("div", { class: "field" }, el("label", { for: "sign-luck" }, t("sign-luck")), input));
      } else {
        const took = tried(async (given) => {
          chosen.secret = sign.given(given);
          say(t("sign-chain-taken"));
        });
        parts.push(el("details", {}, el("summary", {}, t("sign-chain")), el("p", { class: "hint" }, t("sign-chain-hint", { seat: signing.seat })), asked(t("sign-chain-file"), "sign-secret", took)));
      }
      return el("div", {}, ...parts);
    }

    function doneKey({ final }) {
      if (kind !== "orders") return `sign-${kind}-done`;
      return signing.value === "" ? "sign-done" : final ? "sign-done-final" : "sign-done-draft";
    }

    function result(signed) {
      const box = el("textarea", { readonly: true, rows: 6, id: "sign-armour", spellcheck: "false" });
      box.value = signed.armour || signed.letter;
      const copy = async () => {
        try {
          await navigator.clipboard.writeText(box.value);
          tell(t("copied"));
        } catch {
          box.focus();
          box.select();
          tell(document.execCommand("copy") ? t("copied") : t("copy-by-hand"));
        }
      };
      const subject = encodeURIComponent(data.subject || "");
      const address = `mailto:${encodeURIComponent(data.to || "").replace(/%40/g, "@")}?subject=${subject}&body=${encodeURIComponent(box.value.replace(/\n/g, "\r\n"))}`;
      if (signed.code && !signed.noted) return el("div", { class: "signed", id: "signed" }, coded(signed));
      return el(
        "div",
        { class: "signed", id: "signed" },
        signed.code ? coded(signed) : null,
        el("p", { class: "fine", id: "sign-done" }, t(doneKey(signed))),
        signed.gave ? el("p", { class: "hint", id: "sign-gave" }, t(signed.last ? "sign-gave" : "sign-gave-first", { slot: signed.gave, last: signed.last })) : null,
        el("div", { class: "ways" },
          // The lines of a letter are too long for some mail programs, so it goes as a file.
          signed.armour ? el("a", { class: "button main", id: "sign-mail", href: address }, t("sign-mail")) : null,
          signed.armour ? el("button", { type: "button", id: "sign-copy", onclick: copy }, t("sign-copy")) : null,
          saved(signed.file || signed.letter, signed.name, t(kind === "orders" ? "sign-file" : "sign-letter"), "sign-file"),
          signed.signature ? saved(signed.signature, `${signed.name}.sig`, t("sign-sig"), "sign-sig") : null,
        ),
        el("div", { class: "field" }, el("label", { for: "sign-armour" }, t(signed.armour ? "sign-armour" : "sign-whole")), box),
      );
    }

    await draw();
  }

  Object.assign(sign, { place });
})();
