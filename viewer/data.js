// Documents inside the page, and graphs made ready for drawing.

/**
 * @typedef {{id: number, kind: string, name: string, type?: string, graph?: string, layer?: number|null,
 *   cores?: {row: number, column: number, rows: number, columns: number}|null}} GraphNode
 * @typedef {{kind: string, from: number, to: number}} GraphEdge
 * @typedef {{name: string, nodes: GraphNode[], edges: GraphEdge[], grid_rows?: number, grid_columns?: number}} Graph
 * @typedef {{width: number, height: number, nodes: number[], edges: number[]}} Layout
 * @typedef {{rule: string, severity: string, refused_by?: string[], file: string, member?: string, line?: number,
 *   column?: number, offset?: number|string, object?: string, message: string}} Finding
 * @typedef {{file: string, format: string, title: string, size_bytes: number, has_content: boolean,
 *   graphs?: Graph[], memory?: object[], layouts?: Layout[], findings: Finding[]}} FileData
 */

const CELL = 600; // units: edge of a cell of the index of what is where

/** @param {string} text base64 @returns {Uint8Array} */
function bytesOf(text) {
  if (Uint8Array.fromBase64) {
    return Uint8Array.fromBase64(text);
  }
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) {
    bytes[i] = raw.charCodeAt(i);
  }
  return bytes;
}

/** The document of that id, or null when the page has none. @param {string} id @returns {Promise<any>} */
async function readDocument(id) {
  const element = document.getElementById(id);
  if (!element) {
    return null;
  }
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot decompress (DecompressionStream): use a version of 2023 or later.");
  }
  const packed = new Blob([bytesOf(element.textContent.trim())]);
  const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Lists of numbers by key, in two arrays. */
class Lists {
  /** @param {number} keys @param {Iterable<[number, number]>[]} pairs called twice */
  constructor(keys, pairs) {
    this.starts = new Uint32Array(keys + 1);
    pairs((key) => this.starts[key + 1]++);
    for (let i = 0; i < keys; i++) {
      this.starts[i + 1] += this.starts[i];
    }
    const next = this.starts.slice();
    this.items = new Uint32Array(this.starts[keys]);
    pairs((key, item) => { this.items[next[key]++] = item; });
  }

  /** @param {number} key @returns {Uint32Array} */
  of(key) {
    return this.items.subarray(this.starts[key], this.starts[key + 1]);
  }
}

/** What is in which part of a drawing. Boxes are four numbers each: left, top, right, bottom. */
class Places {
  constructor(boxes, count, width, height) {
    this.boxes = boxes;
    this.count = count;
    this.size = [width, height];
    this.seen = new Uint32Array(count);
    this.turn = 0;
    this.lists = null; // until there is time
  }

  /** Makes what is asked for faster. */
  makeIndex() {
    const {boxes, count} = this;
    const [width, height] = this.size;
    this.columns = Math.max(1, Math.min(2048, Math.ceil(width / CELL)));
    this.rows = Math.max(1, Math.min(2048, Math.ceil(height / CELL)));
    this.cellWidth = Math.max(1, width / this.columns);
    this.cellHeight = Math.max(1, height / this.rows);
    this.long = []; // what is in very many cells
    const isLong = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const [left, top, right, bottom] = this.cells(boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3]);
      if ((right - left + 1) * (bottom - top + 1) > 64) {
        isLong[i] = 1;
        this.long.push(i);
      }
    }
    this.lists = new Lists(this.columns * this.rows, (take) => {
      for (let i = 0; i < count; i++) {
        if (!isLong[i]) {
          this.each(boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3], (cell) => take(cell, i));
        }
      }
    });
  }

  cells(left, top, right, bottom) {
    const column = (x) => Math.max(0, Math.min(this.columns - 1, Math.floor(x / this.cellWidth)));
    const row = (y) => Math.max(0, Math.min(this.rows - 1, Math.floor(y / this.cellHeight)));
    return [column(left), row(top), column(right), row(bottom)];
  }

  each(left, top, right, bottom, take) {
    const [first, from, last, to] = this.cells(left, top, right, bottom);
    for (let r = from; r <= to; r++) {
      for (let c = first; c <= last; c++) {
        take(r * this.columns + c);
      }
    }
  }

  /** Numbers of what may be in the box, each once; stops at `most`. */
  inside(left, top, right, bottom, most = Infinity) {
    const found = [];
    if (!this.lists) {
      const boxes = this.boxes;
      for (let i = 0, b = 0; i < this.count && found.length < most; i++, b += 4) {
        if (boxes[b] <= right && boxes[b + 2] >= left && boxes[b + 1] <= bottom && boxes[b + 3] >= top) {
          found.push(i);
        }
      }
      return found;
    }
    this.turn++;
    const take = (i) => {
      const b = 4 * i;
      if (this.seen[i] !== this.turn && this.boxes[b] <= right && this.boxes[b + 2] >= left && this.boxes[b + 1] <= bottom &&
          this.boxes[b + 3] >= top && found.length < most) {
        this.seen[i] = this.turn;
        found.push(i);
      }
    };
    this.long.forEach(take);
    this.each(left, top, right, bottom, (cell) => {
      if (found.length < most) {
        this.lists.of(cell).forEach(take);
      }
    });
    return found;
  }
}

/** A graph made ready: boxes of nodes, points of edges, neighbours, and what is where. */
class Drawing {
  /** @param {Graph} graph @param {Layout} layout */
  constructor(graph, layout) {
    this.graph = graph;
    this.width = layout.width;
    this.height = layout.height;
    const count = graph.nodes.length;
    const at = layout.nodes;
    this.boxes = new Float64Array(4 * count);
    for (let i = 0; i < 4 * count; i += 4) {
      this.boxes[i] = at[i];
      this.boxes[i + 1] = at[i + 1];
      this.boxes[i + 2] = at[i] + at[i + 2];
      this.boxes[i + 3] = at[i + 1] + at[i + 3];
    }
    this.readEdges(layout.edges, graph.edges.length);
    this.nodePlaces = new Places(this.boxes, count, layout.width, layout.height);
    this.edgePlaces = new Places(this.edgeBoxes, graph.edges.length, layout.width, layout.height);
    this.lists = null;
  }

  /** Of edge i: way, whether it goes back, and points, in `line` from starts[i] to starts[i + 1]. */
  readEdges(given, count) {
    this.line = Float64Array.from(given);
    this.starts = new Uint32Array(count + 1);
    this.edgeBoxes = new Float64Array(4 * count);
    const line = this.line;
    let from = 0;
    let to = 0; // the number of points is left out
    for (let i = 0; i < count; i++) {
      this.starts[i] = to;
      const end = from + 3 + 2 * line[from + 2];
      line[to] = line[from];
      line[to + 1] = line[from + 1];
      let x = 0;
      let y = 0;
      let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
      to += 2;
      for (from += 3; from < end; from += 2, to += 2) {
        x += line[from];
        y += line[from + 1];
        line[to] = x;
        line[to + 1] = y;
        left = x < left ? x : left;
        right = x > right ? x : right;
        top = y < top ? y : top;
        bottom = y > bottom ? y : bottom;
      }
      this.edgeBoxes[4 * i] = left;
      this.edgeBoxes[4 * i + 1] = top;
      this.edgeBoxes[4 * i + 2] = right;
      this.edgeBoxes[4 * i + 3] = bottom;
    }
    this.starts[count] = to;
  }

  /** @param {number} i @returns {Float64Array} way, whether it goes back, points */
  edge(i) {
    return this.line.subarray(this.starts[i], this.starts[i + 1]);
  }

  /** Edges by the node that they leave, and that they enter. */
  neighbours() {
    if (!this.lists) {
      const {nodes, edges} = this.graph;
      this.lists = {out: new Lists(nodes.length, (take) => edges.forEach((edge, i) => take(edge.from, i))),
        into: new Lists(nodes.length, (take) => edges.forEach((edge, i) => take(edge.to, i)))};
    }
    return this.lists;
  }

  get out() {
    return this.neighbours().out;
  }

  get into() {
    return this.neighbours().into;
  }

  /** When there is time: what makes it faster. */
  makeIndices() {
    for (const places of [this.nodePlaces, this.edgePlaces]) {
      if (!places.lists) {
        places.makeIndex();
        return true;
      }
    }
    return false;
  }
}
