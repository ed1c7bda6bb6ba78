// How two files differ (hoist diff): a table, and the nodes of both graphs that are added, removed or changed.

const CHANGES = {added: ["--lane", "+"], removed: ["--signal", "−"], changed: ["--place", "~"]};

/** The path of a difference as objects of the file have it: items are parts of it, too. */
function objectPath(path) {
  return String(path).replace(/\[([^\]]*)\]/g, "/$1");
}

class Changes {
  /** @param {{old: string, new: string, differences: {path: string, kind: string}[]}} data */
  constructor(data) {
    this.data = data;
    this.paths = data.differences.map((d) => objectPath(d.path)); // of the content, without its root
    this.marks = new Map(); // by file and graph: kinds by node
  }

  /** Differences of file 0 (old) or 1, by the objects that they are in: the path with all that is before its parts. */
  kindsOf(side) {
    const kinds = new Map();
    this.data.differences.forEach(({kind}, i) => {
      if ((side === 0 && kind === "added") || (side === 1 && kind === "removed")) {
        return;
      }
      const parts = this.paths[i].split("/");
      for (let k = 1; k <= parts.length && k <= 64; k++) {
        const whole = k === parts.length;
        const path = parts.slice(0, k).join("/");
        kinds.set(path, whole && !kinds.has(path) ? kind : kinds.get(path) === kind ? kind : "changed");
      }
    });
    return kinds;
  }

  /** The kind of each node of a graph that differs. @param {number} side @param {FileData} file */
  of(side, file, graph) {
    const key = `${side}/${graph}`;
    if (!this.marks.has(key)) {
      this.kinds = this.kinds || [this.kindsOf(0), this.kindsOf(1)];
      const objects = file.layouts[graph].objects || [];
      const gone = side === 0 ? "removed" : "added";
      const marks = new Map();
      objects.forEach((object, node) => {
        const kind = object && (this.kinds[side].get(object) || this.upper(this.kinds[side], object, gone));
        if (kind) {
          marks.set(node, kind);
        }
      });
      this.marks.set(key, marks);
    }
    return this.marks.get(key);
  }

  /** What holds the object was added or removed as one. */
  upper(kinds, object, gone) {
    const parts = object.split("/");
    for (let k = parts.length - 1; k > 0; k--) {
      if (kinds.get(parts.slice(0, k).join("/")) === gone) {
        return gone;
      }
    }
    return undefined;
  }

  /** The node that a difference is in: {file, graph, node}; null: none. */
  nodeOf(i, files) {
    const side = this.data.differences[i].kind === "removed" ? 0 : 1;
    const file = files[side];
    this.objects = this.objects || [];
    if (file && !this.objects[side]) {
      this.objects[side] = new Map();
      (file.layouts || []).forEach(({objects}, graph) => (objects || []).forEach((object, node) => {
        if (object && !this.objects[side].has(object)) {
          this.objects[side].set(object, {file: side, graph, node});
        }
      }));
    }
    const parts = this.paths[i].split("/");
    for (let k = parts.length; file && k > 0; k--) {
      const found = this.objects[side].get(parts.slice(0, k).join("/"));
      if (found) {
        return found;
      }
    }
    return null;
  }
}

function changeRow(changes, i, files, go) {
  const difference = changes.data.differences[i];
  const row = element("tr");
  const [tone, sign] = CHANGES[difference.kind] || CHANGES.changed;
  const kind = element("td", `${sign} ${difference.kind}`, tone.replace("--", "tone-"));
  const said = element("td", plain(difference.path, 300), "place path");
  const at = changes.nodeOf(i, files);
  if (at) {
    const links = element("div", undefined, "links");
    const node = files[at.file].graphs[at.graph].nodes[at.node];
    const link = element("button", `show ${plain(node.name, 60)} in the ${at.file === 0 ? "old" : "new"} graph`);
    link.addEventListener("click", () => go(at));
    links.append(link);
    said.append(links);
  }
  const value = (key) => element("td", key in difference ? plain(JSON.stringify(difference[key]), 300) : "-", `place ${key}`);
  row.append(kind, said, value("old"), value("new"));
  return row;
}

/** @param {HTMLElement} sheet @param {Changes} changes @param {(FileData|null)[]} files */
function showChanges(sheet, changes, files, go) {
  const all = changes.data.differences;
  const counts = Object.keys(CHANGES).map((kind) => [kind, all.filter((d) => d.kind === kind).length]).filter(([, n]) => n);
  sheet.replaceChildren(element("h2", counts.map(([kind, n]) => `${n} ${kind}`).join(", ") || "hoist diff finds no difference."),
    element("p", `old: ${plain(changes.data.old)}, new: ${plain(changes.data.new)}`));
  if (!all.length) {
    return;
  }
  const table = element("table");
  const head = element("tr");
  ["Kind", "Place", "Old", "New"].forEach((text) => head.append(element("th", text)));
  table.append(element("thead"), element("tbody"));
  table.tHead.append(head);
  let shown = 0;
  const more = element("button");
  const add = () => {
    for (const end = Math.min(all.length, shown + SHOWN); shown < end; shown++) {
      table.tBodies[0].append(changeRow(changes, shown, files, go));
    }
    more.textContent = `${all.length - shown} more`;
    more.hidden = shown === all.length;
  };
  more.addEventListener("click", add);
  add();
  sheet.append(table, more);
}
