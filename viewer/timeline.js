// The run as lanes of events over time. It has a scale of its own: time is wide, lanes keep their height.

const LANE = {height: 22, gap: 6};
const AXIS = 26; // pixels: times, above the lanes

class TimelinePainter {
  /** @param {Run} run @param {number} width of the window */
  constructor(run, width) {
    this.run = run;
    this.left = width < 700 ? 84 : 150;
    this.from = 0;
    this.to = Math.max(1, run.end);
    this.top = 0;
    this.event = -1;
    this.marks = new Set(); // kinds of the node that is selected
  }

  x(ticks, width) {
    return this.left + (ticks - this.from) / (this.to - this.from) * (width - this.left - 8);
  }

  ticks(x, width) {
    return this.from + (x - this.left) / (width - this.left - 8) * (this.to - this.from);
  }

  fit() {
    const margin = this.run.end * 0.01;
    [this.from, this.to, this.top] = [-margin, Math.max(1, this.run.end + margin), 0];
  }

  pan(dx, dy, canvas) {
    const by = dx / (canvas.width - this.left - 8) * (this.to - this.from);
    this.from -= by;
    this.to -= by;
    this.top -= dy;
    this.keepIn(canvas);
  }

  zoom(factor, x, canvas) {
    const at = this.ticks(Math.max(this.left, x), canvas.width);
    const width = Math.max(10, Math.min(this.run.end * 1.2 + 10, (this.to - this.from) / factor));
    this.from = at - (at - this.from) * width / (this.to - this.from);
    this.to = this.from + width;
    this.keepIn(canvas);
  }

  keepIn(canvas) {
    const width = this.to - this.from;
    this.from = Math.max(-0.5 * width, Math.min(this.run.end - 0.5 * width, this.from));
    this.to = this.from + width;
    const all = this.run.lanes.length * (LANE.height + LANE.gap) + AXIS + 60;
    this.top = Math.max(0, Math.min(Math.max(0, all - canvas.height), this.top));
  }

  /** What part is seen, as the address keeps it. */
  place() {
    return [Math.round(this.from), Math.round(this.to), Math.round(this.top)];
  }

  setPlace([from, to, top]) {
    if (to > from) {
      [this.from, this.to, this.top] = [from, to, top];
    }
  }

  y(lane) {
    return AXIS + lane * (LANE.height + LANE.gap) - this.top;
  }

  draw(context, canvas) {
    const {width, height} = canvas;
    const step = LANE.height + LANE.gap;
    context.font = FONT;
    context.direction = "ltr";
    context.textBaseline = "middle";
    const first = Math.max(0, Math.floor((this.top - AXIS) / step));
    const last = Math.min(this.run.lanes.length, Math.ceil((this.top + height) / step));
    for (let i = first; i < last; i++) {
      this.drawLane(context, canvas, this.run.lanes[i], this.y(i));
    }
    this.drawAxis(context, width, height);
    this.drawLegend(context, width, height);
  }

  drawLane(context, canvas, lane, y) {
    const {width} = canvas;
    const pixel = (this.to - this.from) / (width - this.left - 8);
    context.save();
    context.beginPath();
    context.rect(this.left, y - 2, width - this.left, LANE.height + 4);
    context.clip();
    context.fillStyle = color("--bar");
    context.fillRect(this.left, y, width - this.left, LANE.height);
    const tones = TONES.map((name) => color(`${name}-line`));
    let [left, right, tone] = [0, -1, 0]; // a piece of one color, which grows while what follows touches it
    const flush = () => {
      if (right > left) {
        context.fillStyle = tones[tone];
        context.fillRect(left, y, Math.max(0.6, right - left), LANE.height);
      }
    };
    const wide = [];
    lane.walk(this.from, this.to, 1.2 * pixel, (begin, end, its, i) => {
      const [a, b] = [this.x(begin, width), this.x(end, width)];
      if (i >= 0 && b - a >= 3) {
        wide.push(i);
        return;
      }
      if (its === tone && a <= right + 0.4) {
        right = Math.max(right, b, a + 0.6);
        return;
      }
      flush();
      [left, right, tone] = [a, Math.max(b, a + 0.6), its];
    });
    flush();
    wide.forEach((i) => this.drawEvent(context, width, lane, i, y));
    context.restore();
    context.fillStyle = color("--fore");
    drawText(context, lane.name || "(no name)", 8, y + LANE.height / 2, this.left - 14);
  }

  drawEvent(context, width, lane, i, y) {
    const event = lane.events[i];
    const ends = lane.levels[0].ends;
    const left = Math.max(this.left - 4, this.x(lane.begins[i], width));
    const right = Math.min(width + 4, this.x(ends[i], width));
    const tone = TONES[lane.levels[0].tones[i]];
    const isMarked = event === this.event || this.marks.has(this.run.kindOf[event]);
    context.fillStyle = color(isMarked ? "--hit" : tone);
    context.fillRect(left, y, right - left, LANE.height);
    context.strokeStyle = color(isMarked ? "--mark" : `${tone}-line`);
    context.lineWidth = event === this.event ? 3 : isMarked ? 2 : 1;
    context.strokeRect(left + 0.5, y + 0.5, right - left - 1, LANE.height - 1);
    context.fillStyle = color("--fore");
    drawText(context, this.run.nameOf(event), left + 4, y + LANE.height / 2 + 0.5, right - left - 6);
  }

  drawAxis(context, width, height) {
    const seconds = this.run.data.ticks_per_second;
    const rough = (this.to - this.from) / Math.max(2, (width - this.left) / 110);
    const power = 10 ** Math.floor(Math.log10(Math.max(1, rough)));
    const step = power * ([1, 2, 5, 10].find((k) => k * power >= rough) || 10);
    context.fillStyle = color("--back");
    context.fillRect(0, 0, width, AXIS - 3);
    context.fillStyle = color("--dim");
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    for (let t = Math.max(0, Math.ceil(this.from / step) * step); t <= this.to; t += step) {
      const x = this.x(t, width);
      if (x < this.left) {
        continue;
      }
      context.beginPath();
      context.moveTo(x, AXIS - 6);
      context.lineTo(x, height);
      context.globalAlpha = 0.5;
      context.stroke();
      context.globalAlpha = 1;
      const text = secondsText(t / seconds, step / seconds);
      if (x + text.length * COLUMN < width) {
        context.fillText(text, x + 2, AXIS - 15);
      }
    }
    const now = this.x(page.time, width);
    if (now >= this.left) {
      context.fillStyle = color("--mark");
      context.fillRect(now - 1, 0, 2, height);
    }
  }

  drawLegend(context, width, height) {
    const used = [...new Set(this.run.data.kinds.bound)].map((word) => (word ? this.run.data.words[word - 1] : "untimed"));
    let x = 8;
    context.fillStyle = color("--back");
    context.fillRect(0, height - 22, width, 22);
    used.forEach((name) => {
      const tone = TONES[TONE_OF[name] ?? 4];
      context.fillStyle = color(`${tone}-line`);
      context.fillRect(x, height - 16, 10, 10);
      context.fillStyle = color("--fore");
      context.fillText(name, x + 14, height - 10.5);
      x += 26 + name.length * COLUMN;
    });
  }

  /** The event at a point of the window; else -1. */
  hit(x, y, canvas) {
    const lane = Math.floor((y + this.top - AXIS) / (LANE.height + LANE.gap));
    if (y < AXIS || x < this.left || !this.run.lanes[lane]) {
      return -1;
    }
    const reach = 2 * (this.to - this.from) / (canvas.width - this.left - 8); // of a pointer
    const at = this.ticks(x, canvas.width);
    const found = this.run.lanes[lane].at(at);
    const near = found >= 0 ? found : this.run.lanes[lane].before(at + reach);
    const isNear = near >= 0 && this.run.lanes[lane].begins[near] >= at - reach;
    return found >= 0 || isNear ? {event: this.run.lanes[lane].events[near]} : -1;
  }

  laneOf(event) {
    const process = this.run.data.kinds.process[this.run.kindOf[event]];
    const name = this.run.data.words[process - 1] || "";
    return this.run.lanes.findIndex((lane) => lane.name === name);
  }

  /** The event that an arrow key leads to. */
  neighbour(key) {
    if (this.event < 0) {
      const lane = this.run.lanes.find((l) => l.at((this.from + this.to) / 2) >= 0) || this.run.lanes[0];
      return lane ? lane.events[Math.max(0, lane.at((this.from + this.to) / 2))] : -1;
    }
    const number = this.laneOf(this.event);
    const lane = this.run.lanes[number];
    if (key === "ArrowLeft" || key === "ArrowRight") {
      let at = lane.before(this.run.begins[this.event]);
      while (at > 0 && lane.events[at] !== this.event && lane.begins[at - 1] === lane.begins[at]) {
        at--; // among those that begin at once
      }
      return lane.events[Math.max(0, Math.min(lane.events.length - 1, at + (key === "ArrowRight" ? 1 : -1)))];
    }
    const other = this.run.lanes[number + (key === "ArrowDown" ? 1 : -1)];
    return other ? other.events[Math.max(0, other.before(this.run.begins[this.event]))] : this.event;
  }

  /** Moves so that an event is seen, as wide as its name can be read if it is very small. */
  show(event, canvas) {
    const [begin, end] = [this.run.begins[event], this.run.ends[event]];
    const width = this.to - this.from;
    const least = (end - begin) / width * (canvas.width - this.left);
    if (begin < this.from || end > this.to || least < 6) {
      const wide = least < 6 ? Math.min(width, Math.max(10, this.run.end / 1e5, (end - begin) * 12)) : Math.max(width, (end - begin) * 1.2);
      this.from = (begin + end) / 2 - wide / 2;
      this.to = this.from + wide;
    }
    const y = this.y(this.laneOf(event));
    if (y < AXIS || y > canvas.height - 60) {
      this.top += y - canvas.height / 2;
    }
    this.keepIn(canvas);
  }
}
