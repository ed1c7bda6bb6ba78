// Where steps are on the grid of cores: a rectangle for each, rows and columns numbered.

const CORE = 74; // units

class FloorplanPainter {
  /** @param {Graph} graph */
  constructor(graph) {
    this.graph = graph;
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
    context.fillStyle = color("--step");
    context.fill();
    context.strokeStyle = color(node.id === this.selected ? "--mark" : "--step-line");
    context.lineWidth = node.id === this.selected ? 4 : 1;
    context.stroke();
    context.textBaseline = "top";
    context.font = FONT;
    context.fillStyle = color("--fore");
    drawText(context, node.name, x + 5, y + 6, width - 8);
    context.fillStyle = color("--dim");
    drawText(context, node.type || "", x + 5, y + 21, width - 8);
  }
}
