// Light or dark, before anything is drawn: as chosen here, else as the system says.
"use strict";
(() => {
  const key = "tertium-theme";
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const show = () => {
    document.documentElement.dataset.theme = chosen() ?? (dark.matches ? "dark" : "light");
  };
  show();
  dark.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      try { localStorage.setItem(key, next); } catch { /* private windows forget it */ }
      document.documentElement.dataset.theme = next;
    });
  });
})();
