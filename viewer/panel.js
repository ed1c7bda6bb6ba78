// Fields: of a node in the side panel, and of the complete file as a tree that is filled as it is opened.
// In a content a value with a place is {at: [line, column], value}.

const ITEMS = 200; // of a list or map at a time

/** A value of a content without its place: [value, place]. */
function placed(item) {
  const wrapped = item !== null && typeof item === "object" && !Array.isArray(item) && Array.isArray(item.at) && "value" in item && Object.keys(item).length === 2;
  return wrapped ? [item.value, {line: item.at[0], column: item.at[1]}] : [item, {}];
}

function placeMark(place) {
  return element("span", placeText(place), "at");
}

function treeItem(key, item, isOpen) {
  const [value, place] = placed(item);
  const made = element("li");
  if (value === null || typeof value !== "object") {
    made.className = "leaf";
    made.append(element("span", plain(key, 200), "key"), element("span", `: ${value === null ? "null" : valueText(key, value)}`), placeMark(place));
    return made;
  }
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const button = element("button");
  const open = element("span", "▸ ");
  button.append(open, element("span", plain(key, 200), "key"), element("span", Array.isArray(value) ? ` [${size}]` : ` {${size}}`));
  button.setAttribute("aria-expanded", "false");
  made.append(button, placeMark(place));
  const toggle = () => {
    const list = made.querySelector("ul");
    button.setAttribute("aria-expanded", String(!list));
    open.textContent = list ? "▸ " : "▾ ";
    if (list) {
      list.remove();
    } else {
      made.append(treeOf(value));
    }
  };
  button.addEventListener("click", toggle);
  if (isOpen) {
    toggle();
  }
  return made;
}

function treeOf(value, className = "tree", depth = 0) {
  const list = element("ul", undefined, className);
  const entries = Array.isArray(value) ? value.map((item, i) => [String(i), item]) : Object.entries(value);
  let shown = 0;
  const add = (more) => {
    entries.slice(shown, shown + ITEMS).forEach(([key, item]) => list.append(treeItem(key, item, depth > 0 && entries.length <= 12)));
    shown += ITEMS;
    if (shown < entries.length) {
      more.textContent = `${entries.length - shown} more`;
      list.append(more.parentElement);
    } else {
      more.parentElement.remove();
    }
  };
  const next = element("li");
  const button = element("button");
  next.append(button);
  button.addEventListener("click", () => add(button));
  add(button);
  return list;
}

/** Fields of a map that are no names or numbers of the page. */
function facts(map, without) {
  const list = element("dl");
  Object.entries(map).filter(([key]) => !without.includes(key)).forEach(([key, value]) => {
    list.append(element("dt", plain(key.replace(/_/g, " "), 60)), element("dd", valueText(key, value)));
  });
  return list;
}

/** Where a content has what a node is: maps under a key of its name, and items whose "name" it is.
 * @param {any} content @param {GraphNode} node @returns {{path: string, item: any}[]} */
function fieldsOf(content, node) {
  const found = [];
  const walk = (item, path, inGraph) => {
    const [value] = placed(item);
    if (found.length >= 20 || value === null || typeof value !== "object") {
      return;
    }
    const named = !Array.isArray(value) && value.name !== undefined && placed(value.name)[0] === node.name;
    if (named) {
      found.push({path: path.join("/"), item, inGraph});
    }
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, inner] of entries) {
      const here = inGraph || key === node.graph;
      if (key === node.name && placed(inner)[0] !== null && typeof placed(inner)[0] === "object") {
        found.push({path: [...path, key].join("/"), item: inner, inGraph: here});
      } else {
        walk(inner, [...path, String(key)], here);
      }
    }
  };
  walk(content, [], false);
  const own = found.filter((f) => f.inGraph);
  return own.length ? own : found;
}

/** The item of a content at a path of keys and numbers, whose names may have the separator; undefined: none. */
function itemAt(content, path) {
  const walk = (item, rest) => {
    if (rest === "") {
      return item;
    }
    const [value] = placed(item);
    if (value === null || typeof value !== "object") {
      return undefined;
    }
    for (let end = rest.indexOf("/"); ; end = rest.indexOf("/", end + 1)) {
      const key = end < 0 ? rest : rest.slice(0, end);
      const found = Object.hasOwn(value, key) ? walk(value[key], end < 0 ? "" : rest.slice(end + 1)) : undefined;
      if (found !== undefined || end < 0) {
        return found;
      }
    }
  };
  return walk(content, path);
}

/** @param {HTMLElement} panel @param {string} title @param {() => void} close */
function openPanel(panel, title, close) {
  panel.replaceChildren();
  const button = element("button", "×", "close");
  button.setAttribute("aria-label", "Close details");
  button.addEventListener("click", close);
  panel.append(button, element("h2", plain(title, 240) || "(no name)"));
  panel.hidden = false;
}

function neighbourList(panel, title, edges, other, graph, go) {
  if (!edges.length) {
    return;
  }
  panel.append(element("h3", `${title} (${edges.length})`));
  const list = element("ul", undefined, "links");
  edges.slice(0, 100).forEach((i) => {
    const edge = graph.edges[i];
    const item = element("li");
    const rest = Object.entries(edge).filter(([key, value]) => !["kind", "from", "to"].includes(key) && value !== null).map(([key, value]) => `${key} ${valueText(key, value)}`);
    const button = element("button", `${plain(graph.nodes[other(edge)].name, 80)}  ${edge.kind}${rest.length ? ` (${rest.join(", ")})` : ""}`);
    button.addEventListener("click", () => go(other(edge)));
    item.append(button);
    list.append(item);
  });
  panel.append(list);
  if (edges.length > 100) {
    panel.append(element("p", `and ${edges.length - 100} others`, "at"));
  }
}

/** @param {FileData} file @param {Drawing} drawing @param {number} id */
function showNode(panel, file, drawing, id, content, object, go, close) {
  const graph = drawing.graph;
  const node = graph.nodes[id];
  openPanel(panel, node.name, close);
  panel.append(facts(node, node.name.length > 240 ? ["id"] : ["id", "name"]));
  if (object) {
    panel.append(facts({file: file.file, object}, []));
  }
  neighbourList(panel, "From", [...drawing.into.of(id)], (edge) => edge.from, graph, go);
  neighbourList(panel, "To", [...drawing.out.of(id)], (edge) => edge.to, graph, go);
  const memory = (file.memory || []).flatMap((m) => (m.buffers || []).filter((b) => b.queue === node.name).map((b) => [m, b]));
  if (memory.length) {
    panel.append(element("h3", "In memory"));
    memory.slice(0, 50).forEach(([m, b]) => panel.append(facts({chip: m.chip, memory: m.memory, channel: m.channel, ...b}, ["queue"])));
  }
  const about = file.findings.filter((f) => { const at = nodeOf(file, f); return at && at.node === id && file.graphs[at.graph] === graph; });
  if (about.length) {
    panel.append(element("h3", "Findings"));
    about.forEach((f) => panel.append(element("p", `${f.rule}: ${plainLong(f.message)}`, f.severity)));
  }
  showFields(panel, node, content, object);
}

/** Every field of the node in the file, when its content has been read. */
function showFields(panel, node, content, object) {
  const head = element("h3", "In the file");
  panel.append(head);
  if (!content) {
    panel.append(element("p", "The page has no content of this file.", "at"));
    return;
  }
  const waiting = element("p", "reading …", "at");
  panel.append(waiting);
  content().then((read) => {
    if (!waiting.isConnected) {
      return; // the panel has another node
    }
    const item = object ? itemAt(read, object) : undefined;
    const found = item === undefined ? fieldsOf(read, node) : [{path: object, item}];
    waiting.textContent = found.length ? "" : "Nothing in the file has this name.";
    found.forEach(({path, item}) => {
      const [value, place] = placed(item);
      const line = element("p", plain(path), "at");
      line.append(placeMark(place));
      panel.insertBefore(line, null);
      panel.append(treeOf(value, "tree root", 1));
    });
  });
}

/** The summary and the complete content, as they have been read. */
function showContent(sheet, file, info, content) {
  sheet.replaceChildren(element("h2", plainLong(file.file)), element("p", `${file.title || "no known format"}, ${bytesText(file.size_bytes)}`));
  if (info) {
    const reading = element("p", "reading …", "at");
    sheet.append(element("h3", "Summary (hoist info)"), reading);
    info().then((read) => reading.replaceWith(treeOf(read, "tree root", 1)));
  }
  sheet.append(element("h3", "Every field, with its place (hoist dump)"));
  if (!content) {
    sheet.append(element("p", "Left out: it has more than 2,000,000 values, or the format has none.", "at"));
    return;
  }
  const waiting = element("p", "reading …", "at");
  sheet.append(waiting);
  content().then((read) => waiting.replaceWith(treeOf(read, "tree root", 1)));
}
