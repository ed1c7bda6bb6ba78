// Where steps are on the grid of cores: a rectangle for each, rows and columns numbered; and units of a run,
// where there is no grid. What is at work at the time of the page has a color and a thick border.

const CORE = 74; // units

class FloorplanPainter {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
    this.busy = null; // nodes at work; null: the run is not known
    this.selected = -1;
    this.placed = graph.nodes.filter((node) => node.cores);
  }

  extent() {
    return [-30, -24, this.graph.grid_columns * CORE, this.graph.grid_rows * CORE];
  }

  beginning() {
    return [this.graph.grid_columns * CORE / 2, -24];
  }

  box(node) {
    const {row, column, rows, columns} = node.cores;
    return [column * CORE + 3, row * CORE + 3, columns * CORE - 6, rows * CORE - 6];
  }

  hit(x, y) {
    const found = this.placed.find((node) => {
      const [left, top, width, height] = this.box(node);
      return x >= left && x <= left + width && y >= top && y <= top + height;
    });
    return found ? found.id : -1;
  }

  draw(context, canvas) {
    this.drawGrid(context, canvas);
    this.placed.forEach((node) => this.drawStep(context, canvas, node));
  }

  drawGrid(context, canvas) {
    const {grid_rows: rows, grid_columns: columns} = this.graph;
    context.strokeStyle = color("--line");
    context.lineWidth = 1;
    context.font = FONT;
    context.fillStyle = color("--dim");
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let r = 0; r < rows; r++) {
      context.fillText(String(r), -16, (r + 0.5) * CORE);
      for (let c = 0; c < columns; c++) {
        context.strokeRect(c * CORE, r * CORE, CORE, CORE);
      }
    }
    for (let c = 0; c < columns; c++) {
      context.fillText(String(c), (c + 0.5) * CORE, -12);
    }
    context.textAlign = "left";
  }

  drawStep(context, canvas, node) {
    const [x, y, width, height] = this.box(node);
    context.beginPath();
    context.roundRect(x, y, width, height, 4);
    const isBusy = this.busy && this.busy.has(node.id);
    context.fillStyle = color(isBusy ? "--hit" : "--step");
    context.fill();
    context.strokeStyle = color(node.id === this.selected ? "--mark" : "--step-line");
    context.lineWidth = node.id === this.selected ? 4 : isBusy ? 3 : 1;
    context.stroke();
    context.textBaseline = "top";
    context.font = FONT;
    context.fillStyle = color("--fore");
    drawText(context, node.name, x + 5, y + 6, width - 8);
    context.fillStyle = color("--dim");
    drawText(context, node.type || "", x + 5, y + 21, width - 8);
  }
}

const UNIT = {width: 230, height: 58, gap: 14};

/** Threads and units as boxes, with what each does at the time of the page. */
class UnitsPainter {
  /** @param {Run} run @param {number} width of the window */
  constructor(run, width) {
    this.run = run;
    this.columns = Math.max(1, Math.min(Math.ceil(Math.sqrt(run.lanes.length)), Math.floor((width - 40) / (UNIT.width + UNIT.gap))));
    this.selected = -1;
  }

  extent() {
    const rows = Math.ceil(this.run.lanes.length / this.columns);
    return [0, 0, this.columns * (UNIT.width + UNIT.gap) - UNIT.gap, Math.max(1, rows * (UNIT.height + UNIT.gap) - UNIT.gap)];
  }

  beginning() {
    return [this.extent()[2] / 2, 0];
  }

  box(i) {
    return [i % this.columns * (UNIT.width + UNIT.gap), Math.floor(i / this.columns) * (UNIT.height + UNIT.gap)];
  }

  hit(x, y) {
    const i = this.run.lanes.findIndex((_, k) => { const [left, top] = this.box(k); return x >= left && x <= left + UNIT.width && y >= top && y <= top + UNIT.height; });
    const found = i < 0 ? -1 : this.run.lanes[i].at(page.time);
    return found < 0 ? -1 : {event: this.run.lanes[i].events[found]};
  }

  draw(context, canvas) {
    const [, top, , bottom] = canvas.seen();
    context.font = FONT;
    context.direction = "ltr";
    context.textBaseline = "middle";
    this.run.lanes.forEach((lane, i) => {
      const [x, y] = this.box(i);
      if (y + UNIT.height >= top && y <= bottom) {
        this.drawUnit(context, lane, x, y);
      }
    });
  }

  drawUnit(context, lane, x, y) {
    const at = lane.at(page.time);
    const tone = at >= 0 ? TONES[lane.levels[0].tones[at]] : "--bar";
    context.beginPath();
    context.roundRect(x, y, UNIT.width, UNIT.height, 4);
    context.fillStyle = color(tone);
    context.fill();
    context.strokeStyle = color(at >= 0 ? `${tone}-line` : "--line");
    context.lineWidth = at >= 0 ? 3 : 1;
    context.stroke();
    context.fillStyle = color("--fore");
    drawText(context, lane.name || "(no name)", x + 8, y + 19, UNIT.width - 16);
    context.fillStyle = color(at >= 0 ? "--fore" : "--dim");
    drawText(context, at >= 0 ? this.run.nameOf(lane.events[at]) : "idle", x + 8, y + 39, UNIT.width - 16);
  }
}
