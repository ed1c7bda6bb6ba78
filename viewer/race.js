// A race step by step: processes side by side, steps from top to bottom, what orders them as arrows, and
// between both accesses the order that is missing. The last two steps may come in either order.

const RACE = {width: 190, row: 46, box: 32, margin: 12, head: 30};

/** @typedef {{message: string, accesses: string[], left_out: number,
 *   schedule: {process: string, step: string, after: number[]}[]}} Race */

class RaceView {
  /** @param {HTMLElement} sheet @param {Race} race @param {() => void} back */
  constructor(sheet, race, back) {
    this.race = race;
    this.swaps = false;
    this.at = 0; // steps that are done
    this.processes = [...new Set(race.schedule.map((step) => step.process))];
    this.now = element("p", undefined, "now");
    this.now.setAttribute("aria-live", "polite");
    this.list = element("ol", undefined, "steps");
    this.holder = element("div", undefined, "race");
    const bar = element("div", undefined, "racebar");
    [["← Findings", back], ["First", () => this.go(0)], ["Back", () => this.go(this.at - 1)], ["Next", () => this.go(this.at + 1)],
      ["Last", () => this.go(race.schedule.length)], ["The other order", () => { this.swaps = !this.swaps; this.go(race.schedule.length); }]].forEach(([text, act]) => {
      const button = element("button", text);
      button.addEventListener("click", act);
      bar.append(button);
    });
    bar.append(this.now);
    sheet.replaceChildren(bar, element("h2", plainLong(race.message)));
    if (race.left_out) {
      sheet.append(element("p", `${race.left_out.toLocaleString("en")} steps before these are left out.`, "at"));
    }
    sheet.append(this.holder, this.list);
    this.go(race.schedule.length);
  }

  /** Numbers of steps in the order that is chosen. */
  order() {
    const all = this.race.schedule.map((_, i) => i);
    return this.swaps ? [...all.slice(0, -2), all.length - 1, all.length - 2] : all;
  }

  go(at) {
    const all = this.race.schedule;
    this.at = Math.max(0, Math.min(all.length, at));
    const order = this.order();
    const done = new Set(order.slice(0, this.at));
    const last = this.at ? all[order[this.at - 1]] : null;
    const ends = this.at === all.length ? ` The two accesses came in ${this.swaps ? "the other" : "one"} order; nothing forbids ${this.swaps ? "the first" : "the other"} one.` : "";
    this.now.textContent = last ? `Step ${this.at} of ${all.length}: ${plain(last.process, 60)}: ${plain(last.step, 200)}.${ends}` : "Nothing has run yet.";
    this.holder.replaceChildren(this.draw(order, done));
    const shown = this.holder.querySelectorAll("g")[Math.max(0, this.at - 1)];
    shown.scrollIntoView({block: "center", inline: "nearest"});
    this.list.replaceChildren(...order.map((i, k) => {
      const isAccess = i >= all.length - 2;
      const said = isAccess ? ` (${this.race.accesses[i - all.length + 2]})` : "";
      const item = element("li", `${plain(all[i].process, 60)}: ${plain(all[i].step, 200)}${said}`, isAccess ? "error" : k < this.at ? "" : "at");
      return item;
    }));
  }

  /** The middle of a step: [x, y]. */
  place(i, order) {
    const {width, row, margin, head} = RACE;
    return [margin + (this.processes.indexOf(this.race.schedule[i].process) + 0.5) * width, head + (order.indexOf(i) + 0.5) * row];
  }

  draw(order, done) {
    const all = this.race.schedule;
    const {width, row, margin, head} = RACE;
    const size = [2 * margin + this.processes.length * width + 60, head + all.length * row + margin];
    const root = svgElement("svg", {width: size[0], height: size[1], viewBox: `0 0 ${size[0]} ${size[1]}`, role: "img",
      "aria-label": "Processes side by side; the order that is missing between both accesses is dashed", "font-size": 11,
      "font-family": "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"});
    this.processes.forEach((process, p) => {
      const x = margin + (p + 0.5) * width;
      root.append(svgElement("line", {x1: x, x2: x, y1: head - 4, y2: size[1] - margin, stroke: color("--line")}),
        svgElement("text", {x, y: 18, fill: color("--fore"), "text-anchor": "middle", "font-weight": "bold"}, plain(process, 24)));
    });
    all.forEach((step, i) => step.after.forEach((from) => {
      const [x0, y0] = this.place(from, order);
      const [x1, y1] = this.place(i, order);
      root.append(svgElement("path", {d: `M${x0} ${y0 + RACE.box / 2}L${x1} ${y1 - RACE.box / 2}`, stroke: color("--edge"), fill: "none", "stroke-width": 1.5}),
        svgElement("circle", {cx: x1, cy: y1 - RACE.box / 2, r: 3, fill: color("--edge")}));
    }));
    order.forEach((i) => this.drawStep(root, i, order, done.has(i)));
    this.drawMissing(root, order);
    return root;
  }

  drawStep(root, i, order, isDone) {
    const all = this.race.schedule;
    const isAccess = i >= all.length - 2;
    const [x, y] = this.place(i, order);
    const wide = RACE.width - 22;
    const tone = isAccess ? "--signal" : "--step";
    const group = svgElement("g", {});
    group.append(svgElement("title", {}, plainLong(all[i].step)),
      svgElement("rect", {x: x - wide / 2, y: y - RACE.box / 2, width: wide, height: RACE.box, rx: 4, fill: color(isDone ? tone : "--back"),
        stroke: color(`${tone}-line`), "stroke-width": isAccess ? 2.5 : 1, ...(isDone ? {} : {"stroke-dasharray": "3 3"})}),
      svgElement("text", {x: x - wide / 2 + 6, y: y - 2, fill: color("--fore")}, plain(all[i].step.split(" (")[0], Math.floor((wide - 10) / COLUMN))),
      svgElement("text", {x: x - wide / 2 + 6, y: y + 11, fill: color("--dim")},
        plain(isAccess ? this.race.accesses[i - all.length + 2] : all[i].step.includes(", ") ? all[i].step.split(", ").pop().replace(")", "") : "", Math.floor((wide - 10) / COLUMN))));
    root.append(group);
  }

  drawMissing(root, order) {
    const count = this.race.schedule.length;
    const [[x0, y0], [x1, y1]] = [this.place(count - 2, order), this.place(count - 1, order)];
    const side = x1 === x0 ? 0 : Math.sign(x1 - x0) * (RACE.width - 22) / 2;
    root.append(svgElement("path", {d: `M${x0 + side} ${y0}L${x1 - side} ${y1}`, stroke: color("--error"), fill: "none", "stroke-width": 2.5, "stroke-dasharray": "7 5"}),
      svgElement("text", {x: Math.max(x0, x1) + (RACE.width - 22) / 2 + 6, y: (y0 + y1) / 2 + 4, fill: color("--error"), "font-weight": "bold",
        stroke: color("--back"), "stroke-width": 4, "paint-order": "stroke"}, "no order"));
  }
}
