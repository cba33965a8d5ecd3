// Why a pasted text scores what it does; texts enter the page through textContent only.

import { call } from "./forms.js";

const form = document.getElementById("explain");
const place = document.getElementById("explained");
const problem = form.querySelector("[role=alert]");

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function shown(one) {
  const made = element("article", null, "explanation");
  made.append(element("h2", `${one.title} ${one.text}${one.higher_is_better ? "" : " (less is better)"}`));
  const table = element("table", null, "parts");
  for (const part of one.components) {
    const line = element("tr");
    const value = part.value === null ? "–" : Number(part.value.toPrecision(6)).toString();
    line.append(element("td", [part.group, part.name].filter(Boolean).join(" ")), element("td", value),
                element("td", part.note ?? ""));
    table.append(line);
  }
  made.append(table);
  if (one.trace.length) {
    const lines = element("pre", one.trace.join("\n"));
    lines.dir = "auto";
    lines.tabIndex = 0;
    made.append(lines);
  }
  made.append(element("p", one.signature, "remark"));
  return made;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  problem.hidden = true;
  const references = form.elements.references.value.split("\n").filter((line) => line.trim());
  const metrics = [...form.elements.metrics.selectedOptions].map((one) => one.value);
  try {
    const found = await call("POST", form.dataset.address,
      { hypothesis: form.elements.hypothesis.value, references, metrics });
    place.replaceChildren(...found.map(shown));
  } catch (error) {
    problem.textContent = error.message;
    problem.hidden = false;
    place.replaceChildren();
  }
});
