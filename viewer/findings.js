// What `hoist check` found, as a table; a finding leads to the node that it is about.

const SHOWN = 500; // rows at a time

/** The node that a finding is about, by the path of its object: {graph, node}, or null.
 * @param {FileData} file @param {Finding} finding */
function nodeOf(file, finding) {
  const words = (finding.object || "").split("/");
  for (let g = 0; g < (file.graphs || []).length; g++) {
    const graph = file.graphs[g];
    if (words.includes(graph.name) || file.graphs.length === 1 || words[0] === "queues") {
      const node = graph.nodes.find((n) => words.includes(n.name));
      if (node) {
        return {graph: g, node: node.id};
      }
    }
  }
  return null;
}

function findingRow(sheet, file, finding, go) {
  const row = element("tr");
  const place = [plain(finding.file), finding.member ? `!${plain(finding.member)}` : "", placeText(finding) ? `:${placeText(finding)}` : ""].join("");
  row.append(element("td", finding.severity, finding.severity), element("td", finding.rule, "rule"), element("td", place, "place"));
  const said = element("td", plainLong(finding.message));
  const race = (file.races || []).find((r) => r.message === finding.message);
  if (race) {
    const links = element("div", undefined, "links");
    const link = element("button", "show the race step by step");
    link.addEventListener("click", () => new RaceView(sheet, race, () => showFindings(sheet, file, go)));
    links.append(link);
    said.append(links);
  }
  const at = nodeOf(file, finding);
  if (at) {
    const links = element("div", undefined, "links");
    const link = element("button", `show ${plain(file.graphs[at.graph].nodes[at.node].name, 60)}`);
    link.addEventListener("click", () => go(at.graph, at.node));
    links.append(link);
    said.append(links);
  } else if (finding.object) {
    said.append(element("div", plain(finding.object), "at"));
  }
  row.append(said);
  return row;
}

/** @param {HTMLElement} sheet @param {FileData} file @param {(graph: number, node: number) => void} go */
function showFindings(sheet, file, go) {
  sheet.replaceChildren();
  const counts = ["error", "warning", "note"].map((s) => [s, file.findings.filter((f) => f.severity === s).length]).filter(([, n]) => n);
  const sum = counts.map(([s, n]) => `${n} ${s}${n === 1 ? "" : "s"}`).join(", ");
  sheet.append(element("h2", sum || "hoist check has found nothing."));
  if (!file.findings.length) {
    return;
  }
  const table = element("table");
  const head = element("tr");
  ["Severity", "Rule", "Place", "Finding"].forEach((text) => head.append(element("th", text)));
  table.append(element("thead"), element("tbody"));
  table.tHead.append(head);
  let shown = 0;
  const more = element("button");
  const add = () => {
    file.findings.slice(shown, shown + SHOWN).forEach((finding) => table.tBodies[0].append(findingRow(sheet, file, finding, go)));
    shown = Math.min(file.findings.length, shown + SHOWN);
    more.textContent = `${file.findings.length - shown} more`;
    more.hidden = shown === file.findings.length;
  };
  more.addEventListener("click", add);
  add();
  sheet.append(table, more);
}
