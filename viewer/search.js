// Search in the names of all graphs of a file: as it is typed, the best first.

const FOUND = 60;

/** @param {FileData} file @param {string} text @returns {{graph: number, node: number}[]} */
function searchNames(file, text) {
  const wanted = text.toLowerCase();
  const ranks = [[], [], []]; // equal, begins with it, has it
  (file.graphs || []).forEach((graph, g) => {
    graph.nodes.forEach((node) => {
      const name = node.name.toLowerCase();
      const at = name.indexOf(wanted);
      const rank = name === wanted ? 0 : at === 0 ? 1 : at > 0 || (node.type || "").toLowerCase() === wanted ? 2 : -1;
      if (rank >= 0 && ranks[rank].length < FOUND) {
        ranks[rank].push({graph: g, node: node.id});
      }
    });
  });
  return ranks.flat().slice(0, FOUND);
}

class Search {
  /** @param {HTMLInputElement} input @param {HTMLElement} list */
  constructor(input, list, ask, go, leave) {
    Object.assign(this, {input, list, ask, go, found: [], at: 0});
    input.addEventListener("input", () => this.update());
    input.addEventListener("keydown", (event) => this.key(event, leave));
    input.addEventListener("blur", () => setTimeout(() => this.close(), 150));
  }

  update() {
    const file = this.ask();
    this.found = file && this.input.value ? searchNames(file, this.input.value) : [];
    this.at = 0;
    this.list.replaceChildren(...this.found.map(({graph, node}, i) => {
      const {name, type, kind} = file.graphs[graph].nodes[node];
      const item = element("li", plain(name, 120));
      item.id = `found-${i}`;
      item.setAttribute("role", "option");
      item.append(element("small", `  ${plain(type || kind, 40)}, ${plain(file.graphs[graph].name, 40)}`));
      item.addEventListener("pointerdown", (event) => { event.preventDefault(); this.choose(i); });
      return item;
    }));
    if (file && this.input.value && !this.found.length) {
      const none = element("li", "no such name");
      none.setAttribute("role", "option");
      none.setAttribute("aria-disabled", "true");
      this.list.append(none);
    }
    this.list.hidden = !this.input.value;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.at && this.found.length > 0)));
    if (this.found.length) {
      this.input.setAttribute("aria-activedescendant", `found-${this.at}`);
      this.list.children[this.at].scrollIntoView({block: "nearest"});
    } else {
      this.input.removeAttribute("aria-activedescendant");
    }
  }

  key(event, leave) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const count = Math.max(1, this.found.length);
      this.at = (this.at + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
      this.mark();
      event.preventDefault();
    } else if (event.key === "Enter" && this.found.length) {
      this.choose(this.at);
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.close();
      leave();
    }
    event.stopPropagation();
  }

  choose(i) {
    const {graph, node} = this.found[i];
    this.close();
    this.go(graph, node);
  }

  close() {
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }
}
