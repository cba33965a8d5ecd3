// How segments differ: a histogram of the differences of B and A that can be brushed, and the share
// of segments in which each of them is poor, fair and good.

const BARS = 21;
const BANDS = ["poor", "fair", "good"];
const sizes = new Map(); // metric → the scores between which a segment is fair

const quantile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
const direct = (value) => (data.metrics[state.metric].higher ? value : -value);

// Fair is what lies between the lower and the upper quarter of all outputs shown here.
function fairScores() {
  if (!sizes.has(state.metric)) {
    const { segments, decimals } = data.metrics[state.metric];
    const all = segments.flat().filter((value) => value !== null)
      .map((value) => direct(value / 10 ** decimals)).sort((a, b) => a - b);
    sizes.set(state.metric, all.length ? [quantile(all, 0.25), quantile(all, 0.75)] : [NaN, NaN]);
  }
  return sizes.get(state.metric);
}

function bandOf(system, segment) {
  const [low, high] = fairScores();
  const value = direct(score(system, segment));
  if (Number.isNaN(value)) return "";
  return value < low ? "poor" : value >= high ? "good" : "fair";
}

// B's lead over A in every segment, negative where it is behind, and where the last hundredth begins.
function leads() {
  const values = data.references.map((_, i) => -gain(i));
  const known = values.filter((value) => !Number.isNaN(value));
  const away = known.map(Math.abs).sort((a, b) => a - b);
  return { values: known, limit: quantile(away, 0.98) || away[away.length - 1] || 1 };
}

const shownGain = (value) => {
  const text = Math.abs(value).toFixed(data.metrics[state.metric].decimals - 1);
  return value < 0 ? `−${text}` : `+${text}`;
};

// The ends of the brush in bars; those at the edges of the histogram hold all that lies beyond.
function brushed(from, to, limit) {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  const edge = (bar) => (-limit + (2 * limit * bar) / BARS).toFixed(data.metrics[state.metric].decimals);
  byId("gain-low").value = low <= 0 ? "" : edge(low);
  byId("gain-high").value = high >= BARS - 1 ? "" : edge(high + 1);
  if (low > 0 || high < BARS - 1) return;
  byId("gain-low").value = byId("gain-high").value = "";
}

const barAt = (svg, event) => {
  const box = svg.getBoundingClientRect();
  return Math.max(0, Math.min(BARS - 1, Math.floor((BARS * (event.clientX - box.left)) / box.width)));
};

function listenToSpread() {
  const svg = byId("differences");
  let start = -1;
  svg.addEventListener("pointerdown", (event) => {
    start = barAt(svg, event);
    svg.setPointerCapture(event.pointerId);
    brushed(start, start, leads().limit);
    update();
  });
  svg.addEventListener("pointermove", (event) => {
    if (start < 0) return;
    brushed(start, barAt(svg, event), leads().limit);
    update();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    svg.addEventListener(end, () => { start = -1; remember(); });
  }
}

function drawDifferences() {
  const { values, limit } = leads();
  const width = (2 * limit) / BARS;
  const bars = Array.from({ length: BARS }, () => 0);
  for (const value of values) {
    bars[Math.max(0, Math.min(BARS - 1, Math.floor((value + limit) / width)))] += 1;
  }
  const most = Math.max(1, ...bars);
  const [from, to] = ["gain-low", "gain-high"].map((name) => parseFloat(byId(name).value));
  const inside = (bar) => { // the middle of a bar stands for it, the outermost for all beyond
    const low = bar === 0 ? -Infinity : -limit + bar * width + width / 4;
    const high = bar === BARS - 1 ? Infinity : -limit + (bar + 1) * width - width / 4;
    return !(high < from) && !(low > to);
  };
  const middle = (BARS - 1) / 2;
  byId("differences").replaceChildren(...bars.map((count, bar) => {
    const lean = bar === middle ? "unsure" : bar > middle ? "ahead" : "behind";
    const height = (100 * count) / most;
    const made = drawn("rect", { class: inside(bar) ? lean : `${lean} out`, "data-bin": bar,
      x: `${(100 * bar) / BARS + 0.3}%`, width: `${100 / BARS - 0.6}%`,
      y: `${100 - height}%`, height: `${height}%` });
    made.append(drawn("title", {}, `${count} ${count === 1 ? "segment" : "segments"}`));
    return made;
  }), drawn("line", { class: "zero", x1: 0, x2: "100%", y1: "100%", y2: "100%" }));
  const ends = byId("differences-axis").querySelectorAll("text");
  ends[0].textContent = `${shownGain(-limit)} or less`;
  ends[2].textContent = `${shownGain(limit)} or more`;
  const share = (part) => `${Math.round((100 * values.filter(part).length) / Math.max(1, values.length))} %`;
  byId("differences-shares").replaceChildren(
    ...[["behind", "◂ B worse ", (value) => value < 0, ""], ["unsure", "equal ", (value) => value === 0, ""],
      ["ahead", "B better ", (value) => value > 0, " ▸"]].map(([lean, words, part, after]) => {
      const made = element("span", words, lean);
      made.append(element("b", share(part)), after);
      return made;
    }));
}

function bandButton(side, name, count, whole) {
  const chosen = state.band?.of === side && state.band.name === name;
  const made = element("button", `${name} ${Math.round((100 * count) / Math.max(1, whole))} %`, "btn band");
  made.type = "button";
  made.dataset.band = `${side}-${name}`;
  made.setAttribute("aria-pressed", String(chosen));
  made.addEventListener("click", () => {
    state.band = chosen ? null : { of: side, name };
    update();
    remember();
    document.querySelector(`[data-band="${made.dataset.band}"]`).focus();
  });
  return made;
}

function drawBands() {
  const [low, high] = fairScores();
  const frame = byId("bands");
  frame.closest("div").hidden = !(low < high);
  if (!(low < high)) return;
  const { title, decimals, higher } = data.metrics[state.metric];
  const shown = (value) => Math.abs(value).toFixed(decimals - 1);
  byId("bands-meaning").textContent = `${title}: poor is ${higher ? "below" : "above"} ${shown(low)}, good ` +
    `${shown(high)} or ${higher ? "more" : "less"}, a quarter of all outputs here each. Click to read them.`;
  const sides = data.systems.length > 1 ? ["first", "second"] : ["first"];
  frame.replaceChildren(...sides.map((side, k) => {
    const counts = BANDS.map((name) => data.references.filter((_, i) => bandOf(state[side], i) === name).length);
    const whole = counts.reduce((sum, count) => sum + count, 0);
    const line = element("div", null, "band-row");
    const name = element("span", sides.length > 1 ? `${"AB"[k]} ` : "");
    name.append(signOf(state[side]), element("bdi", data.systems[state[side]]));
    let x = 0;
    const bar = drawn("svg", { class: "iv", height: 12, "aria-hidden": "true" }, ...counts.map((count, i) => {
      const width = (100 * count) / Math.max(1, whole);
      x += width;
      return drawn("rect", { class: BANDS[i], x: `${x - width}%`, width: `${Math.max(0, width - 0.4)}%`, height: 12 });
    }));
    const buttons = element("span", null, "band-buttons");
    buttons.append(...BANDS.map((one, i) => bandButton(side, one, counts[i], whole)));
    line.append(name, bar, buttons);
    return line;
  }));
}

function drawSpread() {
  byId("spread-differences").hidden = data.systems.length < 2;
  if (data.systems.length > 1) drawDifferences();
  drawBands();
}
