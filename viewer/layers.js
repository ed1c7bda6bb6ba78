// The data flow in layers: draws what is seen of a graph. Where it is small, boxes without texts; where
// very much is seen, a picture of all that was made before, in pieces that leave frames free.

/** Colors and corners of a kind of node. */
const KINDS = {
  op: ["--step", 3], operator: ["--step", 3], layer: ["--step", 3],
  queue: ["--place", 14], variable: ["--place", 14], tensor: ["--place", 14],
  engine: ["--lane", 3], queue_set: ["--lane", 14],
  semaphore: ["--signal", 14], unknown: ["--lost", 3],
};
const MANY = 4000; // nodes that are drawn one by one in a frame
const MANY_EDGES = 6000;
const WHILE_MOVING = 500; // edges, and nodes with texts
const OVERVIEW = 3000; // pixels of the picture of all, at most

class LayersPainter {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.selected = -1;
    this.overview = null;
  }

  extent() {
    return [0, 0, this.drawing.width, this.drawing.height];
  }

  /** Where to look first: the top of the first node of the first layer. */
  beginning() {
    const boxes = this.drawing.boxes;
    let first = 0;
    for (let i = 4; i < boxes.length; i += 4) {
      first = boxes[i + 1] < boxes[first + 1] ? i : first;
    }
    return boxes.length ? [(boxes[first] + boxes[first + 2]) / 2, boxes[first + 1]] : [0, 0];
  }

  hit(x, y) {
    const found = this.drawing.nodePlaces.inside(x, y, x, y, 8);
    return found.length ? found[found.length - 1] : -1;
  }

  draw(context, canvas) {
    const [left, top, right, bottom] = canvas.seen();
    const nodes = this.drawing.nodePlaces.inside(left, top, right, bottom, MANY + 1);
    if (nodes.length > MANY) {
      this.drawOverview(context, canvas);
    } else {
      const edges = this.drawing.edgePlaces.inside(left, top, right, bottom, MANY_EDGES);
      const step = canvas.isMoving ? Math.ceil(edges.length / WHILE_MOVING) : 1;
      this.drawEdges(context, canvas, step > 1 ? edges.filter((edge) => edge % step === 0) : edges);
      this.drawNodes(context, canvas, nodes);
    }
    if (this.selected >= 0) {
      this.drawSelected(context, canvas);
    }
  }

  /** The parts of an edge that are seen. */
  path(context, i, [left, top, right, bottom]) {
    const points = this.drawing.edges[i];
    let isThere = false; // the path ends where the next part begins
    for (let k = 4; k < points.length; k += 2) {
      const [x0, y0, x, y] = [points[k - 2], points[k - 1], points[k], points[k + 1]];
      const isSeen = Math.max(x0, x) >= left && Math.min(x0, x) <= right && Math.max(y0, y) >= top && Math.min(y0, y) <= bottom;
      if (isSeen && !isThere) {
        context.moveTo(x0, y0);
      }
      if (isSeen && points[0] === 0 && x0 !== x) {
        const middle = (y0 + y) / 2;
        context.bezierCurveTo(x0, middle, x, middle, x, y);
      } else if (isSeen) {
        context.lineTo(x, y);
      }
      isThere = isSeen;
    }
  }

  drawEdges(context, canvas, edges) {
    const seen = canvas.seen();
    for (const back of [0, 1]) {
      context.beginPath();
      edges.forEach((i) => {
        if (this.drawing.edges[i][1] === back) {
          this.path(context, i, seen);
        }
      });
      context.strokeStyle = color(back ? "--back-edge" : "--edge");
      context.lineWidth = Math.max(1, 0.6 / canvas.scale);
      context.setLineDash(back ? [6, 4] : []);
      context.stroke();
    }
    context.setLineDash([]);
    if (canvas.scale > 0.3 && !(canvas.isMoving && edges.length > WHILE_MOVING / 2)) {
      edges.forEach((i) => this.arrow(context, i));
    }
  }

  arrow(context, i) {
    const points = this.drawing.edges[i];
    const n = points.length;
    const [x, y] = [points[n - 2], points[n - 1]];
    const angle = points[0] === 0 ? Math.PI / 2 * Math.sign(y - points[n - 3] || 1) : Math.atan2(y - points[n - 3], x - points[n - 4]);
    context.fillStyle = color(points[1] ? "--back-edge" : "--edge");
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - 7 * Math.cos(angle - 0.45), y - 7 * Math.sin(angle - 0.45));
    context.lineTo(x - 7 * Math.cos(angle + 0.45), y - 7 * Math.sin(angle + 0.45));
    context.fill();
  }

  drawNodes(context, canvas, nodes) {
    const boxes = this.drawing.boxes;
    const texts = canvas.scale > 0.35 && !(canvas.isMoving && nodes.length > WHILE_MOVING);
    context.lineWidth = Math.max(1, 0.6 / canvas.scale);
    context.textBaseline = "middle";
    context.direction = "ltr";
    context.font = FONT;
    nodes.forEach((i) => {
      const node = this.drawing.graph.nodes[i];
      const [fill, corner] = KINDS[node.kind] || KINDS.unknown;
      const [x, y, right, bottom] = boxes.subarray(4 * i, 4 * i + 4);
      context.fillStyle = color(fill);
      context.strokeStyle = color(`${fill}-line`);
      if (!texts) {
        context.fillRect(x, y, right - x, bottom - y);
        context.strokeRect(x, y, right - x, bottom - y);
        return;
      }
      context.beginPath();
      context.roundRect(x, y, right - x, bottom - y, corner);
      context.fill();
      context.stroke();
      this.drawTexts(context, node, x, y, right - x, bottom - y);
    });
  }

  drawTexts(context, node, x, y, width, height) {
    const below = node.type || node.kind.replace("_", " ");
    const second = below !== node.name;
    context.fillStyle = color("--fore");
    drawText(context, node.name || "(no name)", x + 6, y + height / 2 - (second ? 7 : 0), width - 10);
    if (second) {
      context.fillStyle = color("--dim");
      drawText(context, below, x + 6, y + height / 2 + 8, width - 10);
    }
  }

  drawSelected(context, canvas) {
    const {graph, boxes, out, into} = this.drawing;
    const near = [...out.of(this.selected), ...into.of(this.selected)].slice(0, MANY);
    context.beginPath();
    const seen = canvas.seen();
    near.forEach((i) => this.path(context, i, seen));
    context.strokeStyle = color("--mark");
    context.lineWidth = Math.max(2, 1.2 / canvas.scale);
    context.stroke();
    const others = new Set(near.map((i) => graph.edges[i].from).concat(near.map((i) => graph.edges[i].to)));
    this.drawNodes(context, canvas, [...others]);
    const [x, y, right, bottom] = boxes.subarray(4 * this.selected, 4 * this.selected + 4);
    const around = 3 + 1 / canvas.scale;
    context.strokeStyle = color("--mark");
    context.lineWidth = Math.max(2.5, 2 / canvas.scale);
    context.strokeRect(x - around, y - around, right - x + 2 * around, bottom - y + 2 * around);
  }

  // All of it, small ------------------------------------------------------------------------------

  drawOverview(context, canvas) {
    if (!this.overview || this.overview.theme !== color("--back")) {
      this.beginOverview(canvas);
    }
    context.imageSmoothingEnabled = true;
    context.drawImage(this.overview.image, 0, 0, this.drawing.width, this.drawing.height);
  }

  beginOverview(canvas) {
    const {width, height} = this.drawing;
    const scale = Math.min(1, OVERVIEW / Math.max(width, height));
    const image = document.createElement("canvas");
    image.width = Math.max(1, Math.ceil(width * scale));
    image.height = Math.max(1, Math.ceil(height * scale));
    const context = image.getContext("2d");
    context.scale(image.width / width, image.height / height);
    this.overview = {image, theme: color("--back"), edges: 0, nodes: 0};
    this.goOn(context, {scale}, canvas, this.overview);
  }

  /** A piece of the picture, edges first; then the next one after the browser had its turn. */
  goOn(context, at, canvas, overview) {
    const until = performance.now() + 10;
    const piece = 500;
    while (overview.edges < this.drawing.edges.length && performance.now() < until) {
      const end = Math.min(this.drawing.edges.length, overview.edges + piece);
      context.beginPath();
      for (let i = overview.edges; i < end; i++) {
        const points = this.drawing.edges[i];
        context.moveTo(points[2], points[3]);
        for (let k = 4; k < points.length; k += 2) {
          context.lineTo(points[k], points[k + 1]);
        }
      }
      context.strokeStyle = color("--line");
      context.lineWidth = 0.5 / at.scale;
      context.stroke();
      overview.edges = end;
    }
    while (overview.edges >= this.drawing.edges.length && overview.nodes < this.drawing.graph.nodes.length && performance.now() < until) {
      const end = Math.min(this.drawing.graph.nodes.length, overview.nodes + piece);
      for (let i = overview.nodes; i < end; i++) {
        const [x, y, right, bottom] = this.drawing.boxes.subarray(4 * i, 4 * i + 4);
        context.fillStyle = color(`${(KINDS[this.drawing.graph.nodes[i].kind] || KINDS.unknown)[0]}-line`);
        context.fillRect(x, y, Math.max(right - x, 1.5 / at.scale), Math.max(bottom - y, 1.5 / at.scale));
      }
      overview.nodes = end;
    }
    if (overview === this.overview) {
      canvas.ask();
      if (overview.nodes < this.drawing.graph.nodes.length) {
        setTimeout(() => this.goOn(context, at, canvas, overview), 0);
      }
    }
  }

  // From node to node -----------------------------------------------------------------------------

  /** The node that an arrow key leads to; -1: none. */
  neighbour(key) {
    const {graph, boxes, out, into} = this.drawing;
    const at = this.selected;
    const middle = (i) => (boxes[4 * i] + boxes[4 * i + 2]) / 2;
    if (key === "ArrowDown" || key === "ArrowUp") {
      const edges = key === "ArrowDown" ? out.of(at) : into.of(at);
      const others = [...edges].map((i) => (key === "ArrowDown" ? graph.edges[i].to : graph.edges[i].from)).filter((i) => i !== at);
      others.sort((a, b) => Math.abs(middle(a) - middle(at)) - Math.abs(middle(b) - middle(at)));
      return others.length ? others[0] : -1;
    }
    const side = key === "ArrowRight" ? 1 : -1;
    const [y0, y1] = [boxes[4 * at + 1], boxes[4 * at + 3]];
    for (let reach = 1000; reach <= 64000; reach *= 8) {
      const [x0, x1] = side > 0 ? [middle(at), middle(at) + reach] : [middle(at) - reach, middle(at)];
      const row = this.drawing.nodePlaces.inside(x0, y0, x1, y1).filter((i) => i !== at && (middle(i) - middle(at)) * side > 0);
      if (row.length) {
        return row.reduce((best, i) => ((middle(i) - middle(best)) * side < 0 ? i : best));
      }
    }
    return -1;
  }
}
