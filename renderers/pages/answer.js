// A page that answers an invitation or a lock: it signs one letter with the player's key, and nothing else.
(() => {
  "use strict";

  const data = JSON.parse(document.getElementById("data").textContent);
  const live = document.getElementById("live");

  const put = (said, args) => said.replace(/\{([a-z_]+)\}/g, (all, name) => (name in args ? String(args[name]) : all));
  const words = (key, args = {}) => put(data.words[key] || key, args);
  const tell = (said) => {
    live.textContent = said;
  };
  window.pbemSign.place(document.getElementById("signing"), { data, text: () => "", words, tell });
})();
