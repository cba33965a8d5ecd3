// Numbers: a row of buttons for few whole ones, a slider for 0 to 100. Nothing is chosen before
// the rater chooses.

import { make } from "./dom.js";

const PAUSE = 1500; // milliseconds after which the next digit begins a new number

export function scaleOf(scale, slot, several, value, changed) {
  const name = several ? `${scale.criterion} of ${slot}` : scale.criterion;
  return scale.whole ? steps(scale, name, value, changed) : slider(scale, name, value, changed);
}

function steps(scale, name, value, changed) {
  let chosen = value ?? null;
  const buttons = [];
  for (let step = scale.low; step <= scale.high; step += 1) {
    buttons.push(make("button", {
      type: "button", class: "step", role: "radio", value: String(step), tabIndex: -1,
      onclick: () => set(step),
    }, make("b", {}, String(step)), make("small", {}, scale.labels[step] ?? "")));
  }
  const row = make("div", { class: "steps", role: "radiogroup", "aria-label": name, tabIndex: 0,
    onkeydown: pressed }, ...buttons);
  function show() {
    buttons.forEach((one, at) => {
      const on = scale.low + at === chosen;
      one.setAttribute("aria-checked", String(on));
      one.classList.toggle("chosen", on);
    });
  }
  function set(step, { move = false } = {}) {
    chosen = step;
    show();
    changed({ move });
  }
  function pressed(event) {
    const digit = Number(event.key);
    const back = getComputedStyle(row).direction === "rtl" ? "ArrowRight" : "ArrowLeft";
    const on = back === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    if (event.key.trim() && digit >= scale.low && digit <= scale.high) set(digit, { move: true });
    else if (event.key === on) set(Math.min(scale.high, (chosen ?? scale.low - 1) + 1));
    else if (event.key === back) set(Math.max(scale.low, (chosen ?? scale.high + 1) - 1));
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  show();
  return {
    element: make("div", { class: "scale" }, make("h3", {}, scale.criterion), row),
    focus: () => row.focus(), value: () => chosen, name,
  };
}

function slider(scale, name, value, changed) {
  let chosen = value ?? null;
  let typed = "";
  let last = 0;
  const range = make("input", {
    type: "range", min: scale.low, max: scale.high, step: 1, class: "slider", "aria-label": name,
    oninput: () => set(Number(range.value)), onkeydown: pressed,
    // A tap on the middle of an untouched slider changes no value, but is an answer.
    onpointerup: () => set(Number(range.value)),
  });
  const shown = make("output", { class: "number" });
  const labels = make("div", { class: "anchors" }, ...Object.entries(scale.labels).map(
    ([at, text]) => make("button", { type: "button", class: "anchor", tabIndex: -1,
      onclick: () => set(Number(at)) }, make("b", {}, at), make("small", {}, text))));
  function show() {
    range.value = chosen ?? Math.round((scale.low + scale.high) / 2);
    range.classList.toggle("unset", chosen === null);
    shown.textContent = chosen === null ? "not yet" : String(chosen);
    range.setAttribute("aria-valuetext", chosen === null ? "not yet rated" : String(chosen));
  }
  function set(number) {
    chosen = Math.min(scale.high, Math.max(scale.low, Math.round(number)));
    show();
    changed({});
  }
  function pressed(event) {
    if (/^[0-9]$/.test(event.key)) {
      const now = performance.now();
      typed = now - last < PAUSE && Number(typed + event.key) <= scale.high
        ? typed + event.key : event.key;
      last = now;
      set(Number(typed));
    } else if (event.key === "Backspace") {
      typed = "";
      chosen = null;
      show();
      changed({});
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
  show();
  return {
    element: make("div", { class: "scale" },
      make("h3", {}, scale.criterion === "score" ? "Score of the whole: " : "Score: ", shown),
      range, Object.keys(scale.labels).length ? labels : null),
    focus: () => range.focus(), value: () => chosen, name,
  };
}
