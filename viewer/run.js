// The estimated run of a file (hoist trace): events by lane, with a tree above each lane, so that a
// million events are drawn by what is a pixel wide.

/**
 * @typedef {{device: string|null, host: string|null, ticks_per_second: number, words: string[],
 *   kinds: Object<string, number[]>, events: number[], why_not?: string[]}} RunData
 */

const WORD_KEYS = ["name", "process", "function", "device", "bound"];

/** Events of a thread or unit, in the order in which they begin, and what is above them: of each pair the
 * latest end, the longer work and its color. */
class Lane {
  /** @param {Run} run @param {string} name @param {Uint32Array} events */
  constructor(run, name, events) {
    const count = events.length;
    const bottom = {ends: new Float64Array(count), tones: new Uint8Array(count), work: new Float64Array(count)};
    this.name = name;
    this.events = events;
    this.begins = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      const e = events[i];
      this.begins[i] = run.begins[e];
      bottom.ends[i] = run.ends[e];
      bottom.work[i] = run.ends[e] - run.begins[e];
      bottom.tones[i] = run.tones[run.kindOf[e]];
    }
    this.levels = [bottom];
    for (let below = this.levels[0]; below.ends.length > 1; below = this.levels[this.levels.length - 1]) {
      this.levels.push(Lane.above(below));
    }
  }

  static above({ends, tones, work}) {
    const count = (ends.length + 1) >> 1;
    const made = {ends: new Float64Array(count), tones: new Uint8Array(count), work: new Float64Array(count)};
    for (let i = 0; i < count; i++) {
      const a = 2 * i;
      const b = Math.min(a + 1, ends.length - 1);
      made.ends[i] = Math.max(ends[a], ends[b]);
      made.tones[i] = work[b] > work[a] ? tones[b] : tones[a];
      made.work[i] = Math.max(work[a], work[b]);
    }
    return made;
  }

  /** Calls for the parts of [from, to) that are at least `least` ticks wide, or events: take(begin, end, tone, event or -1). */
  walk(from, to, least, take) {
    const visit = (level, i) => {
      const begin = this.begins[i << level];
      const {ends, tones} = this.levels[level];
      const end = ends[i];
      if (begin >= to || end < from) {
        return;
      }
      if (level === 0 || end - begin < least) {
        take(begin, end, tones[i], level === 0 ? i : -1);
        return;
      }
      visit(level - 1, 2 * i);
      if (2 * i + 1 < this.levels[level - 1].ends.length) {
        visit(level - 1, 2 * i + 1);
      }
    };
    if (this.events.length) {
      visit(this.levels.length - 1, 0);
    }
  }

  /** The number, in the lane, of the last event that has begun by then; -1: none. */
  before(ticks) {
    let [low, high] = [0, this.begins.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      [low, high] = this.begins[middle] <= ticks ? [middle + 1, high] : [low, middle];
    }
    return low - 1;
  }

  /** The number, in the lane, of the innermost event that is going on at that time; -1: none. */
  at(ticks) {
    const ends = this.levels[0].ends;
    const last = this.before(ticks);
    for (let i = last; i >= 0 && i > last - 256; i--) {
      if (ends[i] > ticks) {
        return i;
      }
    }
    return -1;
  }
}

const TONES = ["--step", "--place", "--lane", "--signal", "--lost"];
/** What takes the time of an event, by its color; others have the last one. */
const TONE_OF = {compute: 0, transfer: 1, parameters: 1, memory: 2, request: 3};

class Run {
  /** @param {RunData} data */
  constructor(data) {
    const count = data.events.length / 3;
    this.data = data;
    this.kindOf = new Uint32Array(count);
    this.begins = new Float64Array(count);
    this.ends = new Float64Array(count);
    this.tones = Uint8Array.from(data.kinds.bound, (word) => TONE_OF[data.words[word - 1]] ?? 4);
    const given = data.events;
    let at = 0;
    let end = 0;
    for (let i = 0, k = 0; i < count; i++, k += 3) {
      at += given[k + 1];
      this.kindOf[i] = given[k];
      this.begins[i] = at;
      this.ends[i] = at + given[k + 2];
      end = this.ends[i] > end ? this.ends[i] : end;
    }
    this.end = end;
    data.events = []; // which are in the arrays now
    this.lanes = this.makeLanes();
  }

  /** Lanes in the order in which their first events come. */
  makeLanes() {
    const process = Uint32Array.from(this.data.kinds.process);
    const counts = new Uint32Array(this.data.words.length + 1);
    const order = [];
    for (let i = 0; i < this.kindOf.length; i++) {
      if (counts[process[this.kindOf[i]]]++ === 0) {
        order.push(process[this.kindOf[i]]);
      }
    }
    const lists = [];
    order.forEach((word) => { lists[word] = new Uint32Array(counts[word]); });
    counts.fill(0);
    for (let i = 0; i < this.kindOf.length; i++) {
      const word = process[this.kindOf[i]];
      lists[word][counts[word]++] = i;
    }
    return order.map((word) => new Lane(this, this.data.words[word - 1] || "", this.sorted(lists[word])));
  }

  /** Events in the order in which they begin, as they mostly are. @param {Uint32Array} events */
  sorted(events) {
    for (let i = 1; i < events.length; i++) {
      if (this.begins[events[i - 1]] > this.begins[events[i]]) {
        return events.sort((a, b) => this.begins[a] - this.begins[b] || a - b);
      }
    }
    return events;
  }

  nameOf(event) {
    return this.data.words[this.data.kinds.name[this.kindOf[event]] - 1] || "";
  }

  /** What is known of an event, as the document of hoist time has it. */
  factsOf(event) {
    const facts = {begin: this.text(this.begins[event]), length: this.text(this.ends[event] - this.begins[event])};
    Object.entries(this.data.kinds).forEach(([key, values]) => {
      const value = values[this.kindOf[event]];
      if (WORD_KEYS.includes(key)) {
        facts[key] = value ? this.data.words[value - 1] : null;
      } else if (key.endsWith("_seconds")) {
        facts[key.replace("_seconds", "")] = value < 0 ? null : this.text(value);
      } else if (value) {
        facts[key] = value;
      }
    });
    return facts;
  }

  /** A time of the run, or how long something takes. */
  text(ticks) {
    return secondsText(ticks / this.data.ticks_per_second);
  }

  /** Numbers of kinds that have this name. */
  kindsNamed(names) {
    const found = new Set();
    this.data.kinds.name.forEach((word, kind) => {
      if (names.includes(this.data.words[word - 1])) {
        found.add(kind);
      }
    });
    return found;
  }
}

/** The node that an event is about, by its name, or its name and number: {graph, node}, or null. */
class NodeNames {
  /** @param {Graph[]} graphs */
  constructor(graphs) {
    this.graphs = graphs;
    this.found = new Map();
    graphs.forEach((graph, g) => graph.nodes.forEach((node) => {
      this.add(node.name, {graph: g, node: node.id});
      this.add(`${node.name}/${node.id}`, {graph: g, node: node.id});
    }));
  }

  add(name, at) {
    const list = this.found.get(name);
    if (list) {
      list.push(at);
    } else {
      this.found.set(name, [at]);
    }
  }

  find(name, path = "") {
    const list = this.found.get(name) || [];
    return list.find(({graph}) => (path || "").split("/").includes(this.graphs[graph].name)) || list[0] || null;
  }
}
