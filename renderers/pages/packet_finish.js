// The last step: what was ordered in one look, what is doubtful, words, standing instructions, and the ways in which the file gets away.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const { el } = packet;
  const LONGEST = 2000; // characters of a mailto: address that every mail program takes

  const crlf = (text) => text.replace(/\r?\n/g, "\r\n");
  const mailto = (to, subject, body) =>
    `mailto:${encodeURIComponent(to).replace(/%40/g, "@").replace(/%2C/g, ",")}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(crlf(body))}`;

  function finish(desk) {
    const { model, t, data } = desk;
    const { phases } = model;

    function shown() {
      return [el("h2", { id: "panel-title", tabindex: -1 }, t("finish")), summary(), doubts(), words(), settings(), desk.more.closing(), send()];
    }

    function summary() {
      const said = phases.filter((phase) => model.lines(phase.heading).length);
      if (model.draft().hand !== null) return el("p", { class: "doubt" }, t("hand-now"));
      return el(
        "div",
        { class: "summary" },
        said.map((phase) => [
          el("h3", {}, phase.title),
          el("ol", {}, model.lines(phase.heading).map((line, place) => el("li", {}, el("span", { class: "sentence" }, packet.written(model, line).join("\n").slice(2)), arrange(phase.heading, line, place)))),
        ]),
      );
    }

    // Lines are carried out in their order, so that it may be changed.
    function arrange(heading, line, place) {
      const move = (by, key, off) => el("button", { type: "button", class: "small", disabled: off, "aria-label": `${t(key)}: ${line.s}`, "data-key": `${key} ${line.s}`, onclick: () => desk.done(() => model.shift(heading, line, by), t(key)) }, by < 0 ? "↑" : "↓");
      return el(
        "span",
        { class: "arrange" },
        move(-1, "earlier", place === 0),
        move(1, "later", place === model.lines(heading).length - 1),
        el("button", { type: "button", class: "small", "aria-label": t("remove-that", { sentence: line.s }), onclick: () => desk.done(() => model.drop(heading, line), t("removed", { sentence: line.s })) }, "×"),
      );
    }

    function doubts() {
      const found = packet.checks(model);
      if (!found.length) return el("p", { class: "fine" }, t("check-fine"));
      return el(
        "ul",
        { class: "checks", "aria-label": t("checks") },
        found.map(({ level, key, args, heading, who }) =>
          el("li", { class: level }, el("span", { class: "level" }, t(`level-${level}`)), el("span", {}, t(key, args)), heading && who ? el("button", { type: "button", class: "small", "aria-label": `${t("look")}: ${t(key, args)}`, onclick: () => desk.go(heading, who) }, t("look")) : null),
        ),
      );
    }

    // --- words

    function words() {
      const draft = model.draft();
      return el(
        "div",
        { class: "words" },
        meant(draft),
        data.luck ? field("luck", t("luck"), t("luck-hint", { least: data.luck }), el("input", { type: "text", maxlength: data.longest, autocomplete: "off", value: draft.luck })) : null,
        field("message", t("message"), t("message-hint"), el("textarea", { rows: 2, maxlength: 2000 }, draft.message)),
        field("note", t("note"), t("note-hint"), el("textarea", { rows: 2, maxlength: 2000 }, draft.note)),
      );
    }

    function meant(draft) {
      const line = packet.unsaid(model);
      if (!line || draft.hand !== null) return null;
      const key = line.startsWith("nobody") ? "meant-nobody" : "meant-rest";
      const box = el("input", { type: "checkbox", id: "field-meant", checked: Boolean(draft.meant), onchange: () => desk.done(() => model.set("meant", box.checked), t(key)) });
      return el("label", { class: "check" }, box, el("span", {}, t(key)));
    }

    function field(key, label, hint, input) {
      input.id = `field-${key}`;
      input.setAttribute("aria-describedby", `hint-${key}`);
      input.addEventListener("input", () => desk.quietly(() => model.set(key, input.value)));
      return el("div", { class: "field" }, el("label", { for: input.id }, label), input, el("p", { class: "hint", id: `hint-${key}` }, hint));
    }

    // --- standing instructions, and where to stop

    function settings() {
      const draft = model.draft();
      const figures = ["everyone", ...new Set(phases.flatMap((phase) => phase.rows.flatMap((row) => row.w)).filter((who) => who in data.tokens))].sort((one, other) => (other === "everyone") - (one === "everyone") || (one < other ? -1 : 1));
      const who = figures.includes(desk.standingOf) ? desk.standingOf : "everyone";
      const key = "settings";
      const set = Object.keys(draft.standing).length + (draft.stop ? 1 : 0);
      const box = el("details", { class: "settings", "data-open": key, open: desk.open.has(key) }, el("summary", {}, t("standing"), set ? el("span", { class: "hint" }, ` (${set})`) : null));
      box.append(
        el("p", { class: "hint" }, t("standing-hint")),
        choice("standing-who", t("standing-for"), figures.map((one) => [one, one === "everyone" ? t("everyone") : desk.name(one)]), who, (value) => desk.stand(value)),
        ...data.standing.map(({ key: one, said, values, form }) => {
          const now = (draft.standing[who] || {})[one] || "";
          const listed = [["", t("as-before")], ...values.map((value) => [value, t(`standing-value-${value}`) === `standing-value-${value}` ? value : `${value} – ${t(`standing-value-${value}`)}`])];
          if (now && !values.includes(now)) listed.push([now, now]);
          return choice(`standing-${one}`, said, listed, now, (value) => desk.done(() => model.instruct(who, one, value), `${said}: ${value || t("as-before")}`), `${one}: ${form || values.join(", ")}`);
        }),
        phases.length > 1 ? choice("stop", t("stop"), [["", t("stop-none")], ...phases.slice(0, -1).map((phase) => [phase.heading, phase.title])], draft.stop, (value) => desk.done(() => model.set("stop", value), t("stop")), t("stop-hint")) : "",
      );
      return box;
    }

    function choice(id, label, listed, now, change, hint = "") {
      const list = el("select", { id, onchange: () => change(list.value), "aria-describedby": hint ? `${id}-hint` : null }, listed.map(([value, said]) => el("option", { value, selected: value === now }, said)));
      return el("div", { class: "field" }, el("label", { for: id }, label), list, hint ? el("p", { class: "hint", id: `${id}-hint` }, hint) : null);
    }

    // --- away with it

    const keyed = () => Boolean(window.pbemSign && data.signing && data.signing.key); // then nobody can use what is not signed

    function send() {
      return el(
        "div",
        { class: "send" },
        el("h3", {}, t("send")),
        el("p", { class: "hint" }, data.to ? t("send-to", { to: data.to }) : t("send-anywhere")),
        keyed() ? [signing(), el("p", { class: "hint", id: "unsigned" }, t("sign-unsigned"))] : null,
        away(),
        keyed() ? null : signing(),
        el("button", { type: "button", class: "quiet", id: "restart", onclick: () => desk.restart() }, t("restart")),
      );
    }

    // What is typed in this step goes into the file at once, and so into everything that carries it away.
    function renew() {
      const ways = document.getElementById("away");
      if (!ways) return;
      ways.replaceWith(away());
      document.getElementById("signing").dispatchEvent(new Event("stale"));
    }

    function away() {
      const text = packet.yaml(model);
      const address = mailto(data.to, data.subject, text);
      const short = address.length <= LONGEST;
      const file = new File([text], "orders.yaml", { type: "application/yaml" });
      const plain = new File([text], "orders.txt", { type: "text/plain" });
      const shares = [file, plain].find((one) => navigator.canShare && navigator.canShare({ files: [one] }));
      const link = URL.createObjectURL(file);
      desk.forget(link);
      return el(
        "div",
        { class: "ways", id: "away" },
        keyed() ? null : short ? el("a", { class: "button main", id: "mail", href: address }, t("mail")) : el("p", { class: "doubt", id: "mail-long" }, t("mail-long")),
        el("button", { type: "button", id: "copy", onclick: () => copy(text) }, t("copy")),
        el("a", { class: "button", id: "download", href: link, download: "orders.yaml", onclick: () => desk.tell(t("downloaded")) }, t("download")),
        shares && !keyed() ? el("button", { type: "button", id: "share", onclick: () => share(shares) }, t("share")) : null,
      );
    }

    function signing() {
      const place = el("div", { class: "signing", id: "signing" });
      if (window.pbemSign && data.signing) window.pbemSign.place(place, { data, text: () => packet.yaml(model), words: t, tell: desk.tell, unfinished });
      return place;
    }

    // What orders nobody is signed only where somebody says that he means it, for what is signed and final cannot be asked about.
    function unfinished() {
      const draft = model.draft();
      const could = phases.some((phase) => phase.rows.length) && draft.hand === null;
      const asks = could && packet.unsaid(model).startsWith("nobody") && !draft.meant && !draft.closing;
      return asks ? "sign-nobody" : "";
    }

    async function copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        desk.tell(t("copied"));
      } catch {
        const box = document.getElementById("yaml");
        box.focus();
        box.select();
        desk.tell(document.execCommand("copy") ? t("copied") : t("copy-by-hand"));
      }
    }

    async function share(file) {
      try {
        await navigator.share({ files: [file], title: data.subject });
        desk.tell(t("shared"));
      } catch (error) {
        if (error.name !== "AbortError") desk.tell(t("copy-by-hand"));
      }
    }

    return { shown, renew };
  }

  Object.assign(packet, { finish, mailto });
})();
