// The turn packet: joins map, panel and file, remembers drafts, and says aloud what was done.
(() => {
  "use strict";

  const packet = window.pbemPacket;
  const data = packet.rowsOf(JSON.parse(document.getElementById("data").textContent));
  const t = packet.words(data);
  const model = packet.model(data);
  const byId = (id) => document.getElementById(id);
  const toldOf = byId("told-of");
  if (toldOf) document.querySelector(".top").after(toldOf);
  const KEY = ["pbem-packet", data.game, data.seat, data.turn, data.questions.map((question) => question.id).join("+")].join("/");

  const desk = {
    data,
    model,
    t,
    at: "",
    who: "",
    picked: null,
    walk: null,
    open: new Set(),
    standingOf: "everyone",
    name: (who) => (who === "" ? t("your-side") : (data.tokens[who] && data.tokens[who].name) || who.charAt(0).toUpperCase() + who.slice(1)),
    about(who, heading) {
      const phase = model.phases.find((one) => one.heading === heading);
      const token = data.tokens[who];
      return (phase && phase.about[who]) || (token ? [token.said, token.at.join(" ")].filter(Boolean).join(", ") : "");
    },
    key: (who, heading, kind) => `${who}/${heading}/${kind}`,
    picture: (who) => desk.board.picture(who),
    // Says something aloud; what changed the orders is shown for a while too.
    tell(said, { shown = true } = {}) {
      byId("live").textContent = said;
      const box = byId("told");
      box.classList.remove("on");
      if (!shown) return;
      box.textContent = said;
      box.getBoundingClientRect();
      box.classList.add("on");
    },
    go(id, who = "") {
      desk.at = id;
      desk.who = who;
      if (desk.roam.chosen) desk.roam.chosen();
      desk.picked = desk.walk = null;
      show({ focus: "panel-title" });
      if (who) desk.tell(desk.name(who), { shown: false });
    },
    choose(who, { quiet = false } = {}) {
      desk.who = who;
      if (desk.roam.chosen) desk.roam.chosen();
      desk.picked = desk.walk = null;
      show({ focus: quiet ? "" : "panel-title" });
      if (who) desk.tell(`${desk.name(who)}: ${desk.about(who, desk.at)}`, { shown: false });
    },
    done(work, said) {
      work();
      desk.tell(said);
    },
    take(heading, row, next = false) {
      desk.picked = null;
      desk.done(() => model.take(heading, row, { next }), `${t("taken")}: ${row.s}`);
    },
    // Several orders lie under one click: the panel asks which.
    pick(rows, place = "", spot = "", figures = []) {
      desk.picked = rows && { rows, place, spot, figures };
      show({ focus: rows ? "picked" : desk.who ? "panel-title" : "" });
      if (rows) desk.tell(t(desk.who ? "which-at" : "who-at", { place }), { shown: false });
      else if (!desk.who) board.map.element.focus({ preventScroll: true });
    },
    // What is being put together changed, but no order yet.
    again: () => show(),
    untake(heading, row) {
      const line = model.lines(heading).find((one) => one.s === row.s);
      if (line) desk.done(() => model.drop(heading, line), t("removed", { sentence: row.s }));
    },
    stand(who) {
      desk.standingOf = who;
      show();
    },
    // What is typed changes the file, but not the field in which it is typed.
    quietly(work) {
      quiet = true;
      work();
      quiet = false;
      file();
      finish.renew();
      keep();
    },
    forget(link) {
      if (desk.link) URL.revokeObjectURL(desk.link);
      desk.link = link;
    },
    restart() {
      byId("panel").replaceChildren();
      model.restart();
      desk.at = "";
      desk.who = "";
      desk.open.clear();
      begin();
      desk.tell(t("restarted"));
    },
  };
  let quiet = false;

  desk.more = packet.more(desk);
  desk.roam = model.roam = packet.roam(desk);
  const panel = packet.panel(desk);
  const finish = packet.finish(desk);
  const board = packet.board(desk, panel);
  desk.board = board;

  // --- showing

  // What had the focus, by what it stands for, so that it has it again after the panel was drawn anew.
  function focused() {
    const had = document.activeElement;
    if (!had || !(byId("panel").contains(had) || byId("picked").contains(had))) return null;
    for (const key of ["data-sentence", "data-who", "data-key", "id"]) if (had.getAttribute(key)) return `[${key}="${CSS.escape(had.getAttribute(key))}"]`;
    const labelled = had.getAttribute("aria-label") || (had.classList.contains("mate") && had.textContent);
    return { labelled };
  }

  function refocus(mark, within) {
    const found = typeof mark === "string" ? within.querySelector(mark) : mark && [...within.querySelectorAll("button, input, select")].find((one) => one.getAttribute("aria-label") === mark.labelled || one.textContent === mark.labelled);
    (found || byId("panel-title") || within).focus({ preventScroll: true });
  }

  function show({ focus = "" } = {}) {
    byId("panel").querySelectorAll("details[data-open]").forEach((box) => desk.open[box.open ? "add" : "delete"](box.dataset.open));
    const scrolled = [...byId("panel").querySelectorAll(".many-list")].map((list) => list.scrollTop);
    const mark = focus ? null : focused();
    const within = byId(byId("picked").contains(document.activeElement) && desk.picked ? "picked" : "panel");
    const steps = byId("steps").contains(document.activeElement);
    byId("steps").replaceChildren(...panel.steps());
    document.body.classList.toggle("sending", desk.at === "finish");
    if (steps) byId(`step-${desk.at}`).focus({ preventScroll: true });
    const parts = desk.at === "finish" ? finish.shown() : desk.at === "answers" ? panel.answers() : desk.who ? panel.card(desk.who, desk.at) : panel.list(desk.at);
    byId("panel").replaceChildren(...parts.flat(3).filter((part) => part && part !== true));
    if (!focus) [...byId("panel").querySelectorAll(".many-list")].forEach((list, place) => (list.scrollTop = scrolled[place] || 0));
    menu();
    if (focus && !steps) (byId(focus) || byId("panel-title")).focus({ preventScroll: true });
    else if (mark) refocus(mark, within);
    if (focus && focus !== "picked") inSight();
    byId("undo").disabled = !model.undoable();
    byId("tools").replaceChildren(...[desk.roam.button()].filter(Boolean));
    file();
    board.show();
  }

  // What a tap may mean is asked where it was tapped; on a small screen below.
  function menu() {
    const box = byId("picked");
    box.hidden = !desk.picked;
    box.replaceChildren(...(desk.picked ? panel.picked(desk.at).flat(3).filter(Boolean) : []));
    if (!desk.picked || !board.map.cell(desk.picked.spot)) return;
    const [x, y] = board.map.spot(desk.picked.spot);
    const around = box.parentElement.getBoundingClientRect();
    box.style.left = `${Math.max(0, Math.min(x - around.left + 30, around.width - box.offsetWidth))}px`;
    box.style.top = `${Math.max(0, Math.min(y - around.top + 30, around.height - box.offsetHeight))}px`;
  }

  // What was just opened begins where it can be seen: below the map where that stays on the screen, else at the top.
  function inSight() {
    const title = byId("panel-title").getBoundingClientRect();
    const map = byId("board").closest("section");
    const beside = getComputedStyle(map).position !== "sticky" || map.getBoundingClientRect().right <= title.left;
    const low = beside ? 0 : map.getBoundingClientRect().bottom;
    if (title.top >= low && title.bottom <= window.innerHeight) return;
    byId("steps").parentElement.scrollTop = 0;
    window.scrollBy({ top: byId("steps").getBoundingClientRect().top - low, behavior: "instant" });
  }

  function file() {
    const box = byId("yaml");
    const hand = model.draft().hand !== null;
    if (!hand || box.value !== model.draft().hand) box.value = packet.yaml(model);
    box.readOnly = !hand;
    box.rows = Math.min(24, Math.max(5, box.value.split("\n").length));
    byId("hand").hidden = hand;
    byId("back-to-clicks").hidden = !hand;
  }

  // --- drafts

  function keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(model.draft()));
      byId("kept").textContent = t("kept");
    } catch {
      byId("kept").textContent = t("not-kept");
    }
  }

  // Chromium gives a page of whose beginning its main process has not heard a store that forgets all with the page, and
  // says nothing. For cookies, of which there are none, a page waits until that process has heard.
  function kept() {
    try {
      void document.cookie;
      return JSON.parse(localStorage.getItem(KEY));
    } catch {
      return null;
    }
  }

  // --- beginning

  function begin() {
    const first = model.phases.find((phase) => model.figures(phase.heading).length);
    desk.at = data.questions.length ? "answers" : first ? first.heading : "finish";
    show();
  }

  byId("heading").textContent = data.heading;
  byId("when").textContent = data.when;
  byId("summary").textContent = data.summary;
  byId("traces").addEventListener("change", () => board.traces(byId("traces").checked));
  byId("undo").addEventListener("click", () => model.undo() && desk.tell(t("undone")));
  byId("hand").addEventListener("click", () => {
    model.set("hand", packet.yaml(model));
    byId("yaml").focus();
    desk.tell(t("hand-now"));
  });
  byId("back-to-clicks").addEventListener("click", () => desk.done(() => model.set("hand", null), t("clicks-now")));
  byId("yaml").addEventListener("input", () => desk.quietly(() => model.set("hand", byId("yaml").value)));
  byId("steps").addEventListener("keydown", (event) => {
    const tabs = [...byId("steps").children];
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined || !tabs[to]) return;
    event.preventDefault();
    tabs[to].focus();
    tabs[to].click();
  });
  document.addEventListener("keydown", (event) => {
    const typing = ["INPUT", "TEXTAREA", "SELECT"].includes(document.activeElement.tagName);
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !typing && model.undo()) {
      event.preventDefault();
      desk.tell(t("undone"));
    } else if (event.key === "Escape" && desk.picked) desk.pick(null);
    else if (event.key === "Escape" && desk.who) desk.choose("");
  });
  model.onChange(() => {
    if (quiet) return;
    keep();
    show();
  });

  const before = kept();
  if (before) model.restore(before);
  begin();
  if (before && packet.yaml(model).trim().split("\n").length > 3) desk.tell(t("restored"));
  window.pbemDesk = desk;
  byId("still").remove();
})();
