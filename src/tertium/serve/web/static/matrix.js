// The matrix of systems and test sets: one metric at a time. Without this script all are there.
"use strict";
{
  const choice = document.getElementById("matrix-metrics");
  const buttons = choice ? [...choice.querySelectorAll("button")] : [];
  const show = (chosen) => {
    for (const one of buttons) {
      one.setAttribute("aria-pressed", String(one === chosen));
      document.getElementById(one.getAttribute("aria-controls")).hidden = one !== chosen;
    }
  };
  for (const one of buttons) one.addEventListener("click", () => show(one));
  if (choice) {
    choice.hidden = false;
    show(buttons[0]);
  }
}
