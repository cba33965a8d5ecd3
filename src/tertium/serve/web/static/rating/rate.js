// The rater's page: shows an item, keeps what the rater says, goes on. Saving never waits: events
// go to a queue that lives in localStorage until the server has them.

import { make } from "./dom.js";
import { ask, newKey, Queue, Refused } from "./queue.js";
import { Sheet } from "./sheet.js";

const api = document.body.dataset.api;
const $ = (name) => document.getElementById(name);
const state = { work: null, sheet: null, page: null, progress: null, queue: null, next: new Map(),
  spent: 0, since: 0, done: [], feedback: false, busy: false, waiting: false };

// Time counts while the page is seen.
function seconds() {
  const running = document.hidden ? 0 : performance.now() - state.since;
  return Math.min(86_400, (state.spent + running) / 1000);
}
document.addEventListener("visibilitychange", () => {
  if (document.hidden) state.spent += performance.now() - state.since;
  state.since = performance.now();
  keepDraft();
});

const draftName = () => `${state.queue.name}-draft`;
function keepDraft() {
  if (!state.sheet || !state.queue || state.feedback) return;
  try {
    localStorage.setItem(draftName(), JSON.stringify(
      { number: state.page.number, values: state.sheet.values(), seconds: seconds() }));
  } catch { /* private windows */ }
}
function draft(number) {
  try {
    const kept = JSON.parse(localStorage.getItem(draftName()));
    return kept?.number === number ? kept : null;
  } catch { return null; }
}

function tell(sentence, kind = "notice") {
  $("notice").textContent = sentence ?? "";
  $("notice").className = kind;
  $("notice").hidden = !sentence;
}

function showProgress() {
  const { progress } = state;
  const waiting = state.queue?.size ?? 0;
  const done = Math.min(progress.assigned, progress.done);
  $("progress").max = Math.max(1, progress.assigned);
  $("progress").value = done;
  $("count").textContent = `${done} of ${progress.assigned} done`;
  const ended = state.queue?.ended;
  $("saved").textContent = ended ? `${waiting} kept in this browser` : waiting
    ? `${waiting} not yet sent` : "all saved";
  $("saved").classList.toggle("waiting", waiting > 0);
  $("undo").disabled = !state.done.length && progress.last === null;
  if (ended) {
    tell(`You cannot rate here any more (${ended}). ${waiting
      ? "What was not sent is kept in this browser; ask for a new link." : ""}`, "problem");
  }
}

function show(page) {
  state.page = page;
  state.feedback = state.waiting = false;
  state.spent = 0;
  state.since = performance.now();
  const kept = draft(page.number);
  if (kept) state.spent = kept.seconds * 1000;
  state.sheet = new Sheet(state.work.protocol, page, kept?.values ?? page.values, () => { tell(null); keepDraft(); });
  $("place").textContent = page.tutorial ? "Practice" : `Item ${page.number}`;
  $("place").hidden = false;
  $("item").replaceChildren(state.sheet.element);
  $("actions").hidden = false;
  tell(page.tutorial ? "This one is for practice: you will be told what was expected." : null);
  scrollTo(0, 0);
  state.sheet.focus();
  showProgress();
  for (const step of [1, 2, 3]) ahead(page.number + step);
  document.documentElement.dataset.number = page.number;
  document.documentElement.dataset.ready = "yes";
}

// Items after this one are asked for while the rater reads this one.
function ahead(number) {
  if (number > state.progress.assigned || state.next.has(number)) return;
  const coming = ask("GET", `${api}/items/${number}`).catch(() => {
    state.next.delete(number);
    return null;
  });
  state.next.set(number, coming);
}

function finish() {
  document.documentElement.dataset.number = "";
  document.documentElement.dataset.ready = "yes";
  state.sheet = state.page = null;
  $("actions").hidden = true;
  const closed = state.work.state !== "open";
  const sentence = closed ? "This campaign is not open now."
    : state.progress.done ? "That was all for now. Thank you!" : "There is nothing to rate yet.";
  $("place").textContent = "";
  $("place").hidden = true;
  $("item").replaceChildren(make("section", { class: "finished" },
    make("h2", { tabIndex: -1 }, sentence),
    make("p", {}, "Everything you did is saved. You may close this page."),
    make("button", { type: "button", onclick: () => goOn(null) }, "Look for more"),
    " ", state.done.length || state.progress.last
      ? make("button", { type: "button", onclick: undo }, "Undo the last one") : null));
  showProgress();
}

async function goOn(number) {
  const wanted = number === null ? null : number + 1;
  if (wanted !== null && wanted <= state.progress.assigned) {
    ahead(wanted);
    const page = await state.next.get(wanted);
    state.next.delete(wanted);
    if (page?.state === "open") { show(page); return; }
  }
  // The server knows best what is left, once it has everything.
  await state.queue.flush();
  if (state.queue.size && !state.queue.ended) {
    waitToGoOn(number);
    return;
  }
  try {
    const answer = await ask("POST", `${api}/next`);
    state.progress = answer.progress;
    if (answer.page) show(answer.page);
    else finish();
  } catch (problem) {
    if (problem instanceof Refused && problem.status < 500 && problem.status !== 429) {
      state.queue.ended ??= problem.message;
      showProgress();
    } else {
      waitToGoOn(number);
    }
  }
}

function waitToGoOn(number) {
  state.waiting = true; // what is on the screen is done: no key may send it again
  tell("No connection now. What you did is kept here and sent when the connection is back.");
  setTimeout(() => goOn(number), 2000);
}

function event(action, values = {}) {
  return { key: newKey(), number: state.page.number, action, values,
    seconds: Number(seconds().toFixed(2)) };
}

async function submit() {
  if (state.busy || state.waiting || !state.page) return;
  if (state.feedback) { await locked(() => goOn(state.page.number)); return; }
  const open = state.sheet.open;
  if (open) {
    open.focus();
    tell(`Still to answer: ${open.name}.`);
    return;
  }
  await locked(async () => {
    const sent = event("rate", state.sheet.values());
    const { number, tutorial } = state.page;
    forget();
    state.done.push(number);
    state.progress = { ...state.progress, done: state.progress.done + 1 };
    const sending = state.queue.add(sent);
    if (tutorial) await sending;
    if (!tutorial || !state.feedback) await goOn(number);
  });
}

function forget() {
  try { localStorage.removeItem(draftName()); } catch { /* private windows */ }
}

async function skip() {
  if (state.busy || state.waiting || !state.page || state.feedback) return;
  await locked(async () => {
    forget();
    const { number } = state.page;
    state.done.push(number);
    state.queue.add(event("skip"));
    await goOn(number);
  });
}

async function undo() {
  if (state.busy || state.waiting) return;
  const number = state.done.pop() ?? state.progress.last;
  if (!number) return;
  await locked(async () => {
    try {
      // First what was said, as far as the server has it: without it there is nothing to go back to.
      await state.queue.flush();
      if (state.queue.size) throw new Error("not sent yet");
      const page = await ask("GET", `${api}/items/${number}`);
      await state.queue.add({ key: newKey(), number, action: "undo", values: {}, seconds: 0 });
      state.next.clear();
      show(page);
      tell("Taken back. Change it, then go on.");
    } catch {
      state.done.push(number);
      tell("No connection now, so nothing was taken back. Try again.");
    }
  });
}

async function locked(work) {
  state.busy = true;
  try { await work(); } finally { state.busy = false; }
}

function stored(answer, sent) {
  state.progress = answer.progress;
  for (const one of answer.feedback) {
    if (one.number === sent.number && state.page?.number === sent.number) showFeedback(one);
  }
  showProgress();
}

function showFeedback(one) {
  state.feedback = true;
  const expected = Object.entries(one.expected).flatMap(([slot, ranges]) =>
    Object.entries(ranges).map(([name, [low, high]]) =>
      `${Object.keys(one.expected).length > 1 ? `${slot}: ` : ""}${name} ${low === high ? low : `${low} to ${high}`}`));
  $("item").prepend(make("section", { class: one.passed ? "feedback passed" : "feedback off",
    tabIndex: -1, role: "status" },
  make("h2", {}, one.passed ? "As expected" : "Not quite as expected"),
  one.text ? make("p", { dir: "auto" }, one.text) : null,
  expected.length ? make("p", { class: "remark" }, `Expected: ${expected.join(", ")}`) : null));
  $("item").firstElementChild.focus();
  scrollTo(0, 0);
}

document.addEventListener("keydown", (pressed) => {
  if (pressed.ctrlKey || pressed.metaKey || pressed.altKey) return;
  const typing = /^(TEXTAREA|SELECT)$/.test(pressed.target.tagName);
  const button = pressed.target.closest?.("button, summary, a");
  if (typing) return;
  if (pressed.key === "Enter" && !(button && !button.closest(".steps"))) submit();
  else if (pressed.key === "u") undo();
  else if (pressed.key === "s") skip();
  else if (pressed.key === "ArrowDown" && state.sheet) state.sheet.move(1);
  else if (pressed.key === "ArrowUp" && state.sheet) state.sheet.move(-1);
  else if (pressed.key === "?") $("help").open = !$("help").open;
  else return;
  pressed.preventDefault();
}, { capture: false });

// A slider would take up and down for itself; here they move between questions.
document.addEventListener("keydown", (pressed) => {
  if (pressed.target.type === "range" && ["ArrowUp", "ArrowDown"].includes(pressed.key)) {
    pressed.preventDefault();
  }
}, { capture: true });

function keys(protocol) {
  const rows = [["Enter", "go on to the next item"], ["u", "undo the last one"],
    ["s", "skip this one"], ["↑ ↓", "move between questions"], ["?", "show or hide this help"]];
  if (protocol.ranked) rows.unshift(["1 – 9", "rank of the translation you are at"]);
  const steps = protocol.scales.find((one) => one.whole);
  if (steps) rows.unshift([`${steps.low} – ${steps.high}`, "the answer you are at"]);
  if (protocol.scales.some((one) => !one.whole)) {
    rows.unshift(["0 – 100", "on the slider: type the number"], ["← →", "on the slider: one less, one more"]);
  }
  if (protocol.severities.length) {
    rows.unshift(["← →", "in a text: move by word"], ["Shift ← →", "extend to more words"],
      ...protocol.severities.map((name, at) => [String(at + 1), `mark a ${name} error`]),
      ["m", "mark missing text"], ["Delete", "remove the error at the cursor"],
      ["Tab", "from the source to the translation and on"]);
  }
  return make("ul", { class: "keys" }, ...rows.map(([key, what]) => make("li", {},
    make("kbd", {}, key), what)));
}

async function begin() {
  try {
    state.work = await ask("GET", api);
    state.progress = state.work.progress;
    const first = await ask("POST", `${api}/next`);
    state.progress = first.progress;
    state.queue = new Queue(`tertium-rating-${first.me}`, api, {
      changed: showProgress, stored,
      refused: (_, sentence) => tell(`Not accepted: ${sentence}`, "problem"),
    });
    $("title").textContent = state.work.name;
    $("asked").textContent = state.work.protocol.instructions;
    $("words").textContent = state.work.instructions;
    $("keys").replaceChildren(keys(state.work.protocol));
    $("help").open = Boolean(state.work.instructions) && !state.progress.done;
    // What an earlier visit could not send goes first; then the server knows where to go on.
    if (state.queue.size) { await state.queue.flush(); await goOn(null); }
    else if (first.page) show(first.page);
    else finish();
  } catch (problem) {
    tell(problem instanceof Refused ? `This cannot be shown: ${problem.message}`
      : "The server cannot be reached. Load this page again in a while.", "problem");
    document.documentElement.dataset.ready = "yes";
  }
}

if (navigator.maxTouchPoints > 0) document.documentElement.classList.add("touch");
$("next").addEventListener("click", submit);
$("undo").addEventListener("click", undo);
$("skip").addEventListener("click", skip);
begin();
