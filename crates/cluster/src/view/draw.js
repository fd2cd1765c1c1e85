// Clusters, queues and charts on canvases.

// Okabe and Ito's colours, which people with any colour vision can distinguish, each with a text colour.
const PALETTE = [["#0072b2", "#fff"], ["#e69f00", "#000"], ["#56b4e9", "#000"], ["#d55e00", "#000"],
  ["#009e73", "#000"], ["#f0e442", "#000"], ["#cc79a7", "#000"]];

const MOST_CELLS = 1000, MOST_BLOCKS = 8, FADED = 0.22;

let THEME = {};
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue("--" + name).trim();
  THEME = { idle: of("idle"), text: of("text"), faint: of("faint"), accent: of("accent"), line: of("line") };
}

// Sizes a canvas for the screen's resolution; the context uses CSS pixels.
function fit(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.height = height + "px";
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// A cluster as rows of cells. A cell is one node, or several if there are many nodes; a job is a strip over
// its cells. Groups of nodes with different speeds have separate rows unless there are too many groups.
class ClusterView {
  constructor(cluster, canvas) {
    this.canvas = canvas;
    this.cluster = cluster;
    this.per = Math.ceil(cluster.nodes / MOST_CELLS);
    const { first, nodes, blocks } = cluster;
    this.blocks = (blocks.length <= MOST_BLOCKS ? blocks : [{ first, nodes }]).map((block) => ({ ...block }));
    this.labelled = this.blocks.length > 1 || (this.blocks[0].speed ?? 1) !== 1;
  }

  // Chooses the largest cells that fit the height, preferably in complete rows.
  layout(height, widest) {
    const width = this.canvas.clientWidth, even = Math.ceil(this.blocks[0].nodes / this.per);
    const cells = Math.ceil(this.cluster.nodes / this.per), high = (n) => Math.min(34, Math.max(9, width / n));
    let columns = Math.ceil(width / Math.min(34, Math.max(9, Math.sqrt((width * height) / cells)))), best = 0;
    for (let n = Math.ceil(width / widest); n <= width / 9; n++) {
      const total = Math.ceil(cells / n) * high(n);
      if (even % n === 0 && total <= height && total > best) [columns, best] = [n, total];
    }
    this.columns = Math.max(1, columns);
    this.cell = width / this.columns;
    this.rowHeight = Math.round(high(this.columns));
    let y = 0;
    for (const block of this.blocks) {
      block.y = y += this.labelled ? 16 : 0;
      block.rows = Math.ceil(block.nodes / this.per / this.columns);
      y += block.rows * this.rowHeight + (this.labelled ? 6 : 0);
    }
    this.width = width;
    this.height = y;
    this.context = fit(this.canvas, width, y);
  }

  draw(playback, marked) {
    const context = this.context;
    context.clearRect(0, 0, this.width, this.height);
    this.blocks.forEach((block) => this.drawIdle(block));
    this.strips = [];
    let busy = 0;
    for (const job of playback.running.keys()) {
      context.globalAlpha = marked === null || marked === job ? 1 : FADED;
      for (const [first, nodes] of playback.spans(job)) {
        for (const block of this.blocks) {
          const from = Math.max(first, block.first), to = Math.min(first + nodes, block.first + block.nodes);
          if (from >= to) continue;
          busy += to - from;
          const number = context.globalAlpha === 1 ? String(playback.jobs.number[job]) : null;
          this.drawSpan(block, from - block.first, to - block.first, job, playback.colour[job], number);
        }
      }
    }
    context.globalAlpha = 1;
    return busy;
  }

  drawIdle(block) {
    const context = this.context, cells = Math.ceil(block.nodes / this.per);
    if (this.labelled && block.speed) {
      context.fillStyle = THEME.faint;
      context.font = "11px system-ui, sans-serif";
      context.fillText(`speed ${block.speed} · ${many(block.nodes, "node")}`, 0, block.y - 5);
    }
    context.fillStyle = THEME.idle;
    for (let i = 0; i < cells; i++) {
      const x = (i % this.columns) * this.cell, y = block.y + Math.floor(i / this.columns) * this.rowHeight;
      context.fillRect(x, y, this.cell - 1.5, this.rowHeight - 1.5);
    }
  }

  // Row by row; the job's number is written in the first place where it fits.
  drawSpan(block, from, to, job, colour, number) {
    const context = this.context, [fill, ink] = PALETTE[colour], perRow = this.columns * this.per;
    for (let row = Math.floor(from / perRow); row * perRow < to; row++) {
      const left = ((Math.max(from, row * perRow) - row * perRow) / this.per) * this.cell;
      const right = ((Math.min(to, (row + 1) * perRow) - row * perRow) / this.per) * this.cell;
      const y = block.y + row * this.rowHeight, width = Math.max(1, right - left - 1.5);
      context.fillStyle = fill;
      context.fillRect(left, y, width, this.rowHeight - 1.5);
      this.strips.push([left, y, width, job]);
      if (this.per === 1) this.drawSeams(left, right, y);
      if (number !== null && this.drawNumber(number, left, y, width, ink)) number = null;
    }
  }

  // Lines keep the nodes of one job countable.
  drawSeams(left, right, y) {
    this.context.fillStyle = "rgba(0, 0, 0, .16)";
    for (let x = left + this.cell; x < right - 1; x += this.cell) {
      this.context.fillRect(x - 1.5, y, 1, this.rowHeight - 1.5);
    }
  }

  drawNumber(number, x, y, width, ink) {
    const size = Math.min(12, this.rowHeight - 3);
    if (size < 8 || width < number.length * size * 0.6 + 6) return false;
    const context = this.context;
    context.fillStyle = ink;
    context.font = `600 ${size}px system-ui, sans-serif`;
    context.fillText(number, x + 4, y + this.rowHeight / 2 + size * 0.34 - 0.75);
    return true;
  }

  jobAt(x, y) {
    const inside = ([left, top, width]) =>
      x >= left && x < left + width + 1.5 && y >= top && y < top + this.rowHeight;
    return (this.strips ?? []).findLast(inside)?.[3] ?? null;
  }
}

// Waiting jobs as bars in order of arrival; the height is the number of nodes.
class QueueView {
  constructor(canvas, largest, height) {
    this.canvas = canvas;
    this.largest = largest;
    this.height = height;
  }

  layout() {
    this.width = this.canvas.clientWidth;
    this.context = fit(this.canvas, this.width, this.height);
  }

  draw(playback, jobs, marked) {
    const context = this.context, { width, height } = this;
    context.clearRect(0, 0, width, height);
    context.fillStyle = THEME.line;
    context.fillRect(0, height - 1, width, 1);
    this.bar = [16, 11, 7, 5, 3].find((bar) => bar * jobs.length <= width) ?? 3;
    this.shown = jobs.subarray(0, Math.floor(width / this.bar));
    this.shown.forEach((job, i) => this.drawJob(playback, job, i * this.bar, marked));
    context.globalAlpha = 1;
    return jobs.length - this.shown.length;
  }

  drawJob(playback, job, x, marked) {
    const context = this.context, bar = this.bar - (this.bar > 3 ? 1.5 : 0.5);
    const high = Math.max(3, ((this.height - 4) * playback.jobs.nodes[job]) / this.largest);
    const y = this.height - 1 - high;
    context.globalAlpha = marked === null || marked === job ? 1 : FADED;
    context.fillStyle = PALETTE[playback.colour[job]][0];
    context.fillRect(x, y, bar, high);
    if (!playback.hasRun(job)) return;
    context.fillStyle = "rgba(0, 0, 0, .45)";
    for (let stripe = y + 2; stripe < this.height - 2; stripe += 4) context.fillRect(x, stripe, bar, 2);
  }

  jobAt(x) {
    return this.shown?.[Math.floor(x / this.bar)] ?? null;
  }
}

// A value over the whole run, strong until now and faint after. Two canvases are drawn once; only the
// edge of the strong one moves.
class ChartView {
  constructor(box, values) {
    [this.faint, this.strong] = box.querySelectorAll("canvas");
    this.cursor = box.querySelector(".cursor");
    this.values = values;
  }

  // Scales the chart to `top`, or to the largest value if it is not given; returns the value at the top.
  layout(top) {
    const width = this.faint.clientWidth, height = this.faint.parentElement.clientHeight;
    const values = this.values(Math.max(2, Math.floor(width)));
    const most = top ?? values.reduce((a, b) => Math.max(a, b), 0);
    for (const [canvas, line] of [[this.faint, THEME.faint], [this.strong, THEME.accent]]) {
      const context = fit(canvas, width, height);
      context.beginPath();
      values.forEach((value, i) => {
        context.lineTo(((i + 0.5) / values.length) * width, height - 2 - (value / (most || 1)) * (height - 6));
      });
      context.strokeStyle = line;
      context.lineWidth = 1.5;
      context.lineJoin = "round";
      context.stroke();
      context.lineTo(width, height);
      context.lineTo(0, height);
      context.globalAlpha = 0.14;
      context.fillStyle = line;
      context.fill();
    }
    return most;
  }

  move(share) {
    this.strong.style.clipPath = `inset(0 ${100 - share * 100}% 0 0)`;
    this.cursor.style.left = share * 100 + "%";
  }
}
