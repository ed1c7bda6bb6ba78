// The complete drawing of a graph as an SVG file: elements made one by one, so that a name is never markup.

const SVG = "http://www.w3.org/2000/svg";
const MOST_IN_SVG = 20000; // nodes

function svgElement(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, String(value)));
  if (text !== undefined) {
    made.textContent = text;
  }
  return made;
}

function svgPath(points) {
  let text = `M${points[2]} ${points[3]}`;
  for (let k = 4; k < points.length; k += 2) {
    const middle = (points[k - 1] + points[k + 1]) / 2;
    text += points[0] === 0 ? `C${points[k - 2]} ${middle} ${points[k]} ${middle} ${points[k]} ${points[k + 1]}` : `L${points[k]} ${points[k + 1]}`;
  }
  return text;
}

function svgNode(drawing, i) {
  const node = drawing.graph.nodes[i];
  const [fill, corner] = KINDS[node.kind] || KINDS.unknown;
  const [x, y, right, bottom] = drawing.boxes.subarray(4 * i, 4 * i + 4);
  const columns = Math.floor((right - x - 10) / COLUMN);
  const made = svgElement("g", {});
  made.append(svgElement("title", {}, plainLong(node.name)),
    svgElement("rect", {x, y, width: right - x, height: bottom - y, rx: corner, fill: color(fill), stroke: color(`${fill}-line`)}),
    svgElement("text", {x: x + 6, y: y + 17, fill: color("--fore")}, plain(node.name || "(no name)", columns)),
    svgElement("text", {x: x + 6, y: y + 32, fill: color("--dim")}, plain(node.type || node.kind.replace("_", " "), columns)));
  return made;
}

/** The text of the file; null: there are too many nodes. @param {Drawing} drawing @returns {string|null} */
function svgOf(drawing) {
  const {width, height, graph} = drawing;
  if (graph.nodes.length > MOST_IN_SVG) {
    return null;
  }
  const margin = 16;
  const box = [-margin, -margin, width + 2 * margin, height + 2 * margin];
  const root = svgElement("svg", {viewBox: box.join(" "), width: box[2], height: box[3],
    "font-family": "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace", "font-size": 11});
  const marker = svgElement("marker", {id: "arrow", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto"});
  marker.append(svgElement("path", {d: "M0 0L8 4L0 8z", fill: color("--edge")}));
  const edges = svgElement("g", {fill: "none", stroke: color("--edge")});
  graph.edges.forEach((_, i) => {
    const points = drawing.edge(i);
    edges.append(svgElement("path", {d: svgPath(points), "marker-end": "url(#arrow)",
      ...(points[1] ? {"stroke-dasharray": "6 4", stroke: color("--back-edge")} : {})}));
  });
  root.append(marker, svgElement("rect", {x: box[0], y: box[1], width: box[2], height: box[3], fill: color("--back")}), edges);
  graph.nodes.forEach((node, i) => root.append(svgNode(drawing, i)));
  return new XMLSerializer().serializeToString(root);
}
