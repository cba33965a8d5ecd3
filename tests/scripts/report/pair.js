import { equal, open, test } from "/tests/harness.js";

const BLEU = { title: "BLEU", tip: "bleu|v", lower: false, people: false, lean: "ahead", delta: "+1.2", interval: "0.2 to 2.2",
  words: "", mark: [10, 30, 20, false, false], width: 80, agree: 0.804, told: "of pairs like these" };
const TER = { ...BLEU, title: "TER", lower: true, lean: "unsure", delta: "-0.1", mark: [0, 100, 50, true, true], width: null, told: "nobody knows" };
const PEOPLE = { ...BLEU, title: "fluency", people: true, lean: "behind", mark: [40, 40, 40, false, false] };
const NONE = { ...BLEU, title: "chrF", mark: null, words: "no scores" };
const PAIR = { say: "A is ahead.", why: "By both.", meters: [["evidence", 2, "strong", "of three"]], band: [45, 10], rows: [BLEU, TER, PEOPLE, NONE] };

async function pair({ systems = ["alder", "birch", "cedar"], first = 0, second = 1, paired = true, shown = PAIR } = {}) {
  const page = await open('<section id="pair"><p id="pair-shown">as made</p></section>');
  page.module = (await page.load("/report.js")).default;
  page.module.set({ systems, pairs: { "0-1": shown } });
  Object.assign(page.module.state, { first, second, paired });
  page.module.showPair();
  return page;
}

const SVG = 'xmlns="http://www.w3.org/2000/svg"';
const plain = (html) => html.replaceAll(` ${SVG}`, "");
const whole = (page, selector) => plain(page.html(selector));

test("what the page was made with stays until somebody chooses", async () => {
  const page = await pair({ paired: false });
  equal([page.$("#pair-shown").innerHTML, page.$("#pair").hidden, page.$("#pair").className], ["as made", false, ""]);
});

test("of two systems the first pair opens the page, and is not shown twice", async () => {
  const systems = ["alder", "birch"];
  equal((await pair({ systems })).$("#pair").hidden, true);
  equal((await pair({ systems, first: 1, second: 0 })).$("#pair").hidden, false);
  equal((await pair()).$("#pair").hidden, false);
});

test("a pair that is not there is told", async () => {
  const same = await pair({ first: 2, second: 2 });
  equal(same.$("#pair-shown").innerHTML, '<p class="m">A and B are the same system.</p>');
  const page = await pair({ first: 2, second: 1 });
  equal(page.$("#pair-shown").innerHTML, '<p class="m">This page holds pairs with the first system only: choose it as A.</p>');
  equal(page.$("#pair").classList.contains("chosen"), false);
});

test("the verdict of a pair, with its meters", async () => {
  const page = await pair();
  equal(page.$("#pair").className, "chosen");
  equal(page.all("#pair-shown > *").map((one) => one.className), ["say", "why", "meters", "forest"]);
  equal([page.html(".say"), page.html(".why")], ['<p class="say" dir="auto">A is ahead.</p>', '<p class="why" dir="auto">By both.</p>']);
  equal(page.html(".meters"), '<div class="meters"><span class="m">evidence</span><span class="nw">'
    + '<span class="meter" role="img" aria-label="evidence: strong"><i><b class="on"></b><b class="on"></b><b></b></i></span> '
    + '<span class="b">strong</span></span><span class="s m">of three</span></div>');
  equal((await pair({ shown: { ...PAIR, why: "" } })).all(".why").length, 0);
});

test("the head of a forest plot has the name of B where there is room", async () => {
  const page = await pair();
  equal(whole(page, ".forest thead"), '<thead><tr><td></td><td class="plot"><svg class="iv" height="20" aria-hidden="true">'
    + '<text x="0" y="14" text-anchor="start">◂ birch behind</text><text x="50%" y="14" text-anchor="middle">0</text>'
    + '<text x="100%" y="14" text-anchor="end">ahead ▸</text></svg></td><th class="num" scope="col">Δ</th>'
    + '<th class="num fold" scope="col">95 % interval</th><th class="num" scope="col">people agree</th></tr></thead>');
  for (const [name, told] of [["fourteen chars", "◂ fourteen chars behind"], ["fifteen letters", "◂ behind"]]) {
    equal((await pair({ systems: ["a", name, "c"] })).$("thead text").textContent, told);
  }
});

const band = '<rect class="band" x="45%" width="10%" y="0" height="100%"></rect><line class="zero" x1="50%" x2="50%" y1="0" y2="100%"></line>';
const agreed = '<td class="num"><span class="agree" title="of pairs like these"><svg class="iv" height="8" aria-hidden="true">'
  + '<rect class="track" width="100%" height="8" rx="2"></rect><rect width="80%" height="8" rx="2" fill="var(--ink-3)"></rect></svg><span>80 %</span></span></td>';

test("a row of a forest plot: an interval, its middle and how often people agree", async () => {
  const page = await pair({ shown: { ...PAIR, rows: [BLEU] } });
  equal(whole(page, ".forest tbody"), '<tbody><tr><th scope="row" title="bleu|v"><bdi class="name">BLEU</bdi></th>'
    + `<td class="plot"><svg class="iv" height="32" aria-hidden="true">${band}<g class="ahead"><line class="bar" x1="10%" x2="30%" y1="50%" y2="50%"></line>`
    + '<svg class="dot" x="20%" y="50%"><path d="M-4-5.4 6 0-4 5.4Z"></path></svg></g></svg></td>'
    + `<td class="num ahead b">+1.2</td><td class="num s m fold">0.2 to 2.2</td>${agreed}</tr></tbody>`);
});

test("what is unsure is a dot, and an interval that goes on has arrows", async () => {
  const page = await pair({ shown: { ...PAIR, rows: [TER] } });
  equal(page.html("th[scope=row]"), '<th scope="row" title="bleu|v"><bdi class="name">TER</bdi> <span class="q">↓</span></th>');
  equal(whole(page, "g"), '<g class="unsure"><line class="bar" x1="0%" x2="100%" y1="50%" y2="50%"></line>'
    + '<svg x="0%" y="50%"><path class="bar" fill="none" d="M5-5 0 0 5 5"></path></svg>'
    + '<svg x="100%" y="50%"><path class="bar" fill="none" d="M-5-5 0 0-5 5"></path></svg>'
    + '<svg class="dot" x="50%" y="50%"><circle r="4.5"></circle></svg></g>');
  equal([page.$("td.unsure").className, page.$("td:last-child").innerHTML], ["num unsure", '<span class="s m only-l">nobody knows</span>']);
});

test("a row of people stands out, and one without an interval has no bar", async () => {
  const page = await pair({ shown: { ...PAIR, rows: [PEOPLE] } });
  equal([page.$("tbody tr").className, page.$("tbody svg").getAttribute("height")], ["people", "36"]);
  equal(page.html("th[scope=row]"), '<th scope="row" title="bleu|v"><b>fluency</b> <span class="s q">people</span></th>');
  equal(whole(page, "g"), '<g class="behind"><svg class="dot" x="40%" y="50%"><path d="M4-5.4-6 0 4 5.4Z"></path></svg></g>');
});

test("a metric without scores says so instead of a picture", async () => {
  const page = await pair({ shown: { ...PAIR, rows: [NONE] } });
  equal(page.html("tbody td.plot"), '<td class="plot"><span class="s q">no scores</span></td>');
});
