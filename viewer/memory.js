// Memories as bars: of a channel what lies at which address, of an area what takes how much. Below them memory that
// steps share: what lies at which address, over time.

const BAR = {height: 26, gap: 18};
const MAP = {height: 220, head: 22, gap: 34};
const FILLS = ["--step", "--place", "--lane", "--signal", "--lost"];

/** What a memory holds, as parts of its bar: {name, from, to, facts}. */
function memoryParts(memory) {
  if (memory.buffers) {
    const parts = memory.buffers.map((b) => ({name: b.queue, from: Number(b.address), to: Number(b.address) + Number(b.size_bytes), facts: b}));
    return parts.sort((a, b) => a.from - b.from);
  }
  let at = 0;
  const uses = Object.entries(memory).filter(([key, value]) => key.endsWith("_bytes") && key !== "total_bytes" && key !== "capacity_bytes" && Number(value) > 0);
  return uses.map(([key, value]) => {
    const part = {name: key.replace("_bytes", "").replace("_", " "), from: at, to: at + Number(value), facts: {[key]: value}};
    at = part.to;
    return part;
  });
}

/** Items in lists by their keys. */
function listsBy(items, key) {
  const lists = new Map();
  items.forEach((item) => {
    const list = lists.get(key(item));
    if (list) {
      list.push(item);
    } else {
      lists.set(key(item), [item]);
    }
  });
  return lists;
}

/** When steps begin and end, by a lane whose events have their labels in this order; `found` is how many it has, and
 * others take no time. @param {Run} run @param {Lane} lane @param {string[]} labels */
function laneTimes(run, lane, labels) {
  const places = listsBy([...lane.events.keys()], (i) => run.nameOf(lane.events[i]));
  const next = new Map(); // by label: how many of its places are behind
  const times = {begins: [], ends: [], found: 0};
  let last = -1;
  let end = lane.begins[0];
  labels.forEach((label) => {
    const list = places.get(label) || [];
    let k = next.get(label) || 0;
    while (k < list.length && list[k] <= last) {
      k++;
    }
    next.set(label, k);
    times.begins.push(k < list.length ? lane.begins[list[k]] : end);
    if (k < list.length) {
      last = list[k];
      end = lane.levels[0].ends[last];
      times.found++;
    }
    times.ends.push(end);
  });
  return times;
}

/** Memory that the steps of a thread or function share, by its name, over time where a lane has half of its steps. */
function sharedMemories(run) {
  const plan = run.data.plan || {};
  const orders = listsBy(plan.order || [], (step) => step.code);
  const placed = (plan.buffers || []).filter((b) => b.first_step !== null && b.offset !== null && orders.has(b.in));
  return [...listsBy(placed, (b) => b.in)].map(([name, buffers]) => {
    const labels = orders.get(name).map((step) => step.label);
    const lanes = run.lanes.map((lane) => laneTimes(run, lane, labels));
    const best = lanes.reduce((most, times) => (times.found > most.found ? times : most), lanes[0]);
    const isTimed = 2 * best.found >= labels.length;
    const parts = buffers.map((b) => ({name: b.buffer, from: Number(b.offset), to: Number(b.offset) + Number(b.size_bytes),
      begin: isTimed ? best.begins[b.first_step] : b.first_step, end: isTimed ? best.ends[b.last_step] : b.last_step + 1, facts: b}));
    const to = parts.reduce((most, part) => Math.max(most, part.to), 1);
    return {name, parts, to, isTimed, begin: isTimed ? best.begins[0] : 0, end: isTimed ? best.ends[labels.length - 1] : labels.length,
      memory: {memory_of: name, size_bytes: to, steps: labels.length}};
  });
}

class MemoryPainter {
  /** @param {object[]} memories @param {Run|null} run @param {number} width of the window */
  constructor(memories, run, width) {
    this.run = run;
    this.selected = -1;
    this.left = width < 700 ? 108 : 150;
    this.width = Math.max(140, Math.min(1400, width - this.left - 130));
    this.bars = memories.map((memory, i) => {
      const parts = memoryParts(memory);
      const isChannel = Boolean(memory.buffers);
      const from = isChannel && parts.length ? parts[0].from : 0;
      const to = parts.reduce((most, part) => Math.max(most, part.to), isChannel ? from : Number(memory.capacity_bytes || 0));
      const name = isChannel ? `chip ${memory.chip} ${memory.memory} ${memory.channel}` : `${memory.graph} ${memory.area}`;
      return {memory, name, parts, from, to: Math.max(to, from + 1), isChannel, y: i * (BAR.height + BAR.gap)};
    });
    this.below = this.bars.length * (BAR.height + BAR.gap);
    this.maps = run ? sharedMemories(run) : [];
    this.maps.forEach((map, i) => { map.y = this.below + MAP.head + i * (MAP.head + MAP.height + MAP.gap); });
  }

  isEmpty() {
    return this.bars.length + this.maps.length === 0;
  }

  extent() {
    return [0, -14, this.left + this.width + 82, this.below + this.maps.length * (MAP.head + MAP.height + MAP.gap)];
  }

  beginning() {
    return [this.left + this.width / 2, -14];
  }

  x(bar, address) {
    return this.left + (address - bar.from) / (bar.to - bar.from) * this.width;
  }

  /** Where a part of a map is: left, top, width, height. */
  box(map, part) {
    const scale = this.width / Math.max(1e-9, map.end - map.begin);
    const high = MAP.height / map.to;
    return [this.left + (part.begin - map.begin) * scale, map.y + MAP.height - part.to * high, (part.end - part.begin) * scale, (part.to - part.from) * high];
  }

  hitMap(x, y) {
    const map = this.maps.find((m) => y >= m.y && y <= m.y + MAP.height);
    const part = map && map.parts.find((p) => {
      const [left, top, width, height] = this.box(map, p);
      return x >= left && x <= left + width && y >= top && y <= top + height;
    });
    return map ? {bar: map, part: part || null} : -1;
  }

  hit(x, y) {
    if (y >= this.below) {
      return this.hitMap(x, y);
    }
    const bar = this.bars[Math.floor(y / (BAR.height + BAR.gap))];
    if (!bar || y - bar.y > BAR.height) {
      return -1;
    }
    const part = bar.parts.find((p) => x >= this.x(bar, p.from) && x <= this.x(bar, p.to));
    return {bar, part: part || null};
  }

  draw(context, canvas) {
    const [, top, , bottom] = canvas.seen();
    const step = BAR.height + BAR.gap;
    const last = Math.min(this.bars.length, Math.ceil(bottom / step) + 1);
    context.font = FONT;
    context.direction = "ltr";
    context.textBaseline = "middle";
    for (let i = Math.max(0, Math.floor(top / step) - 1); i < last; i++) {
      this.drawBar(context, canvas, this.bars[i]);
    }
    this.maps.filter((map) => map.y <= bottom && map.y + MAP.height + MAP.gap >= top).forEach((map) => this.drawMap(context, canvas, map));
  }

  drawMap(context, canvas, map) {
    const text = (ticks) => (map.isTimed ? this.run.text(ticks) : `step ${ticks}`);
    const title = `${map.name}: ${bytesText(map.to)}`;
    const full = `${title} that its steps share, ${map.isTimed ? "over the estimated time" : "step by step"}`;
    context.fillStyle = color("--fore");
    drawText(context, full.length * COLUMN <= this.width ? full : title, this.left, map.y - MAP.head / 2, this.width);
    context.fillStyle = color("--bar");
    context.fillRect(this.left, map.y, this.width, MAP.height);
    map.parts.forEach((part, i) => {
      const [left, top, width, height] = this.box(map, part);
      this.drawBox(context, canvas, {part, fill: FILLS[i % FILLS.length], left, top, width, height});
    });
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.strokeRect(this.left, map.y, this.width, MAP.height);
    if (map.isTimed && page.time >= map.begin && page.time <= map.end) {
      context.fillStyle = color("--mark");
      context.fillRect(this.left + (page.time - map.begin) / Math.max(1e-9, map.end - map.begin) * this.width - 1 / canvas.scale, map.y, 2 / canvas.scale, MAP.height);
    }
    if (canvas.scale > 0.6) {
      context.fillStyle = color("--dim");
      context.fillText(text(map.begin), this.left, map.y + MAP.height + 9);
      context.textAlign = "right";
      context.fillText(text(map.end), this.left + this.width, map.y + MAP.height + 9);
      context.fillText(bytesText(map.to), this.left - 8, map.y + 6);
      context.fillText("0", this.left - 8, map.y + MAP.height - 6);
      context.textAlign = "left";
    }
  }

  drawBar(context, canvas, bar) {
    context.fillStyle = color("--fore");
    drawText(context, bar.name, 0, bar.y + BAR.height / 2, this.left - 10);
    context.fillStyle = color("--bar");
    context.fillRect(this.left, bar.y, this.width, BAR.height);
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.strokeRect(this.left, bar.y, this.width, BAR.height);
    bar.parts.forEach((part, i) => this.drawPart(context, canvas, bar, part, FILLS[i % FILLS.length]));
    const used = bar.memory.used_bytes ?? bar.memory.total_bytes;
    context.fillStyle = color("--dim");
    context.fillText(bytesText(used), this.left + this.width + 10, bar.y + BAR.height / 2);
    if (canvas.scale > 0.6) {
      context.fillText(bar.isChannel ? addressText(bar.from) : "0", this.left, bar.y + BAR.height + 9);
      context.textAlign = "right";
      context.fillText(bar.isChannel ? addressText(bar.to) : bytesText(bar.to), this.left + this.width, bar.y + BAR.height + 9);
      context.textAlign = "left";
    }
  }

  drawPart(context, canvas, bar, part, fill) {
    const left = this.x(bar, part.from);
    this.drawBox(context, canvas, {part, fill, left, top: bar.y, width: this.x(bar, part.to) - left, height: BAR.height});
  }

  drawBox(context, canvas, {part, fill, left, top, width, height}) {
    const wide = Math.max(1 / canvas.scale, width);
    const isMarked = part.facts.queue !== undefined && part.facts.queue === this.marked;
    context.fillStyle = color(fill);
    context.fillRect(left, top, wide, height);
    context.strokeStyle = color(isMarked ? "--mark" : `${fill}-line`);
    context.lineWidth = isMarked ? 3 : 0.8;
    context.strokeRect(left, top, wide, height);
    context.fillStyle = color("--fore");
    if (height * canvas.scale >= 9) {
      drawText(context, part.name, left + 4, top + height / 2, wide - 6);
    }
  }
}
