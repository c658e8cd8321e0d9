// Before anything is shown: where scripts run, what is there for readers without them stays hidden; unless the page cannot begin.
document.documentElement.className = "scripted";
window.addEventListener("error", function () {
  "use strict";
  if (!window.pbemDesk) document.documentElement.className = "";
});
