// Who is right: 1 or 2, or 0 for neither. What was decided stays in the adjudicated layer.
import { Saving } from "./saving.js";

const list = document.getElementById("pairs");
const rows = () => [...list.querySelectorAll("li")];
let current = 0;

const saving = new Saving(list.dataset.api, document.getElementById("saving"), (answer) => {
  if (answer === null) location.reload();
});

function go(place, scroll = true) {
  const every = rows();
  current = Math.max(0, Math.min(place, every.length - 1));
  for (const [k, row] of every.entries()) row.classList.toggle("current", k === current);
  if (scroll) every[current]?.scrollIntoView({ block: "nearest" });
}

function decide(choice) {
  const row = rows()[current];
  if (!row || !row.querySelector("button")) return;
  const pair = JSON.parse(row.dataset.pair);
  const key = (one) => JSON.stringify([one.segment, one.start, one.end, one.type]);
  const taken = choice ? pair[choice] : [];
  const right = new Set(taken.map(key));
  const changes = [...pair.first, ...pair.second].filter((one) => !right.has(key(one)))
    .map((one) => ({ ...one, action: "remove", origin: "adjudication" }));
  changes.push(...taken.map((one) => ({ ...one, action: "add", origin: "adjudication" })));
  saving.add(changes);
  row.classList.add("done");
  row.dataset.choice = choice || "neither";
  go(current + 1);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const action = {
    1: () => decide("first"), 2: () => decide("second"), 0: () => decide(""),
    ArrowDown: () => go(current + 1), j: () => go(current + 1),
    ArrowUp: () => go(current - 1), k: () => go(current - 1),
  }[event.key];
  if (!action) return;
  event.preventDefault();
  action();
});
list.addEventListener("click", (event) => {
  const row = event.target.closest("li");
  if (!row) return;
  go(rows().indexOf(row), false);
  const choice = event.target.closest("button")?.dataset.choice;
  if (choice !== undefined) decide(choice);
});
go(0, false);
document.documentElement.dataset.ready = "yes";
