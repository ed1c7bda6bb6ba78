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
const OVERVIEW = 2400; // pixels of the picture of all, at most

/** What a canvas has, which moves along with the drawing. */
class Frame {
  /** @param {Canvas} canvas @param {LayersPainter} painter */
  constructor(canvas, painter) {
    Object.assign(this, {x: canvas.x, y: canvas.y, scale: canvas.scale, theme: color("--back"), selected: painter.selected,
      width: canvas.element.width, height: canvas.element.height});
  }

  /** Pixels by which it has moved; null: it shows something else. */
  shift(canvas, painter) {
    const {element, scale} = canvas;
    if (scale !== this.scale || this.theme !== color("--back") || this.selected !== painter.selected || element.width !== this.width ||
        element.height !== this.height) {
      return null;
    }
    const ratio = window.devicePixelRatio || 1;
    const dx = Math.round((this.x - canvas.x) * scale * ratio);
    const dy = Math.round((this.y - canvas.y) * scale * ratio);
    return Math.abs(dx) < this.width / 2 && Math.abs(dy) < this.height / 2 ? [dx, dy] : null;
  }

  /** Copies what stays, and draws what comes: columns at one side, rows above or below. */
  move(context, canvas, [dx, dy], draw) {
    const pixel = 1 / (this.scale * (window.devicePixelRatio || 1));
    const {width, height} = this;
    this.x -= dx * pixel;
    this.y -= dy * pixel;
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = "copy";
    context.drawImage(canvas.element, dx, dy);
    context.restore();
    const parts = [];
    if (dx) {
      parts.push(dx > 0 ? [0, 0, dx, height] : [width + dx, 0, -dx, height]);
    }
    if (dy) {
      parts.push(dy > 0 ? [0, 0, width, dy] : [0, height + dy, width, -dy]);
    }
    parts.forEach(([x, y, w, h]) => {
      context.save();
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.beginPath();
      context.rect(x, y, w, h);
      context.clip();
      context.fillStyle = color("--back");
      context.fillRect(x, y, w, h);
      context.setTransform(1 / pixel, 0, 0, 1 / pixel, -this.x / pixel, -this.y / pixel);
      draw([this.x + x * pixel, this.y + y * pixel, this.x + (x + w) * pixel, this.y + (y + h) * pixel]);
      context.restore();
    });
  }
}

class LayersPainter {
  /** @param {Drawing} drawing */
  constructor(drawing) {
    this.drawing = drawing;
    this.selected = -1;
    this.overview = null;
    this.frame = null; // what was drawn, complete
    this.changes = null; // kinds of differences by node, where files are compared
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

  /** Whether it draws on what the canvas has. */
  keepsFrame(canvas) {
    return Boolean(canvas.isMoving && this.frame && this.frame.shift(canvas, this));
  }

  /** While the drawing is moved what was drawn moves along, and only what comes into the window is drawn. */
  draw(context, canvas) {
    const frame = this.frame;
    const shift = frame && frame.shift(canvas, this);
    if (canvas.isMoving && shift) {
      frame.move(context, canvas, shift, (seen) => this.drawPart(context, canvas, seen, false));
      return;
    }
    const isComplete = this.drawPart(context, canvas, canvas.seen(), canvas.isMoving);
    this.frame = isComplete ? new Frame(canvas, this) : null;
  }

  /** @param {number[]} part of the drawing @param {boolean} isBrief details may be left out
   * @returns {boolean} whether nothing was left out */
  drawPart(context, canvas, part, isBrief) {
    const [left, top, right, bottom] = part;
    let isComplete = true;
    const nodes = this.drawing.nodePlaces.inside(left, top, right, bottom, MANY + 1);
    if (nodes.length > MANY) {
      this.drawOverview(context, canvas);
      isComplete = false;
    } else {
      const edges = this.drawing.edgePlaces.inside(left, top, right, bottom, MANY_EDGES);
      const step = isBrief ? Math.ceil(edges.length / WHILE_MOVING) : 1;
      const isReadable = !isBrief || nodes.length <= WHILE_MOVING;
      this.drawEdges(context, canvas, step > 1 ? edges.filter((edge) => edge % step === 0) : edges, part, step === 1);
      this.drawNodes(context, canvas, nodes, isReadable);
      isComplete = step === 1 && isReadable;
    }
    if (this.selected >= 0) {
      this.drawSelected(context, canvas, part);
    }
    return isComplete;
  }

  /** The parts of an edge that are seen. */
  path(context, i, [left, top, right, bottom]) {
    const points = this.drawing.line;
    const [first, end] = [this.drawing.starts[i], this.drawing.starts[i + 1]];
    const isCurve = points[first] === 0;
    let isThere = false; // the path ends where the next part begins
    for (let k = first + 4; k < end; k += 2) {
      const x0 = points[k - 2];
      const y0 = points[k - 1];
      const x = points[k];
      const y = points[k + 1];
      const isSeen = Math.max(x0, x) >= left && Math.min(x0, x) <= right && Math.max(y0, y) >= top && Math.min(y0, y) <= bottom;
      if (isSeen && !isThere) {
        context.moveTo(x0, y0);
      }
      if (isSeen && isCurve && x0 !== x) {
        const middle = (y0 + y) / 2;
        context.bezierCurveTo(x0, middle, x, middle, x, y);
      } else if (isSeen) {
        context.lineTo(x, y);
      }
      isThere = isSeen;
    }
  }

  drawEdges(context, canvas, edges, seen, hasArrows) {
    for (const back of [0, 1]) {
      context.beginPath();
      edges.forEach((i) => {
        if (this.drawing.line[this.drawing.starts[i] + 1] === back) {
          this.path(context, i, seen);
        }
      });
      context.strokeStyle = color(back ? "--back-edge" : "--edge");
      context.lineWidth = Math.max(1, 0.6 / canvas.scale);
      context.setLineDash(back ? [6, 4] : []);
      context.stroke();
    }
    context.setLineDash([]);
    if (canvas.scale > 0.3 && hasArrows) {
      this.drawArrows(context, edges, seen);
    }
  }

  /** The ends of edges that are seen, those of a color in one go. */
  drawArrows(context, edges, [left, top, right, bottom]) {
    const points = this.drawing.line;
    for (const back of [0, 1]) {
      context.fillStyle = color(back ? "--back-edge" : "--edge");
      context.beginPath();
      edges.forEach((i) => {
        const first = this.drawing.starts[i];
        const n = this.drawing.starts[i + 1];
        const x = points[n - 2];
        const y = points[n - 1];
        if (points[first + 1] !== back || x < left - 8 || x > right + 8 || y < top - 8 || y > bottom + 8) {
          return;
        }
        const angle = points[first] === 0 ? Math.PI / 2 * Math.sign(y - points[n - 3] || 1) : Math.atan2(y - points[n - 3], x - points[n - 4]);
        context.moveTo(x, y);
        context.lineTo(x - 7 * Math.cos(angle - 0.45), y - 7 * Math.sin(angle - 0.45));
        context.lineTo(x - 7 * Math.cos(angle + 0.45), y - 7 * Math.sin(angle + 0.45));
        context.closePath();
      });
      context.fill();
    }
  }

  drawNodes(context, canvas, nodes, isReadable = true) {
    const boxes = this.drawing.boxes;
    const texts = canvas.scale > 0.35 && isReadable;
    context.lineWidth = Math.max(1, 0.6 / canvas.scale);
    context.textBaseline = "middle";
    context.direction = "ltr";
    context.font = FONT;
    nodes.forEach((i) => {
      const node = this.drawing.graph.nodes[i];
      const change = this.changes && (CHANGES[this.changes.get(i)] || ["--lost", ""]);
      const [kind, corner] = KINDS[node.kind] || KINDS.unknown;
      const fill = change ? change[0] : kind;
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
      if (change && change[1]) {
        context.fillStyle = color(`${fill}-line`);
        context.fillText(change[1], right - 10, y + 9);
      }
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

  drawSelected(context, canvas, seen) {
    const {graph, boxes, out, into} = this.drawing;
    const near = [...out.of(this.selected), ...into.of(this.selected)].slice(0, MANY);
    context.beginPath();
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
    const context = image.getContext("2d", {willReadFrequently: true});
    context.scale(image.width / width, image.height / height);
    this.overview = {image, theme: color("--back"), edges: 0, nodes: 0, next: 0};
    this.goOn(context, {scale}, canvas, this.overview);
  }

  /** Edges [from, to) as lines. */
  drawLines(context, from, to) {
    const points = this.drawing.line;
    context.beginPath();
    for (let i = from; i < to; i++) {
      const first = this.drawing.starts[i];
      const end = this.drawing.starts[i + 1];
      context.moveTo(points[first + 2], points[first + 3]);
      for (let k = first + 4; k < end; k += 2) {
        context.lineTo(points[k], points[k + 1]);
      }
    }
    context.stroke();
  }

  /** A piece of the picture, edges first; then the next one after the browser had its turn. */
  goOn(context, at, canvas, overview) {
    const until = performance.now() + 7;
    const piece = 60;
    const edges = this.drawing.graph.edges.length;
    const nodes = this.drawing.graph.nodes;
    context.strokeStyle = color("--line");
    context.lineWidth = 0.5 / at.scale;
    while (overview.edges < edges && performance.now() < until) {
      const end = Math.min(edges, overview.edges + piece);
      this.drawLines(context, overview.edges, end);
      context.getImageData(0, 0, 1, 1); // now, so that the clock counts it
      overview.edges = end;
    }
    while (overview.edges >= edges && overview.nodes < nodes.length && performance.now() < until) {
      const end = Math.min(nodes.length, overview.nodes + 4 * piece);
      for (let i = overview.nodes; i < end; i++) {
        const [x, y, right, bottom] = this.drawing.boxes.subarray(4 * i, 4 * i + 4);
        context.fillStyle = color(`${(KINDS[nodes[i].kind] || KINDS.unknown)[0]}-line`);
        context.fillRect(x, y, Math.max(right - x, 1.5 / at.scale), Math.max(bottom - y, 1.5 / at.scale));
      }
      context.getImageData(0, 0, 1, 1);
      overview.nodes = end;
    }
    if (overview === this.overview) {
      const isDone = overview.nodes >= nodes.length;
      if (isDone || performance.now() > overview.next) { // it is drawn again a few times, not for each piece
        overview.next = performance.now() + 250;
        canvas.ask();
      }
      if (!isDone) {
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
