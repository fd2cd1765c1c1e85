// Gantt chart: time runs to the right, nodes are numbered downwards, a bar is a job.

const MOST_BARS = 200, AXIS = 18, GAP = 16, MOST_NAMES = 8;

class TimelineView {
  constructor(box, playback) {
    this.canvas = box.querySelector("canvas");
    this.cursor = box.querySelector(".cursor");
    this.future = box.querySelector(".future");
    this.playback = playback;
    this.bars = playback.stretches();
    this.length = this.chooseLength();
    this.from = playback.start;
  }

  // Halves the visible part of the run until its jobs can be distinguished.
  chooseLength() {
    const { start, end } = this.playback, whole = end - start;
    let length = whole, bars = this.bars.length;
    for (; bars > MOST_BARS && length > 2; bars /= 2) length /= 2;
    return length;
  }

  // Scales the visible part by a factor, around a time.
  zoom(factor, time) {
    const { start, end } = this.playback;
    this.length = Math.min(end - start, Math.max(Math.min(8, end - start), this.length * factor));
    this.lookAt(time, 0.5);
  }

  // Moves the visible part so that a time is at this fraction of the width.
  lookAt(time, share) {
    const { start, end } = this.playback;
    this.from = Math.max(start, Math.min(end - this.length, time - share * this.length));
    this.isDrawn = false;
  }

  layout(height) {
    this.width = this.canvas.clientWidth;
    this.height = height;
    this.context = fit(this.canvas, this.width, height);
    const { clusters, nodes } = this.playback, named = clusters.length > 1 && clusters.length <= MOST_NAMES;
    const gap = clusters.length === 1 ? 0 : named ? GAP : 2;
    this.node = Math.max(0, height - AXIS - gap * clusters.length) / nodes;
    this.rows = clusters.map(({ name, first, nodes }, i) =>
      ({ name: named ? name : "", first, nodes, y: first * this.node + (i + 1) * gap }));
    this.isDrawn = false;
  }

  x(time) {
    return this.length > 0 ? ((time - this.from) / this.length) * this.width : 0;
  }
  timeAt(x) {
    const share = Math.min(1, Math.max(0, x / this.width));
    return Math.round(this.from + share * this.length);
  }

  // Follows the time; bars are redrawn only if the visible part or the selected job changed.
  move(time, marked) {
    if (time < this.from || time > this.from + this.length) this.lookAt(time, 0.2);
    if (!this.isDrawn || this.marked !== marked) this.draw(marked);
    const x = Math.min(this.width, Math.max(0, this.x(time)));
    this.cursor.style.left = this.future.style.left = x + "px";
  }

  draw(marked) {
    const { context, playback } = this;
    this.marked = marked;
    this.isDrawn = true;
    this.shown = [];
    context.clearRect(0, 0, this.width, this.height);
    this.drawRows();
    const bars = this.bars.filter(({ from, to }) => to >= this.from && from <= this.from + this.length);
    if (!bars.some(({ job }) => job === marked)) marked = null;
    for (const { job, start, from, to } of bars) {
      const left = Math.max(0, this.x(from)), right = Math.min(this.width, this.x(to));
      context.globalAlpha = marked === null || marked === job ? 1 : FADED;
      for (let at = playback.spanAt[start]; at < playback.spanAt[start + 1]; at++) {
        this.drawBar(job, left, right, playback.spanFirst[at], playback.spanNodes[at], { from, to });
      }
    }
    context.globalAlpha = 1;
  }

  // Draws idle areas, the names of clusters, and the times.
  drawRows() {
    const { context } = this;
    context.font = "11px system-ui, sans-serif";
    for (const { name, nodes, y } of this.rows) {
      context.fillStyle = THEME.idle;
      context.fillRect(0, y, this.width, nodes * this.node);
      context.fillStyle = THEME.faint;
      context.fillText(name, 0, y - 4);
    }
    const step = this.tick(), bottom = this.height - AXIS;
    for (let time = Math.ceil(this.from / step) * step; time <= this.from + this.length; time += step) {
      const x = this.x(time), text = moment(time).replace(step >= 60 * data.unit ? /:00$/ : "", "");
      context.fillRect(x, bottom, 1, 4);
      if (x + text.length * 6 < this.width) context.fillText(text, x + 3, this.height - 5);
    }
  }

  // Distance between labels: a round time that leaves room for them.
  tick() {
    const least = this.length / Math.max(1, this.width / 110), { unit } = data;
    const rounds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200];
    const round = rounds.map((seconds) => seconds * unit).find((ticks) => ticks >= least && least > unit / 10);
    if (round !== undefined) return round;
    const base = least > unit ? 86400 * unit : 1, power = base * 10 ** Math.ceil(Math.log10(Math.max(1, least / base)));
    return [power / 5, power / 2].find((ticks) => ticks >= Math.max(base, least)) ?? power;
  }

  drawBar(job, left, right, first, nodes, times) {
    const { context, playback } = this, row = this.rows.findLast((row) => row.first <= first);
    const y = row.y + (first - row.first) * this.node, high = nodes * this.node, width = Math.max(1, right - left);
    const [fill, ink] = PALETTE[playback.colour[job]], gap = (size) => (size > 4 ? size - 1 : size);
    context.fillStyle = fill;
    context.fillRect(left, y, gap(width), Math.max(1, gap(high)));
    this.shown.push({ left, y, width, high: Math.max(1, high), job, ...times });
    const number = String(playback.jobs.number[job]);
    if (context.globalAlpha < 1 || high < 12 || width < number.length * 7 + 6) return;
    context.fillStyle = ink;
    context.font = "600 11px system-ui, sans-serif";
    context.fillText(number, left + 3, y + Math.min(high / 2, 40) + 3.5);
  }

  barAt(x, y) {
    return (this.shown ?? []).findLast((bar) =>
      x >= bar.left && x < bar.left + bar.width && y >= bar.y && y < bar.y + bar.high);
  }
  jobAt(x, y) {
    return this.barAt(x, y)?.job ?? null;
  }

  // Tooltip of the job at a position: when it ran there, not its current state.
  describe(x, y) {
    const { from, to } = this.barAt(x, y);
    return `${moment(from)} to ${moment(to)}`;
  }
}
