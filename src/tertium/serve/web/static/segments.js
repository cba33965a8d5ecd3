// The start of the segment browser on a page of the server; joined to the parts of reports.

function redraw() {} // there are no plots here

function showChoice() {
  const several = data.systems.length > 1;
  byId("words").hidden = !several;
  byId("second").closest("label").hidden = !several;
  if (several) showWords();
}

// Genres, documents and lengths to choose from, as far as there are any.
function addSlices() {
  const before = byId("low").closest("label");
  data.slices.forEach((slice, place) => {
    const label = element("label", slice.by[0].toUpperCase() + slice.by.slice(1));
    const select = element("select", null, "slice");
    select.dataset.slice = String(place);
    const counts = slice.labels.map(() => 0);
    for (const one of slice.of) counts[one] += 1;
    const all = element("option", "all");
    all.value = "";
    select.append(all, ...slice.labels.map((name, i) => {
      const option = element("option", `${name} (${counts[i]})`);
      option.value = String(i);
      return option;
    }));
    label.append(select);
    before.before(label);
  });
}

async function startHere() {
  const parts = byId("browser-parts");
  const response = await fetch(parts.dataset.address, { credentials: "same-origin" });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  data = answer;
  wordsShown = "-"; // no words came with the page
  addSlices();
  prepare();
  // A and B stand as they were asked for; of all systems, they are the second best and the best.
  const [first, second = first] = (parts.dataset.best ?? "0,1").split(",").map(Number);
  state.first = first;
  state.second = Math.min(second, data.systems.length - 1);
  for (const key of ["first", "second"]) byId(key).value = String(state[key]);
  const segment = recall();
  parts.hidden = false;
  byId("loading").hidden = true;
  byId("choices").hidden = false;
  update();
  showChoice();
  if (segment >= 0) choose(segment, { scroll: true });
  document.documentElement.dataset.ready = "yes";
}

startHere().catch((problem) => { byId("loading").textContent = problem.message; });
