"use strict";
// The record of a run, and its state at any time. Does not access the document.
//
// Levels and sums after each event are computed once, so statistics at a time cost one binary search.
// The waiting and running jobs are kept for the current time; every event can be applied and undone.
// Times are ticks, exact up to 2^53. Jobs are indices into the columns of the record.

const ARRIVED = 0, REFUSED = 1, STARTED = 2, SUSPENDED = 3, FINISHED = 4, KILLED = 5;
const COLOURS = 7;

class Playback {
  constructor(data) {
    this.start = data.start;
    this.end = data.end;
    this.jobs = data.jobs;
    this.nodes = 0;
    this.clusters = data.clusters.map((cluster) => this.numberNodes(cluster));
    this.read(data.happenings);
    this.tally();
    this.paint();
    this.before = this.count(this.start - 1); // events before the page begins
    this.at = 0; // events applied
    this.waiting = new Set();
    this.running = new Map(); // job -> the event that started it
  }

  // Nodes are numbered across all clusters.
  numberNodes({ name, groups }) {
    const first = this.nodes;
    const blocks = groups.map(([speed, nodes]) => {
      const block = { speed: speed / 1e6, first: this.nodes, nodes };
      this.nodes += nodes;
      return block;
    });
    return { name, first, nodes: this.nodes - first, blocks };
  }

  // Event i is kind[i] of job[i] at time[i]; a start occupies the spans from spanAt[i] to spanAt[i + 1].
  read(row) {
    const time = [], kind = [], job = [], spanAt = [], first = [], length = [];
    let now = 0, jobs = 0, at = 0;
    while (at < row.length) {
      now += row[at++];
      const what = row[at++];
      time.push(now);
      kind.push(what);
      job.push(what <= REFUSED ? jobs++ : row[at++]);
      spanAt.push(first.length);
      let node = 0;
      for (let spans = what === STARTED ? row[at++] : 0; spans > 0; spans--) {
        first.push(node + row[at++]);
        length.push(row[at]);
        node = first.at(-1) + row[at++];
      }
    }
    spanAt.push(first.length);
    this.time = Float64Array.from(time);
    this.kind = Uint8Array.from(kind);
    this.job = Uint32Array.from(job);
    this.spanAt = Uint32Array.from(spanAt);
    this.spanFirst = Float64Array.from(first);
    this.spanNodes = Float64Array.from(length);
  }

  // Entry i of a column is the value after i events.
  tally() {
    const count = this.time.length, jobs = this.jobs.number.length;
    const names = ["arrived", "refused", "waiting", "running", "finished", "killed", "suspensions", "started",
      "busy", "waited", "waitingArea", "runningArea", "busyArea"];
    const column = Object.fromEntries(names.map((name) => [name, new Float64Array(count + 1)]));
    const now = Object.fromEntries(names.map((name) => [name, 0]));
    this.column = column;
    this.submit = new Float64Array(jobs);
    this.begun = new Uint32Array(count); // of an end: the event that started the job
    this.firstStart = new Float64Array(jobs).fill(count); // the event, or `count` if there is none
    const latest = new Uint32Array(jobs);
    for (let i = 0, last = 0; i < count; i++) {
      const job = this.job[i], time = this.time[i];
      for (const level of ["waiting", "running", "busy"]) now[level + "Area"] += now[level] * (time - last);
      last = time;
      switch (this.kind[i]) {
        case ARRIVED: now.arrived++; now.waiting++; this.submit[job] = time; break;
        case REFUSED: now.arrived++; now.refused++; this.submit[job] = time; break;
        case STARTED:
          now.waiting--; now.running++; now.busy += this.size(i);
          if (this.firstStart[job] === count) {
            this.firstStart[job] = i;
            now.started++; now.waited += time - this.submit[job];
          }
          latest[job] = i;
          break;
        default:
          this.begun[i] = latest[job];
          now.running--; now.busy -= this.size(latest[job]);
          if (this.kind[i] === SUSPENDED) { now.waiting++; now.suspensions++; }
          else if (this.kind[i] === FINISHED) now.finished++;
          else now.killed++;
      }
      for (const name of names) column[name][i + 1] = now[name];
    }
  }

  // Each job gets the colour that is rarest among the jobs running at its first start.
  paint() {
    const used = new Uint32Array(COLOURS);
    this.colour = Uint8Array.from(this.submit, (_, job) => job % COLOURS);
    for (let i = 0; i < this.kind.length; i++) {
      const job = this.job[i], kind = this.kind[i];
      if (this.firstStart[job] === i) {
        for (let next = 0; next < COLOURS; next++) {
          const other = (job + next) % COLOURS;
          if (used[other] < used[this.colour[job]]) this.colour[job] = other;
        }
      }
      if (kind === STARTED) used[this.colour[job]]++;
      else if (kind > STARTED) used[this.colour[job]]--;
    }
  }

  // Number of nodes that a start occupies.
  size(start) {
    let nodes = 0;
    for (let at = this.spanAt[start]; at < this.spanAt[start + 1]; at++) nodes += this.spanNodes[at];
    return nodes;
  }

  // Number of events until a time, including those at that time.
  count(time) {
    let low = 0, high = this.time.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time[middle] <= time) low = middle + 1; else high = middle;
    }
    return low;
  }

  // Integral of a value over ticks, from the first event until a time.
  area(level, time) {
    const at = this.count(time);
    const since = at > 0 ? this.time[at - 1] : 0;
    return this.column[level + "Area"][at] + this.column[level][at] * (time - since);
  }

  // Levels at a time, and the statistics from the beginning of the page until then.
  statistics(time) {
    const at = this.count(time), now = (name) => this.column[name][at];
    const of = (name) => this.column[name][at] - this.column[name][this.before];
    const area = (level) => this.area(level, time) - this.area(level, this.start);
    const mean = (level) => (time > this.start ? area(level) / (time - this.start) : 0);
    return {
      arrived: of("arrived"), refused: of("refused"), waiting: now("waiting"), running: now("running"),
      finished: of("finished"), killed: of("killed"), suspensions: of("suspensions"), busy: now("busy"),
      meanWait: of("started") > 0 ? of("waited") / of("started") : 0,
      meanWaiting: mean("waiting"), meanRunning: mean("running"), utilisation: mean("busy") / this.nodes,
    };
  }

  // Moves to a time; returns whether there were events in between.
  seek(time) {
    const target = this.count(time), moved = target !== this.at;
    while (this.at < target) this.step(this.at++);
    while (this.at > target) this.unstep(--this.at);
    return moved;
  }

  step(i) {
    const job = this.job[i];
    switch (this.kind[i]) {
      case ARRIVED: this.waiting.add(job); break;
      case STARTED: this.waiting.delete(job); this.running.set(job, i); break;
      case SUSPENDED: this.running.delete(job); this.waiting.add(job); break;
      case FINISHED: case KILLED: this.running.delete(job);
    }
  }

  unstep(i) {
    const job = this.job[i];
    switch (this.kind[i]) {
      case ARRIVED: this.waiting.delete(job); break;
      case STARTED: this.running.delete(job); this.waiting.add(job); break;
      case SUSPENDED: this.waiting.delete(job); this.running.set(job, this.begun[i]); break;
      case FINISHED: case KILLED: this.running.set(job, this.begun[i]);
    }
  }

  // [first node, nodes] of a running job.
  spans(job) {
    const start = this.running.get(job), spans = [];
    if (start === undefined) return spans;
    for (let at = this.spanAt[start]; at < this.spanAt[start + 1]; at++) {
      spans.push([this.spanFirst[at], this.spanNodes[at]]);
    }
    return spans;
  }

  // Waiting jobs, in order of arrival.
  queue() {
    return Uint32Array.from(this.waiting).sort();
  }

  // Whether a job has started by the current time.
  hasRun(job) {
    return this.firstStart[job] < this.at;
  }

  // The mean of a level over each of a number of equal parts of the page.
  means(level, parts) {
    const means = new Float64Array(parts), width = (this.end - this.start) / parts;
    for (let i = 0, before = this.area(level, this.start); i < parts && width > 0; i++) {
      const after = this.area(level, this.start + (i + 1) * width);
      means[i] = (after - before) / width;
      before = after;
    }
    return means;
  }

  // All events of a job.
  history(job) {
    const all = [];
    for (let i = 0; i < this.job.length; i++) if (this.job[i] === job) all.push(i);
    return all;
  }

  // The time of the next or the previous event.
  next(time) {
    const at = this.count(time);
    return at < this.time.length ? this.time[at] : this.end;
  }
  previous(time) {
    const at = this.count(time - 1);
    return at > 0 ? this.time[at - 1] : this.start;
  }

  // Every interval in which a job occupied nodes: the event that started it, its start and its end.
  stretches() {
    const all = [], open = new Map();
    for (let i = 0; i < this.kind.length; i++) {
      const job = this.job[i];
      if (this.kind[i] === STARTED) {
        all.push({ job, start: i, from: this.time[i], to: this.end });
        open.set(job, all.at(-1));
      } else if (this.kind[i] > STARTED) {
        open.get(job).to = this.time[i];
      }
    }
    return all.filter(({ to }) => to >= this.start);
  }

  // The complete state at a time, as plain data.
  stateAt(time) {
    this.seek(time);
    const number = (job) => this.jobs.number[job];
    const running = [...this.running.keys()].sort((a, b) => a - b);
    return {
      time,
      queue: [...this.queue()].map(number),
      runs: running.map((job) => [number(job), this.spans(job)]),
      ...this.statistics(time),
    };
  }
}
