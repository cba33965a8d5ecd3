// Plots: figures come ready from Python; here they get the page's colours and size.

const THEMELESS = "#1F2328"; // the ink of the figures as they come
const PRINTED_WIDTH = 660;
const narrow = () => document.documentElement.clientWidth < NARROW;
let printing = false;

function setTheme(name) {
  document.documentElement.dataset.theme = name;
  byId("theme").setAttribute("aria-pressed", String(name === "dark"));
  if (data) redraw();
}

function colours() {
  const probe = element("span");
  document.body.append(probe);
  const [ink, soft, line] = ["--ink", "--ink-2", "--line"].map((name) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  });
  probe.remove();
  return { ink, soft, line };
}

// The height that the page keeps free for a plot; paper is as tall as a wide page.
function sized(plot) {
  const height = (name) => parseInt(plot.style.getPropertyValue(name), 10);
  if (printing) return { width: PRINTED_WIDTH, height: height("--tall") };
  return { height: height(narrow() ? "--short" : "--tall") };
}

function themedLayout(plot, layout) {
  const { ink, soft, line } = colours();
  const { width, ...rest } = layout;
  const result = { ...rest, autosize: !printing, ...sized(plot),
                   font: { ...layout.font, color: ink },
                   modebar: { bgcolor: "rgba(0,0,0,0)", color: soft, activecolor: ink } };
  if (narrow() && !printing) {
    result.showlegend = false; // it stands under the plot instead
    result.dragmode = false; // a finger scrolls the page
    result.margin = { ...layout.margin, l: 12, r: 12, b: 50 };
    result.title = { ...layout.title, font: { ...layout.title.font, size: 13 } };
  }
  for (const axis of Object.keys(result).filter((key) => /^[xy]axis\d*$/.test(key))) {
    result[axis] = { ...result[axis], gridcolor: line, linecolor: line };
  }
  return result;
}

function themedTrace(trace, emphasised) {
  const { ink } = colours();
  const swap = (style) => style?.color === THEMELESS ? { ...style, color: ink } : style;
  const result = { ...trace };
  if (trace.textfont) result.textfont = swap(trace.textfont);
  if (trace.line) result.line = swap(trace.line);
  if (emphasised) {
    const chosen = [state.first, state.second].includes(trace.meta);
    result.opacity = chosen ? 1 : 0.45;
    result.line = { ...result.line, width: chosen ? 3 : 1.5 };
  }
  return result;
}

function draw(plot, figure) {
  plot.classList.add("drawn");
  const place = plot.querySelector(".drawing");
  const emphasised = figure.layout.showlegend && data.systems.length > DISTINCT;
  Plotly.react(
    place,
    figure.data.map((trace) => themedTrace(trace, emphasised)),
    themedLayout(plot, figure.layout),
    { responsive: !printing, displaylogo: false, displayModeBar: narrow() ? false : "hover",
      // Plotly offers to upload charts. What is on this page stays here.
      plotlyServerURL: "",
      modeBarButtonsToRemove: ["sendChartToCloud", "sendDataToCloud", "select2d", "lasso2d",
                               "autoScale2d"] },
  );
  return place;
}

const shortName = (name) => name.length > 30 ? `${name.slice(0, 15)}…${name.slice(-14)}` : name;

function drawScatter(plot) {
  const metric = data.metrics[state.metric];
  const x = metric.segments[state.first].map((_, i) => score(state.first, i));
  const y = metric.segments[state.second].map((_, i) => score(state.second, i));
  const both = x.concat(y).filter((value) => !Number.isNaN(value));
  const digits = data.metrics[state.metric].decimals - 1;
  const low = both.reduce((a, b) => Math.min(a, b), Infinity);
  const high = both.reduce((a, b) => Math.max(a, b), -Infinity);
  const base = data.figures.scores[metric.spec].layout;
  const axis = (letter, system) => ({ ...base.xaxis, type: "linear",
    title: { text: plain(`${metric.title} of ${letter}: ${shortName(data.systems[system])}`) } });
  const place = draw(plot, {
    data: [
      { type: "scatter", mode: "lines", x: [low, high], y: [low, high], hoverinfo: "skip",
        line: { color: "#888", dash: "dot", width: 1 } },
      { type: "scatter", mode: "markers", x, y, customdata: x.map((_, i) => i + 1),
        hovertemplate:
          `segment %{customdata}: %{x:.${digits}f} → %{y:.${digits}f}<extra></extra>`,
        marker: { size: 5, opacity: 0.6, color: data.colours[state.second] } },
      { type: "scatter", mode: "markers", hoverinfo: "skip",
        x: state.chosen < 0 ? [] : [x[state.chosen]],
        y: state.chosen < 0 ? [] : [y[state.chosen]],
        marker: { size: 13, symbol: "circle-open", color: colours().ink, line: { width: 3 } } },
    ],
    layout: { ...base, showlegend: false,
      title: { ...base.title, text: `${plain(metric.title)}, segment by segment` },
      xaxis: axis("A", state.first),
      yaxis: axis("B", state.second) },
  });
  if (!plot.dataset.listens) {
    plot.dataset.listens = "yes";
    place.on("plotly_click", (event) => {
      const point = event.points.find((one) => one.customdata !== undefined);
      if (point) choose(point.customdata - 1, { scroll: true });
    });
  }
}

function drawPlot(plot) {
  const name = plot.id.replace("plot-", "");
  plot.dataset.stale = "no";
  if (name === "scatter") {
    if (data.systems.length > 1) drawScatter(plot);
    else plot.hidden = true;
    return;
  }
  const figure = data.figures[name]?.[data.metrics[state.metric].spec];
  plot.hidden = !figure;
  if (figure) draw(plot, figure);
}

const watcher = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    entry.target.dataset.visible = entry.isIntersecting ? "yes" : "";
    if (entry.isIntersecting && entry.target.dataset.stale !== "no") drawPlot(entry.target);
  }
}, { rootMargin: "300px" });

function redraw(names) {
  for (const plot of document.querySelectorAll(".plot[id]")) {
    if (names && !names.includes(plot.id)) continue;
    plot.dataset.stale = "yes";
    // A hidden plot never comes into view, though another metric may have something to show.
    if (plot.dataset.visible || plot.hidden) drawPlot(plot);
  }
}

// Paper is light and of another width, and it shows plots that nobody has scrolled to.
function listenToPrinter() {
  let before = "light";
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    printing = true;
    setTheme("light");
    for (const plot of document.querySelectorAll(".plot[id]")) drawPlot(plot);
  });
  addEventListener("afterprint", () => {
    printing = false;
    setTheme(before);
  });
}
