// Many outputs at once: files are chosen or dropped, each is shown as it would be read, then sent.
//
// A preview is asked for as soon as a file is there, and again when other columns are chosen. What
// cannot be read, and what is the newest output of its system already, is not sent.

import { call } from "./forms.js";

const AT_ONCE = 3;
const form = document.getElementById("upload");
const input = form.elements.file;
const list = document.getElementById("previews");
const button = form.querySelector("button");
const bar = form.querySelector("progress");
let entries = [];

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function body(entry) {
  const data = new FormData();
  data.append("file", entry.file, entry.file.name);
  for (const one of entry.columns ?? []) data.append("column", one);
  const name = entries.length === 1 ? form.elements.system.value : (entry.name ?? "");
  // A file of several systems names them itself.
  if (name && (entry.preview?.systems.length ?? 1) < 2) data.append("system", name);
  return data;
}

async function look(entry) {
  const asked = (entry.asked = Symbol("asked")); // of several answers the last question's counts
  let found;
  try {
    found = await call("POST", form.dataset.preview, body(entry));
  } catch (problem) {
    found = { description: "", columns: [], systems: [], problem: problem.message };
  }
  if (entry.asked !== asked) return;
  entry.preview = found;
  draw(entry);
  update();
}

const repeated = (entry) => entry.preview.systems.every((one) => one.newest);
const ready = (entry) =>
  entry.preview && !entry.preview.problem && !entry.done && (!repeated(entry) || entry.insist);

function chooser(entry) {
  const box = element("details", "", "columns");
  const chosen = entry.preview.columns.filter((one) => one.role === "hypothesis");
  box.append(element("summary", chosen.length
    ? `Output in ${chosen.map((one) => one.name).join(", ")}` : "Which columns are outputs?"));
  box.open = entry.opened ?? Boolean(entry.preview.problem);
  box.addEventListener("toggle", () => { entry.opened = box.open; });
  for (const one of entry.preview.columns) {
    const label = element("label", "", "check");
    const tick = element("input");
    tick.type = "checkbox";
    tick.value = one.name;
    tick.checked = one.role === "hypothesis";
    tick.addEventListener("change", () => {
      entry.columns = [...box.querySelectorAll("input:checked")].map((each) => each.value);
      look(entry);
    });
    const words = element("span", "", "words");
    const name = element("bdi", one.name, "b");
    const role = element("span", one.role && one.role !== "hypothesis" ? ` (${one.role}) ` : " ", "q");
    const example = element("bdi", one.example, "s m");
    words.append(name, role, example);
    label.append(tick, words);
    box.append(label);
  }
  return box;
}

// What to say of outputs that are there already.
function same(entry) {
  const known = entry.preview.systems.filter((one) => one.identical);
  if (!known.length) return [];
  const told = element("p", "", "notice s");
  const names = known.slice(0, 3).map((one) => one.identical).join(", ");
  const more = known.length > 3 ? ` and ${known.length - 3} more` : "";
  told.textContent = `The same text as ${names}${more}.${repeated(entry) ? " It is not sent again." : ""}`;
  if (!repeated(entry)) return [told];
  const label = element("label", "", "check s");
  const tick = element("input");
  tick.type = "checkbox";
  tick.checked = Boolean(entry.insist);
  tick.addEventListener("change", () => { entry.insist = tick.checked; update(); });
  label.append(tick, "Send it all the same");
  return [told, label];
}

function draw(entry) {
  const { preview } = entry;
  const parts = [element("legend", entry.file.name)];
  parts[0].dir = "auto";
  if (preview.description) parts.push(element("p", preview.description, "s m"));
  if (preview.problem) {
    const problem = element("p", preview.problem, "problem s");
    problem.dir = "auto";
    parts.push(problem);
  }
  if (preview.systems.length === 1) {
    const example = element("p", preview.systems[0].example, "s q");
    example.dir = "auto";
    parts.push(example);
  }
  if (preview.systems.length === 1 && entries.length > 1) {
    const label = element("label", "System ");
    const field = element("input", "", "input");
    field.value = preview.systems[0].name;
    field.maxLength = 200;
    field.dir = "auto";
    field.setAttribute("list", "known-systems");
    field.addEventListener("change", () => { entry.name = field.value; look(entry); });
    label.append(field);
    parts.push(label);
  } else if (preview.systems.length > 1) {
    const names = element("p", preview.systems.map((one) => one.name).join(", "), "s");
    names.dir = "auto";
    parts.push(names);
  }
  if (preview.columns.length) parts.push(chooser(entry));
  parts.push(...same(entry));
  entry.box.replaceChildren(...parts);
  entry.box.dataset.state = preview.problem ? "problem" : "ready";
}

function update() {
  const waiting = entries.filter((one) => !one.preview).length;
  const outputs = entries.filter(ready).reduce((sum, one) => sum + one.preview.systems.length, 0);
  if (!entries.length || waiting) button.textContent = "Send";
  else if (!outputs) button.textContent = "Nothing to send";
  else button.textContent = outputs === 1 ? "Send" : `Send ${outputs} outputs`;
  button.disabled = Boolean(entries.length && !waiting && !outputs);
}

async function inTurn(some, work) {
  const left = [...some];
  const next = async () => { while (left.length) await work(left.shift()); };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

let looking = Promise.resolve();

function take(files) {
  entries = [...files].map((file) => ({ file, box: element("fieldset", "", "file") }));
  for (const entry of entries) {
    entry.box.append(element("legend", entry.file.name), element("p", "Reading …", "s q"));
  }
  list.hidden = !entries.length;
  list.replaceChildren(...entries.map((one) => one.box));
  document.getElementById("one-system").hidden = entries.length > 1;
  update();
  looking = inTurn(entries, look);
}

async function send() {
  button.disabled = true;
  await looking;
  const chosen = entries.filter(ready);
  bar.hidden = false;
  bar.max = chosen.length;
  bar.value = 0;
  let failed = 0;
  // One after the other: outputs are numbered in the order of their files.
  for (const entry of chosen) {
    const data = body(entry);
    data.append("note", form.elements.note.value);
    data.append("tags", form.elements.tags.value);
    try {
      await call("POST", form.getAttribute("action"), data);
      entry.done = true;
    } catch (problem) {
      failed += 1;
      entry.preview.problem = problem.message;
      draw(entry);
    }
    bar.value += 1;
  }
  const left = entries.some((one) => one.preview.problem);
  if (chosen.length && !failed && !left) location.reload();
  bar.hidden = true;
  const told = form.querySelector(":scope > .problem");
  told.hidden = !left || !chosen.length;
  const sent = chosen.length - failed;
  told.textContent = `${sent} of ${entries.length} files were sent; the others say why not.`;
  update();
}

input.addEventListener("change", () => take(input.files));
form.elements.system.addEventListener("change", () => { if (entries.length === 1) looking = look(entries[0]); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  send();
});

const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
addEventListener("dragover", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) document.body.classList.remove("dropping");
});
addEventListener("drop", (event) => {
  document.body.classList.remove("dropping");
  if (!hasFiles(event) || event.target.closest?.("input[type=file]")) return; // that one takes it
  event.preventDefault();
  input.files = event.dataTransfer.files;
  take(input.files);
  document.getElementById("send").scrollIntoView();
});
