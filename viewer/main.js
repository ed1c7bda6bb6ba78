// The page: which file, graph, view and node are shown, keys, and the address that keeps them.

const VIEWS = ["layers", "floorplan", "timeline", "memory", "findings", "content", "changes"];
const TIMED = ["floorplan", "timeline", "memory"]; // views that have the time of the page
const $ = (id) => document.getElementById(id);

const page = {
  /** @type {(FileData|null)[]} */ files: [],
  documents: new Map(), // by id: promises
  file: 0, graph: 0, view: "layers", node: -1,
  drawings: new Map(), // by file and graph
  canvas: null,
  runs: new Map(), // by file: Run; a text: why there is none; undefined: not read yet
  names: new Map(), // by file: NodeNames
  time: 0, // ticks
  event: -1, // of the run
  changes: null, // Changes
};

function fileNow() {
  return page.files[page.file] || null;
}

function drawingNow() {
  const file = fileNow();
  const key = `${page.file}/${page.graph}`;
  if (!page.drawings.has(key) && file && file.graphs && file.graphs[page.graph] && file.layouts) {
    page.drawings.set(key, new Drawing(file.graphs[page.graph], file.layouts[page.graph]));
  }
  return page.drawings.get(key) || null;
}

/** A function that gives a document of the file, read once; null: the page has none. */
function reader(what) {
  const id = `${what}-${page.file}`;
  if (!document.getElementById(id)) {
    return null;
  }
  return () => {
    if (!page.documents.has(id)) {
      page.documents.set(id, readDocument(id));
    }
    return page.documents.get(id);
  };
}

/** The run of the file, or why it has none; null while it is read, and then shown. */
function runNow() {
  const file = page.file;
  if (!page.runs.has(file)) {
    const read = reader("run");
    page.runs.set(file, read ? null : "There is no estimate: the file is too broken to be shown.");
    page.reading = read ? read().then((data) => {
      page.runs.set(file, data.events && data.events.length ? new Run(data) : whyNoRun(data));
      if (page.file === file) {
        showView(Boolean(page.placeGiven) || page.canvas.painter !== null);
      }
    }) : Promise.resolve();
    page.reading.catch(report);
  }
  return page.runs.get(file);
}

function whyNoRun(data) {
  const reasons = (data.why_not || []).map((text) => plain(text, 300));
  return `There is no estimate of the run${reasons.length ? `: ${reasons.slice(0, 5).join("; ")}` : ""}.`;
}

function namesNow() {
  if (!page.names.has(page.file)) {
    page.names.set(page.file, new NodeNames(fileNow().graphs || []));
  }
  return page.names.get(page.file);
}

/** The node that an event is about; null: none. */
function nodeOfEvent(run, event) {
  const facts = run.factsOf(event);
  return namesNow().find(facts.name, facts.function || facts.process);
}

function say(text) {
  $("status").textContent = text;
}

function note(text) {
  $("note").textContent = text;
  $("note").hidden = !text;
}

// What is shown ---------------------------------------------------------------------------------------

function painterOf() {
  const file = fileNow();
  if (page.view === "memory") {
    const read = runNow();
    const painter = new MemoryPainter(file.memory || [], read instanceof Run ? read : null, $("stage").clientWidth);
    return painter.isEmpty() ? null : painter;
  }
  const drawing = drawingNow();
  const run = TIMED.includes(page.view) ? runNow() : null;
  if (page.view === "timeline") {
    return run instanceof Run ? new TimelinePainter(run, $("stage").clientWidth) : null;
  }
  if (page.view === "floorplan") {
    const hasGrid = drawing && drawing.graph.grid_rows;
    return hasGrid ? new FloorplanPainter(drawing.graph) : run instanceof Run ? new UnitsPainter(run, $("stage").clientWidth) : null;
  }
  const painter = drawing ? new LayersPainter(drawing) : null;
  if (painter && page.changes) {
    painter.changes = page.changes.of(page.file, fileNow(), page.graph);
  }
  return painter;
}

const MISSING = {
  layers: "Files of this format are not drawn, or this one is too broken to be: see Findings.",
  floorplan: "This graph is not placed on a grid, and has no estimated run.",
  timeline: "",
  memory: "Nothing in this file has a place in a memory, and no estimated run shares any.",
};

function missing() {
  const run = TIMED.includes(page.view) ? runNow() : "";
  const reading = run === null ? "reading the run …" : "";
  return page.view === "timeline" ? reading || run : reading || MISSING[page.view];
}

/** Draws the view afresh. @param {boolean} keeps where it was */
function showView(keeps) {
  const file = fileNow();
  const isSheet = ["findings", "content", "changes"].includes(page.view);
  document.querySelectorAll("#tabs button").forEach((tab) => {
    const chosen = tab.dataset.view === page.view;
    tab.setAttribute("aria-selected", String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  });
  $("canvas").hidden = isSheet;
  $("sheet").hidden = !isSheet;
  $("tools").classList.toggle("idle", isSheet);
  $("clock").hidden = true;
  note("");
  if (!file) {
    return;
  }
  if (page.view === "changes") {
    showChanges($("sheet"), page.changes, page.files, showChange);
  } else if (page.view === "findings") {
    showFindings($("sheet"), file, goTo);
  } else if (page.view === "content") {
    showContent($("sheet"), file, reader("info"), reader("content"));
  } else {
    const place = keeps && page.canvas.painter && page.canvas.painter.place ? page.canvas.painter.place() : page.placeGiven;
    page.canvas.painter = painterOf();
    showClock();
    const isEmpty = page.view === "layers" && drawingNow() && !drawingNow().graph.nodes.length;
    note(isEmpty ? "This graph has no nodes." : page.canvas.painter ? "" : missing());
    select(page.node, false);
    page.canvas.resize(); // the panel may have taken its part
    if (page.view === "timeline" && page.canvas.painter) {
      page.canvas.painter.fit();
      if (keeps && place) {
        page.canvas.painter.setPlace(place);
        page.placeGiven = null;
      }
    }
    if (!keeps) {
      page.canvas.fit(page.view === "floorplan");
      if (page.node >= 0) {
        select(page.node);
      }
    }
  }
  describe();
  keepAddress();
}

// The time of the page ---------------------------------------------------------------------------------

/** The slider, where the view has a time and the run is known. */
function showClock() {
  const run = TIMED.includes(page.view) ? runNow() : null;
  const isShown = run instanceof Run;
  $("clock").hidden = !isShown;
  if (isShown) {
    setTime(Math.min(page.time, run.end), false);
  }
}

/** @param {number} ticks @param {boolean} fromSlider */
function setTime(ticks, fromSlider) {
  const run = runNow();
  if (!(run instanceof Run)) {
    return;
  }
  page.time = Math.max(0, Math.min(run.end, ticks));
  if (!fromSlider) {
    $("time").value = String(Math.round(10000 * page.time / Math.max(1, run.end)));
  }
  const busy = run.lanes.map((lane) => [lane, lane.at(page.time)]).filter(([, i]) => i >= 0);
  const names = busy.slice(0, 4).map(([lane, i]) => plain(run.nameOf(lane.events[i]), 40));
  $("when").textContent = `${run.text(page.time)}: ${names.length ? names.join(", ") : "idle"}${busy.length > 4 ? ` and ${busy.length - 4} others` : ""}`;
  $("time").setAttribute("aria-valuetext", $("when").textContent);
  showBusy(run, busy.map(([lane, i]) => lane.events[i]));
  page.canvas.ask();
  keepAddress();
}

/** Colors what is at work on the floorplan; of several graphs, on that of the first event that has one. */
function showBusy(run, events) {
  if (!(page.canvas.painter instanceof FloorplanPainter)) {
    return;
  }
  const found = events.map((event) => nodeOfEvent(run, event)).filter((at) => at);
  if (found.length && !found.some((at) => at.graph === page.graph)) {
    page.graph = found[0].graph;
    $("graph").value = String(page.graph);
    page.node = -1;
    page.canvas.painter = new FloorplanPainter(drawingNow().graph);
  }
  page.canvas.painter.busy = new Set(found.filter((at) => at.graph === page.graph).map((at) => at.node));
}

/** Selects an event, or none, and the node that it is about. */
function selectEvent(event, moves) {
  const run = runNow();
  const painter = page.canvas.painter;
  page.event = run instanceof Run && event >= 0 && event < run.kindOf.length ? event : -1;
  if (page.event < 0) {
    select(-1);
    return;
  }
  const at = nodeOfEvent(run, page.event);
  if (at) {
    page.graph = at.graph;
    $("graph").value = String(at.graph);
  }
  page.node = at ? at.node : -1;
  setTime(run.begins[page.event], false);
  markEvents();
  if (moves && painter instanceof TimelinePainter) {
    painter.show(page.event, page.canvas);
  }
  showEvent(run, at);
  page.canvas.ask();
}

function markEvents() {
  const painter = page.canvas.painter;
  const run = page.runs.get(page.file);
  if (painter instanceof TimelinePainter) {
    const node = page.node >= 0 && drawingNow() ? drawingNow().graph.nodes[page.node] : null;
    painter.event = page.event;
    painter.marks = node ? run.kindsNamed([node.name, `${node.name}/${node.id}`]) : new Set();
  }
}

function showEvent(run, at) {
  openPanel($("panel"), run.nameOf(page.event), () => { selectEvent(-1); $("canvas").focus(); });
  $("panel").append(facts(run.factsOf(page.event), ["name"]));
  if (at) {
    const links = element("div", undefined, "links");
    const button = element("button", `show ${plain(fileNow().graphs[at.graph].nodes[at.node].name, 60)} in its graph`);
    button.addEventListener("click", () => goTo(at.graph, at.node));
    links.append(button);
    $("panel").append(links);
  }
  say(`${plain(run.nameOf(page.event), 80)}: ${run.text(run.begins[page.event])} + ${run.text(run.ends[page.event] - run.begins[page.event])}`);
}

function describe() {
  const file = fileNow();
  const graph = (file.graphs || [])[page.graph];
  const parts = [plain(file.file.split("/").pop(), 60), plain(file.title || "a file of no known format")];
  if (graph) {
    parts.push(`${graph.nodes.length.toLocaleString("en")} nodes, ${graph.edges.length.toLocaleString("en")} edges`);
  }
  const errors = file.findings.filter((f) => f.severity === "error").length;
  parts.push(errors ? `${errors} error${errors === 1 ? "" : "s"}` : "no errors");
  say(parts.join(" · "));
}

/** Selects a node of the graph, or none (-1), and shows it where `moves`. */
function select(node, moves = true) {
  const painter = page.canvas.painter;
  const drawing = drawingNow();
  page.node = drawing && node >= 0 && node < drawing.graph.nodes.length ? node : -1;
  if (painter) {
    painter.selected = page.node;
    painter.marked = page.node >= 0 ? drawing.graph.nodes[page.node].name : undefined;
  }
  if (!(painter instanceof TimelinePainter) || page.node < 0) {
    page.event = -1;
  }
  markEvents();
  if (page.node < 0) {
    $("panel").hidden = true;
  } else {
    const shown = drawing.graph.nodes[page.node];
    showNode($("panel"), fileNow(), drawing, page.node, reader("content"), (fileNow().layouts[page.graph].objects || [])[page.node], (i) => select(i), () => { select(-1); $("canvas").focus(); });
    say(`${plain(shown.name, 80)}: ${plain(shown.type || shown.kind, 40)}`);
    if (moves && painter instanceof LayersPainter) {
      page.canvas.show(...drawing.boxes.subarray(4 * page.node, 4 * page.node + 4));
    }
  }
  page.canvas.ask();
  keepAddress();
}

function goTo(graph, node) {
  const fresh = page.graph !== graph || page.view !== "layers";
  page.graph = graph;
  $("graph").value = String(graph);
  page.node = node;
  if (fresh) {
    page.view = "layers";
    showView(false);
  }
  select(node);
  $("canvas").focus();
}

/** Shows a node of one of two files that are compared. */
async function showChange({file, graph, node}) {
  page.view = "layers";
  page.node = node;
  page.event = -1;
  page.graphGiven = graph;
  await showFile(file, false);
  $("canvas").focus();
}

/** The comparison of both files, where the page has one: its nodes have colors then. */
async function readChanges() {
  const data = await readDocument("changes");
  if (data && Array.isArray(data.differences)) {
    page.changes = new Changes(data);
    document.querySelector('[data-view="changes"]').hidden = false;
    page.files = await Promise.all(page.files.map((file, i) => file || readDocument(`file-${i}`)));
  }
}

function showMemoryPart({bar, part}) {
  openPanel($("panel"), part ? part.name : bar.name, () => { $("panel").hidden = true; $("canvas").focus(); });
  $("panel").append(facts(part ? part.facts : bar.memory, ["buffers", "scratchpads"]));
  if (part) {
    $("panel").append(element("h3", "Memory"), facts(bar.memory, ["buffers", "scratchpads"]));
    const graph = (fileNow().graphs || []).findIndex((g) => g.nodes.some((n) => n.name === part.facts.queue));
    if (graph >= 0) {
      const links = element("div", undefined, "links");
      const button = element("button", "show in its graph");
      button.addEventListener("click", () => goTo(graph, fileNow().graphs[graph].nodes.find((n) => n.name === part.facts.queue).id));
      links.append(button);
      $("panel").append(links);
    }
  }
  if (bar.memory.scratchpads && bar.memory.scratchpads.length) {
    $("panel").append(element("h3", "Scratchpads"), treeOf(bar.memory.scratchpads, "tree root", 1));
  }
}

function pick(hit) {
  if (hit !== -1 && hit.event !== undefined) {
    selectEvent(hit.event, false);
  } else if (hit !== -1 && typeof hit === "object") {
    showMemoryPart(hit);
  } else {
    select(hit, false);
  }
}

// The address -----------------------------------------------------------------------------------------

let isReady = false;
let addressTimer = 0;
function keepAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    if (isReady && location.protocol !== "about:") { // a frame of a notebook has no address of its own
      const {x, y, scale} = page.canvas;
      const text = new URLSearchParams({file: page.file, graph: page.graph, view: page.view, node: page.node,
        time: Math.round(page.time),
        at: (page.canvas.painter && page.canvas.painter.place ? page.canvas.painter.place() : [Math.round(x), Math.round(y), scale.toPrecision(3)]).join(",")}).toString();
      history.replaceState(null, "", `#${text}`);
    }
  }, 200);
}

/** @returns {boolean} whether it has a place to look at */
function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  const number = (key, most) => { const n = Number(given.get(key)); return Number.isInteger(n) && n >= 0 && n < most ? n : 0; };
  page.file = number("file", page.files.length);
  page.graphGiven = number("graph", 1 << 20);
  page.isChosen = VIEWS.includes(given.get("view")) && (given.get("view") !== "changes" || page.changes !== null);
  page.view = page.isChosen ? given.get("view") : "layers";
  page.node = given.has("node") ? Number(given.get("node")) : -1;
  page.time = Math.max(0, Number(given.get("time")) || 0);
  const at = (given.get("at") || "").split(",").map(Number);
  if (page.view === "timeline") {
    page.placeGiven = at.length === 3 && at.every(Number.isFinite) ? at : null;
    return true;
  }
  if (at.length === 3 && at.every(Number.isFinite) && at[2] > 0) {
    page.canvas.resize();
    [page.canvas.x, page.canvas.y, page.canvas.scale] = [at[0], at[1], Math.max(LEAST_SCALE, Math.min(MOST_SCALE, at[2]))];
    return true;
  }
  return false;
}

// Files ------------------------------------------------------------------------------------------------

function listGraphs(file) {
  const graphs = file.graphs || [];
  $("graph").replaceChildren(...graphs.map((graph, i) => {
    const option = element("option", plain(graph.name || "(no name)", 60));
    option.value = String(i);
    return option;
  }));
  $("graph").hidden = graphs.length < 2;
}

async function showFile(index, keeps) {
  page.file = index;
  $("file").value = String(index);
  page.files[index] ??= await readDocument(`file-${index}`);
  const file = fileNow();
  document.title = `${plain(file.file, 80)} - hoist`;
  listGraphs(file);
  page.graph = Math.min(page.graphGiven || 0, Math.max(0, (file.graphs || []).length - 1));
  page.graphGiven = 0;
  $("graph").value = String(page.graph);
  if (!page.isChosen) { // what there is to see of the first file
    page.isChosen = true;
    page.view = page.changes ? "changes" : (file.graphs || []).length ? "layers" : file.findings.length ? "findings" : "content";
  }
  showView(keeps);
}

// Keys -------------------------------------------------------------------------------------------------

const KEYS = [["/", "search names"], ["↑ ↓", "along edges: what a node reads, what reads it"], ["← →", "along a layer"],
  ["Shift + arrows", "move the drawing"], ["+ −", "larger, smaller"], ["f", "fit into the window"], ["[ ]", "graph before, next"],
  ["1 … 6", "layers, floorplan, timeline, memory, findings, file"], ["7", "the differences, where two files are compared"], [", .", "the time of the page, back and on"], ["Esc", "close, select nothing"]];

function showKeys() {
  const list = element("dl");
  KEYS.forEach(([keys, what]) => {
    const term = element("dt");
    term.append(element("kbd", keys));
    list.append(term, element("dd", what));
  });
  const close = element("button", "Close");
  close.addEventListener("click", () => $("keys").close());
  $("keys").replaceChildren(element("h2", "Keys"), list, close);
  $("keys").showModal();
}

function arrow(event) {
  const painter = page.canvas.painter;
  if (!event.shiftKey && painter instanceof TimelinePainter) {
    selectEvent(painter.neighbour(event.key), true);
    return;
  }
  const way = {ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1]}[event.key];
  if (event.shiftKey || !(painter instanceof LayersPainter)) {
    page.canvas.pan(80 * way[0], 80 * way[1]);
  } else if (page.node < 0) {
    const [left, top, right, bottom] = page.canvas.seen();
    const seen = painter.drawing.nodePlaces.inside(left, top, right, bottom, 1);
    select(seen.length ? seen[0] : 0);
  } else {
    const next = painter.neighbour(event.key);
    if (next >= 0) {
      select(next);
    }
  }
}

function turnGraph(by) {
  const count = (fileNow().graphs || []).length;
  if (count > 1) {
    page.graph = (page.graph + count + by) % count;
    $("graph").value = String(page.graph);
    page.node = -1;
    showView(false);
  }
}

function key(event) {
  const inField = event.target !== $("time") && ["INPUT", "SELECT"].includes(event.target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || (inField && event.key !== "Escape") || $("keys").open || !fileNow()) {
    return;
  }
  const onCanvas = event.target === $("canvas") || event.target === document.body;
  if (event.key === "/") {
    $("search").focus();
    $("search").select();
  } else if (event.key.startsWith("Arrow") && onCanvas && !$("canvas").hidden) {
    arrow(event);
  } else if (event.key === "+" || event.key === "=") {
    page.canvas.zoom(1.3);
  } else if (event.key === "-") {
    page.canvas.zoom(1 / 1.3);
  } else if (event.key === "f" || event.key === "0") {
    page.canvas.fit(true);
  } else if (event.key === "[" || event.key === "]") {
    turnGraph(event.key === "]" ? 1 : -1);
  } else if ((event.key === "," || event.key === ".") && !$("clock").hidden) {
    setTime(page.time + (event.key === "." ? 1 : -1) * runNow().end / 100, false);
  } else if (event.key === "?") {
    showKeys();
  } else if (event.key === "Escape") {
    select(-1);
  } else if (event.key >= "1" && event.key <= String(page.changes ? VIEWS.length : VIEWS.length - 1)) {
    page.view = VIEWS[Number(event.key) - 1];
    showView(false);
  } else {
    return;
  }
  event.preventDefault();
}

// Buttons ----------------------------------------------------------------------------------------------

function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function savePicture() {
  $("canvas").toBlob((blob) => save(blob, "hoist.png"));
}

function saveSvg() {
  const text = drawingNow() && svgOf(drawingNow());
  if (text) {
    save(new Blob([text], {type: "image/svg+xml"}), "hoist.svg");
  } else {
    say(drawingNow() ? "The graph has too many nodes for an SVG file: at most 20,000." : MISSING.layers);
  }
}

const darkens = window.matchMedia("(prefers-color-scheme: dark)");
function setTheme(dark) {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  colors.clear();
  page.canvas.ask();
}

function listen() {
  document.addEventListener("keydown", key);
  $("file").addEventListener("change", () => { page.node = -1; page.event = -1; page.time = 0; showFile(Number($("file").value), false).catch(report); });
  $("graph").addEventListener("change", () => { page.graph = Number($("graph").value); page.node = -1; showView(false); });
  const tabs = [...document.querySelectorAll("#tabs button")].filter((tab) => !tab.hidden);
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => { page.view = tab.dataset.view; showView(false); });
    tab.addEventListener("keydown", (event) => {
      const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (by) {
        const next = tabs[(i + tabs.length + by) % tabs.length];
        next.focus();
        next.click();
        event.stopPropagation();
      }
    });
  });
  $("time").addEventListener("input", () => setTime(Number($("time").value) / 10000 * runNow().end, true));
  $("in").addEventListener("click", () => page.canvas.zoom(1.3));
  $("out").addEventListener("click", () => page.canvas.zoom(1 / 1.3));
  $("fit").addEventListener("click", () => page.canvas.fit(true));
  $("png").addEventListener("click", savePicture);
  $("svg").addEventListener("click", saveSvg);
  $("help").addEventListener("click", showKeys);
  $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme !== "dark"));
  darkens.addEventListener("change", () => setTheme(darkens.matches));
}

function report(error) {
  note(error.message);
  say(error.message);
}

/** Piece by piece, when the page can be used. */
function makeIndices() {
  if ([...page.drawings.values()].some((drawing) => drawing.makeIndices())) {
    setTimeout(makeIndices, 50);
  }
}

async function start() {
  page.canvas = new Canvas($("canvas"));
  page.canvas.onpick = pick;
  page.canvas.onmove = keepAddress;
  setTheme(darkens.matches);
  while (document.getElementById(`file-${page.files.length}`)) {
    page.files.push(null);
  }
  if (!page.files.length) {
    note("The page has no file.");
    return;
  }
  new Search($("search"), $("results"), fileNow, goTo, () => $("canvas").focus());
  listen();
  await readChanges();
  const keeps = readAddress();
  $("file").replaceChildren(...page.files.map((file, i) => {
    const option = element("option", `File ${i + 1}`);
    option.value = String(i);
    return option;
  }));
  $("file").hidden = page.files.length < 2;
  await showFile(page.file, keeps);
  await page.reading;
  isReady = true;
  document.documentElement.dataset.ready = String(Math.round(performance.now())); // for tests: when
  setTimeout(makeIndices, 200);
  for (let i = 0; i < page.files.length; i++) { // their names, when there is time
    page.files[i] ??= await readDocument(`file-${i}`);
    $("file").options[i].textContent = plain(page.files[i].file, 60);
  }
}

document.addEventListener("DOMContentLoaded", () => { start().catch(report); });
