// Memories as bars: of a channel what lies at which address, of an area what takes how much.

const BAR = {height: 26, gap: 18};
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

class MemoryPainter {
  /** @param {object[]} memories @param {number} width of the window */
  constructor(memories, width) {
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
  }

  extent() {
    return [0, -14, this.left + this.width + 82, Math.max(1, this.bars.length) * (BAR.height + BAR.gap)];
  }

  beginning() {
    return [this.left + this.width / 2, -14];
  }

  x(bar, address) {
    return this.left + (address - bar.from) / (bar.to - bar.from) * this.width;
  }

  hit(x, y) {
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
    const x = this.x(bar, part.from);
    const width = Math.max(1 / canvas.scale, this.x(bar, part.to) - x);
    context.fillStyle = color(fill);
    context.fillRect(x, bar.y, width, BAR.height);
    context.strokeStyle = color(part.facts.queue !== undefined && part.facts.queue === this.marked ? "--mark" : `${fill}-line`);
    context.lineWidth = part.facts.queue !== undefined && part.facts.queue === this.marked ? 3 : 0.8;
    context.strokeRect(x, bar.y, width, BAR.height);
    context.fillStyle = color("--fore");
    drawText(context, part.name, x + 4, bar.y + BAR.height / 2, width - 6);
  }
}
