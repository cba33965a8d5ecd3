// The top bar and the tabs: the current tab is in sight, "/" goes to the search, a menu closes.

document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

const menus = document.querySelectorAll("details.menu");
addEventListener("click", (event) => {
  for (const one of menus) if (!one.contains(event.target)) one.open = false;
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    for (const one of menus) {
      if (!one.open) continue;
      one.open = false;
      one.querySelector("summary").focus();
    }
  }
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || typing || event.defaultPrevented) return;
  if (document.getElementById("search")) return; // a page with a search of its own goes to that
  const search = document.querySelector(".topbar .find");
  if (!search?.offsetParent) return;
  event.preventDefault();
  search.focus();
});
