// Details of one job.

// The current state of a job.
function state(job) {
  const past = playback.history(job).filter((i) => i < playback.at);
  if (past.length === 0) return "not yet submitted";
  const at = past.at(-1), since = span(Math.floor(now) - playback.time[at]);
  switch (playback.kind[at]) {
    case ARRIVED: return `waiting for ${since}`;
    case REFUSED: return "refused: it can never run";
    case STARTED: return `running for ${since}`;
    case SUSPENDED: return `suspended for ${since}`;
    case FINISHED: return "finished";
    default: return "killed at its estimate";
  }
}

// Its nodes at its latest start until now; if it has not started yet, at its first start.
function place(job, starts) {
  const start = starts.filter((i) => i < playback.at).at(-1) ?? starts[0];
  const parts = [];
  let last = null;
  for (let at = playback.spanAt[start]; at < playback.spanAt[start + 1]; at++) {
    const first = playback.spanFirst[at], end = first + playback.spanNodes[at] - 1;
    const cluster = playback.clusters.find(({ first: from, nodes }) => first < from + nodes);
    const [a, b] = [first - cluster.first, end - cluster.first];
    parts.push((cluster === last ? "" : cluster.name + " ") + (a === b ? a : `${a}–${b}`));
    last = cluster;
  }
  return parts.length <= 9 ? parts.join(", ") : parts.slice(0, 8).join(", ") + ` and ${parts.length - 8} more`;
}

// Total time during which it occupied nodes.
function held(history) {
  const stretch = (i) => (playback.kind[i] > STARTED ? playback.time[i] - playback.time[playback.begun[i]] : 0);
  return history.reduce((sum, i) => sum + stretch(i), 0);
}

function facts(job) {
  const { jobs } = playback, history = playback.history(job);
  const starts = history.filter((i) => playback.kind[i] === STARTED);
  const ends = history.filter((i) => playback.kind[i] >= FINISHED);
  const time = (i) => make("button", { type: "button", onclick: () => go(playback.time[i]) }, moment(playback.time[i]));
  const suspensions = history.filter((i) => playback.kind[i] === SUSPENDED).length;
  const list = [["State", make("span", { id: "job-state" })], ["Nodes", count(jobs.nodes[job])]];
  if (starts.length > 0) list.push(["On", place(job, starts)]);
  list.push(["Submitted", time(history[0])], ["Home", playback.clusters[jobs.home[job]].name]);
  if (starts.length > 0) list.push(["Started", time(starts[0])]);
  if (ends.length > 0) list.push(["Ended", time(ends[0])]);
  if (starts.length > 0) list.push(["Wait", span(playback.time[starts[0]] - playback.time[history[0]])]);
  list.push(["Run time", span(jobs.run[job])]);
  if (ends.length > 0 && held(history) !== jobs.run[job]) list.push(["Had nodes", span(held(history))]);
  list.push(["Estimate", span(jobs.estimate[job])]);
  if (suspensions > 0) list.push(["Suspended", many(suspensions, "time")]);
  if (jobs.priority[job] !== 0) list.push(["Priority", String(jobs.priority[job])]);
  if (jobs.user[job] !== 0) list.push(["User", String(jobs.user[job])]);
  return list;
}

function mark(job) {
  marked = job;
  get("job").hidden = job === null;
  if (job !== null) {
    const swatch = make("span", { className: "swatch" });
    swatch.style.background = PALETTE[playback.colour[job]][0];
    get("job-title").replaceChildren(swatch, `Job ${playback.jobs.number[job]}`);
    const row = ([name, value]) => [make("dt", {}, name), make("dd", {}, value)];
    get("facts").replaceChildren(...facts(job).flatMap(row));
  }
  stale = true;
  draw();
}

// Short description of the job under the mouse.
function showTip() {
  const tip = get("tip"), job = pointed === null ? null : pointed.view.jobAt(pointed.x, pointed.y);
  tip.hidden = job === null;
  if (job === null) return;
  const what = pointed.view.describe?.(pointed.x, pointed.y) ?? state(job);
  say(tip, `Job ${playback.jobs.number[job]}: ${many(playback.jobs.nodes[job], "node")}, ${what}`);
  const x = Math.min(pointed.left + 14, innerWidth - tip.offsetWidth - 8);
  const y = pointed.top > 60 ? pointed.top - tip.offsetHeight - 10 : pointed.top + 18;
  tip.style.transform = `translate(${x}px, ${y}px)`;
}
