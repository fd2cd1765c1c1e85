// Builds and draws the page, and handles its controls.

const get = (id) => document.getElementById(id);
const data = JSON.parse(get("data").textContent);
const playback = new Playback(data);

// Creates elements with names as text: nothing in a record is ever interpreted as markup.
function make(tag, properties, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Formats numbers and times for people.
const count = (number) => number.toLocaleString("en");
const many = (number, what) => `${count(number)} ${what}${number === 1 ? "" : "s"}`;
const digits = (number) => Number(number.toPrecision(3)).toLocaleString("en");
const percent = (share) => (share * 100).toFixed(1).replace(".0", "") + " %";
function span(ticks) {
  const seconds = ticks / data.unit;
  if (seconds < 120) return digits(seconds) + " s";
  if (seconds < 7200) return digits(seconds / 60) + " min";
  if (seconds < 172800) return digits(seconds / 3600) + " h";
  return digits(seconds / 86400) + " d";
}
function moment(ticks) {
  const seconds = Math.floor(ticks / data.unit), two = (number) => String(number).padStart(2, "0");
  const clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map((part) => two(Math.floor(part))).join(":");
  const part = ticks % data.unit;
  const rest = part > 0 ? "." + String(part).padStart(String(data.unit).length - 1, "0").replace(/0+$/, "") : "";
  return (data.end >= 86400 * data.unit ? `${Math.floor(seconds / 86400)} d ` : "") + clock + rest;
}

// Converts between times and fractions of the page's time span.
const LENGTH = data.end - data.start;
const shareOf = (time) => (LENGTH > 0 ? (time - data.start) / LENGTH : 0);
const timeOf = (share) => Math.round(data.start + share * LENGTH);

let now = data.start, plays = false, marked = null, pointed = null, stale = true;

function head() {
  const policies = new Set(data.schedulers.map((scheduler) => scheduler.policy));
  document.title = `${data.scenario} – gridsat view`;
  say(get("scenario"), data.scenario);
  say(get("about"), [
    [...policies].join(" / "),
    `${many(playback.nodes, "node")} in ${many(data.clusters.length, "cluster")}`,
    many(data.submitted, "job"),
    ...(data.seed === null ? [] : [`seed ${data.seed}`]),
    `gridsat ${data.version}`,
  ].join(" · "));
  const isPart = data.start > 0, jobs = `${count(playback.jobs.number.length)} of ${many(data.submitted, "job")}`;
  get("note").hidden = !data.cut && !isPart;
  say(get("note"), isPart
    ? `This page shows a part of the run, from ${moment(data.start)} to ${moment(data.end)}, with ${jobs}; `
      + `it counts from there${data.cut ? ", and the run goes on" : ""}.`
    : `This page ends at ${moment(data.end)}, when ${jobs} had come; the run goes on.`);
}

// One card per scheduler: its queue and its clusters.
function makeScheduler({ name, policy, clusters }) {
  const about = make("small"), canvas = make("canvas");
  const largest = playback.jobs.nodes.reduce((a, b) => Math.max(a, b), 1);
  canvas.setAttribute("role", "img");
  const isAlone = clusters.length === 1 && playback.clusters[clusters[0]].name === name;
  const views = clusters.map((id) => makeCluster(playback.clusters[id], isAlone ? "Nodes" : playback.clusters[id].name));
  get("grid").classList.toggle("many", data.schedulers.length > 1);
  get("grid").append(make("article", { className: "card" },
    make("div", { className: "head" }, make("h2", {}, name), make("small", {}, policy)),
    make("div", { className: "queue" },
      make("div", { className: "head" }, make("h3", { title: "in the order of arrival" }, "Queue"), about), canvas),
    make("div", { className: "clusters" }, ...views.map((view) => view.box))));
  const queue = new QueueView(canvas, largest, data.schedulers.length > 1 ? 40 : 64);
  return { queue, about, views, clusters: new Set(clusters) };
}

function makeCluster(cluster, title) {
  const about = make("small"), canvas = make("canvas");
  canvas.setAttribute("role", "img");
  const box = make("div", { className: "cluster" },
    make("div", { className: "head" }, make("h3", {}, title), about), canvas);
  return { cells: new ClusterView(cluster, canvas), about, box, cluster };
}

// Name, current value, remark, values over time, and the largest value if it is known.
const peak = (level) => playback.column[level].reduce((a, b) => Math.max(a, b), 0);
const TILES = [
  ["Utilisation", (s) => percent(s.busy / playback.nodes), (s) => `${percent(s.utilisation)} so far`,
    (parts) => playback.means("busy", parts).map((busy) => busy / playback.nodes), 1],
  ["Waiting jobs", (s) => count(s.waiting), (s, most) => `mean ${digits(s.meanWaiting)}, peak ${count(most)}`,
    (parts) => playback.means("waiting", parts), peak("waiting")],
  ["Running jobs", (s) => count(s.running), (s, most) => `mean ${digits(s.meanRunning)}, peak ${count(most)}`,
    (parts) => playback.means("running", parts), peak("running")],
  ["Mean wait so far", (s) => span(s.meanWait), (_, most) => `peak ${span(most)}`,
    (parts) => Float64Array.from({ length: parts }, (_, i) =>
      playback.statistics(data.start + ((i + 1) * LENGTH) / parts).meanWait)],
];

function makeTile([name, value, remark, values, top]) {
  const cursor = make("div", { className: "cursor" });
  const chart = make("div", { className: "chart" }, make("canvas"), make("canvas"), cursor);
  const number = make("b"), more = make("small");
  get("statistics").append(make("div", { className: "tile" }, make("h3", {}, name), number, chart, more));
  seekIn(chart, (share) => go(timeOf(share)));
  return { view: new ChartView(chart, values), number, more, value, remark, top };
}
// Reports the horizontal position of a click or drag as a fraction of the width.
function seekIn(box, seek) {
  const tell = ({ clientX }) => {
    const { left, width } = box.getBoundingClientRect();
    seek((clientX - left) / width);
  };
  box.addEventListener("pointerdown", (event) => {
    if (event.isTrusted) box.setPointerCapture(event.pointerId);
    tell(event);
  });
  box.addEventListener("pointermove", (event) => event.buttons && tell(event));
}

const COUNTS = ["arrived", "finished", "killed", "refused", "suspensions"];
head();
const schedulers = data.schedulers.map(makeScheduler);
const tiles = TILES.map(makeTile);
const lanes = document.querySelector(".lanes"), timeline = new TimelineView(lanes, playback);
seekIn(lanes, (share) => go(timeline.timeAt(share * timeline.width)));
const counts = COUNTS.map((name) => {
  const number = make("b");
  return { name, number, box: make("span", {}, number, " " + name) };
});
get("statistics").append(make("div", { className: "counts" }, ...counts.map(({ box }) => box)));
const last = playback.statistics(data.end);
for (const { name, box } of counts) box.hidden = name !== "arrived" && name !== "finished" && last[name] === 0;

function layout() {
  const clusters = data.clusters.length, widest = clusters > 1 ? 36 : 60;
  const height = Math.max(130, (innerWidth > 800 ? 340 : 260) / Math.ceil(clusters / 2));
  readTheme();
  for (const { queue, views } of schedulers) {
    queue.layout();
    views.forEach(({ cells }) => cells.layout(height, widest));
  }
  for (const tile of tiles) tile.most = tile.view.layout(tile.top);
  timeline.layout(timelineHeight());
  stale = true;
  draw();
}
// Height that the window leaves above the controls.
function timelineHeight() {
  const { top } = lanes.getBoundingClientRect(), free = innerHeight - top - scrollY - 120;
  return Math.max(160, Math.min(free, 40 * playback.nodes + 100));
}

// Canvases are redrawn only after an event; the rest whenever the time changes.
function draw() {
  if (playback.seek(now) || stale) drawCanvases();
  stale = false;
  const statistics = playback.statistics(now), share = shareOf(now);
  for (const { view, number, more, value, remark, most } of tiles) {
    say(number, value(statistics));
    say(more, remark(statistics, most));
    view.move(share);
  }
  for (const { name, number } of counts) say(number, count(statistics[name]));
  say(get("clock"), moment(Math.floor(now)));
  const slider = get("slider");
  slider.value = share * slider.max;
  slider.setAttribute("aria-valuetext", moment(Math.floor(now)));
  timeline.move(now, marked);
  const whole = timeline.length === LENGTH;
  say(get("part"), whole ? "the whole page" : `${span(timeline.length)} of ${span(LENGTH)}`);
  [get("less").disabled, get("more").disabled] = [whole, timeline.length <= 8];
  if (marked !== null) say(get("job-state"), state(marked));
  showTip();
}

function drawCanvases() {
  const waits = playback.queue();
  const emphasised = playback.running.has(marked) || playback.waiting.has(marked) ? marked : null;
  for (const { queue, about, views, clusters } of schedulers) {
    const jobs = schedulers.length === 1 ? waits : waits.filter((job) => clusters.has(playback.jobs.home[job]));
    const more = queue.draw(playback, jobs, emphasised);
    const nodes = jobs.reduce((sum, job) => sum + playback.jobs.nodes[job], 0);
    const suspended = jobs.filter((job) => playback.hasRun(job)).length;
    const text = jobs.length === 0 ? "empty" : `${many(jobs.length, "job")} for ${many(nodes, "node")}`
      + (suspended > 0 ? `, ${count(suspended)} suspended` : "")
      + (more > 0 ? ` (${count(more)} not shown)` : "");
    say(about, text);
    queue.canvas.setAttribute("aria-label", "Queue: " + text);
    for (const { cells, about, cluster } of views) {
      const busy = cells.draw(playback, emphasised);
      const text = `${count(busy)} of ${count(cluster.nodes)} nodes busy`;
      say(about, text + (cells.per > 1 ? ` · a cell is ${count(cells.per)} nodes` : ""));
      cells.canvas.setAttribute("aria-label", `${cluster.name}: ${text}`);
    }
  }
}

function point(to) {
  pointed = to;
  showTip();
}

const places = schedulers.flatMap(({ queue, views }) => [queue, ...views.map(({ cells }) => cells)]);
for (const view of [...places, timeline]) {
  view.canvas.addEventListener("pointermove", ({ pointerType, offsetX: x, offsetY: y, clientX: left, clientY: top }) =>
    pointerType === "mouse" && point({ view, x, y, left, top }));
  view.canvas.addEventListener("pointerleave", () => point(null));
}
for (const view of places) {
  view.canvas.addEventListener("click", ({ offsetX, offsetY }) => mark(view.jobAt(offsetX, offsetY)));
}
// A click moves to a time and, on a job, also selects it; a drag never selects.
let pressed = 0;
lanes.addEventListener("pointerdown", ({ clientX }) => { pressed = clientX; });
lanes.addEventListener("click", ({ clientX, offsetX, offsetY }) => {
  const job = timeline.jobAt(offsetX, offsetY);
  if (job !== null && Math.abs(clientX - pressed) < 4) mark(job);
});

// Speeds of playback: ticks per second, or events per second.
const SPEEDS = [2, 10, 50].map((events) => ({ events, text: `${events} events/s` })).concat(
  [1 / 64, 1 / 16, 1 / 4, 1, 4, 16].map((factor) => {
    const ticks = (LENGTH / 60) * factor;
    return { ticks, text: `${span(ticks)}/s` };
  }));
get("speed").append(...SPEEDS.map(({ text }) => make("option", {}, text)));
get("speed").selectedIndex = SPEEDS.length - 3;

let previous = 0, owed = 0;
function play(yes) {
  plays = yes && LENGTH > 0;
  if (plays && now >= data.end) now = data.start;
  get("play").classList.toggle("plays", plays);
  get("play").setAttribute("aria-label", plays ? "Pause" : "Play");
  previous = performance.now();
  owed = 0;
  if (plays) requestAnimationFrame(tick);
}
function tick(time) {
  if (!plays) return;
  // After a pause, for example in a hidden tab, playback continues where it was.
  const passed = Math.min(100, Math.max(0, time - previous)) / 1000;
  const { ticks, events } = SPEEDS[get("speed").selectedIndex];
  previous = time;
  if (ticks !== undefined) {
    now += ticks * passed;
  } else {
    for (owed += events * passed; owed >= 1; owed--) now = playback.next(now);
  }
  if (now >= data.end) { now = data.end; play(false); }
  draw();
  if (plays) requestAnimationFrame(tick);
}

function go(time) {
  now = Math.min(data.end, Math.max(data.start, time));
  draw();
}
function step(forwards, far) {
  play(false);
  if (far) return go(now + (forwards ? 1 : -1) * LENGTH / 50);
  go(forwards ? playback.next(now) : playback.previous(Math.floor(now)));
}
function changeSpeed(by) {
  const speed = get("speed");
  speed.selectedIndex = Math.min(SPEEDS.length - 1, Math.max(0, speed.selectedIndex + by));
}
function zoom(factor) {
  timeline.zoom(factor, now);
  draw();
}
// The next job in the system, in order of arrival.
function nextJob(by) {
  const present = [...playback.running.keys(), ...playback.waiting].sort((a, b) => a - b);
  if (by < 0) present.reverse();
  mark(present.find((job) => marked === null || (job - marked) * by > 0) ?? present[0] ?? null);
}

get("play").onclick = () => play(!plays);
get("back").onclick = () => step(false);
get("forth").onclick = () => step(true);
get("close").onclick = () => mark(null);
get("slider").oninput = (event) => go(timeOf(event.target.value / event.target.max));
get("less").onclick = () => zoom(2);
get("more").onclick = () => zoom(1 / 2);
get("find").oninput = ({ target }) => {
  const job = target.value === "" ? -1 : playback.jobs.number.indexOf(Number(target.value));
  target.setAttribute("aria-invalid", target.value !== "" && job < 0);
  mark(job < 0 ? null : job);
};

const KEYS = {
  " ": () => play(!plays),
  ArrowLeft: (event) => step(false, event.shiftKey),
  ArrowRight: (event) => step(true, event.shiftKey),
  Home: () => go(data.start),
  End: () => go(data.end),
  "+": () => changeSpeed(1), "=": () => changeSpeed(1), "-": () => changeSpeed(-1),
  "[": () => nextJob(-1), "]": () => nextJob(1),
  Escape: () => mark(null),
};
document.addEventListener("keydown", (event) => {
  const { target, key } = event, act = KEYS[key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  if (key !== "Escape" && target.matches("select, #find") || key === " " && target.matches("button")) return;
  event.preventDefault();
  act(event);
});

// #t=SECONDS moves to that time, &job=NUMBER selects that job. #states=T,T,… writes the states at these ticks
// into the document, for tests.
function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (asked.has("t")) go(Math.round(Number(asked.get("t")) * data.unit) || 0);
  if (asked.has("job")) {
    const job = playback.jobs.number.indexOf(Number(asked.get("job")));
    mark(job < 0 ? null : job);
  }
  if (asked.has("states")) {
    const states = asked.get("states").split(",").map((time) => playback.stateAt(Number(time)));
    say(get("state"), JSON.stringify(states));
    draw();
  }
}

layout();
readAddress();
window.addEventListener("hashchange", readAddress);
let width = get("grid").clientWidth;
new ResizeObserver(() => {
  if (width === get("grid").clientWidth) return;
  width = get("grid").clientWidth;
  layout();
}).observe(get("grid"));
window.addEventListener("resize", () => {
  if (timeline.height === timelineHeight()) return;
  timeline.layout(timelineHeight());
  draw();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", layout);
