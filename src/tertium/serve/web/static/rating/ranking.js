// An order of outputs: a rank for each, ties allowed; 1 is the best.

import { make } from "./dom.js";

export function rankOf(slot, size, value, changed) {
  let chosen = value ?? null;
  const buttons = Array.from({ length: size }, (_, at) => make("button", {
    type: "button", class: "step", role: "radio", value: String(at + 1), tabIndex: -1,
    onclick: () => set(at + 1),
  }, make("b", {}, String(at + 1)),
  make("small", {}, at === 0 ? "best" : at === size - 1 ? "worst" : "")));
  const row = make("div", { class: "steps", role: "radiogroup", "aria-label": `rank of ${slot}`,
    tabIndex: 0, onkeydown: pressed }, ...buttons);
  function show() {
    buttons.forEach((one, at) => {
      one.setAttribute("aria-checked", String(at + 1 === chosen));
      one.classList.toggle("chosen", at + 1 === chosen);
    });
  }
  function set(rank, { move = false } = {}) {
    chosen = rank;
    show();
    changed({ move });
  }
  function pressed(event) {
    const digit = Number(event.key);
    if (!event.key.trim() || !(digit >= 1 && digit <= size)) return;
    set(digit, { move: true });
    event.preventDefault();
    event.stopPropagation();
  }
  show();
  return { element: row, focus: () => row.focus(), value: () => chosen, name: `rank of ${slot}` };
}
