// The window onto a drawing: what part is seen, how large; pointers and wheel; drawing at most once for
// each frame.

const LEAST_SCALE = 0.002;
const MOST_SCALE = 4;

class Canvas {
  /** @param {HTMLCanvasElement} element */
  constructor(element) {
    this.element = element;
    this.context = element.getContext("2d");
    this.scale = 1;
    this.x = 0; // of the drawing, at the left upper corner
    this.y = 0;
    this.width = 0; // of the element, in CSS pixels
    this.height = 0;
    this.painter = null; // draw(context, canvas), hit(x, y); and extent(), beginning(), or pan(), zoom(), fit() of its own
    this.onpick = () => {};
    this.onmove = () => {};
    this.pointers = new Map();
    this.asked = false;
    this.isMoving = false;
    this.rest = 0;
    new ResizeObserver(() => this.resize()).observe(element);
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.drag(event));
    element.addEventListener("pointerup", (event) => this.release(event, true));
    element.addEventListener("pointercancel", (event) => this.release(event, false));
    element.addEventListener("wheel", (event) => this.wheel(event), {passive: false});
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    this.width = this.element.clientWidth;
    this.height = this.element.clientHeight;
    this.element.width = Math.max(1, Math.round(this.width * ratio));
    this.element.height = Math.max(1, Math.round(this.height * ratio));
    this.draw(); // at once: a resized canvas is empty
  }

  /** Asks for a frame. */
  ask() {
    if (!this.asked) {
      this.asked = true;
      requestAnimationFrame(() => { this.asked = false; this.draw(); });
    }
  }

  draw() {
    const ratio = window.devicePixelRatio || 1;
    const context = this.context;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!this.painter || !this.painter.keepsFrame || !this.painter.keepsFrame(this)) {
      context.fillStyle = color("--back");
      context.fillRect(0, 0, this.width, this.height);
    }
    if (this.painter && this.painter.pan) { // it has a scale of its own
      this.painter.draw(context, this);
    } else if (this.painter) {
      context.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, -this.x * this.scale * ratio, -this.y * this.scale * ratio);
      this.painter.draw(context, this);
    }
  }

  /** The part of the drawing that is seen. */
  seen() {
    return [this.x, this.y, this.x + this.width / this.scale, this.y + this.height / this.scale];
  }

  /** The complete drawing, not larger than it is; or as much from its top as can be read. */
  fit(all) {
    if (this.painter && this.painter.pan) {
      this.painter.fit();
      this.moved();
      return;
    }
    const [left, top, right, bottom] = this.painter ? this.painter.extent() : [0, 0, 1, 1];
    const margin = 24;
    const wide = (this.width - 2 * margin) / Math.max(1, right - left);
    const high = (this.height - 2 * margin) / Math.max(1, bottom - top);
    const whole = Math.min(wide, high, 1.25);
    this.scale = Math.max(all ? LEAST_SCALE : 0.45, whole);
    this.x = (left + right) / 2 - this.width / 2 / this.scale;
    this.y = (top + bottom) / 2 - this.height / 2 / this.scale;
    if (this.scale > whole && this.painter) {
      const [x, y] = this.painter.beginning();
      this.x = right - left > this.width / this.scale ? x - this.width / 2 / this.scale : this.x;
      this.y = y - margin / this.scale;
    }
    this.moved();
  }

  /** While it moves painters may leave details out; then comes a frame with all of them. */
  moved() {
    this.isMoving = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => { this.isMoving = false; this.ask(); }, 150);
    this.onmove();
    this.ask();
  }

  pan(dx, dy) {
    if (this.painter && this.painter.pan) {
      this.painter.pan(dx, dy, this);
    } else {
      this.x -= dx / this.scale;
      this.y -= dy / this.scale;
    }
    this.moved();
  }

  /** By a factor, around a point of the element. */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    if (this.painter && this.painter.pan) {
      this.painter.zoom(factor, x, this);
      this.moved();
      return;
    }
    const scale = Math.max(LEAST_SCALE, Math.min(MOST_SCALE, this.scale * factor));
    this.x += x / this.scale - x / scale;
    this.y += y / this.scale - y / scale;
    this.scale = scale;
    this.moved();
  }

  /** Moves so that a box is in the middle, when it is not seen well; readable. */
  show(left, top, right, bottom) {
    const [x0, y0, x1, y1] = this.seen();
    if (this.scale < 0.35) {
      this.scale = 0.8;
    } else if (left >= x0 && right <= x1 && top >= y0 && bottom <= y1) {
      this.ask();
      return;
    }
    this.x = (left + right) / 2 - this.width / 2 / this.scale;
    this.y = (top + bottom) / 2 - this.height / 2 / this.scale;
    this.moved();
  }

  point(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  press(event) {
    this.element.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, this.point(event));
    this.travelled = this.pointers.size > 1 ? Infinity : 0;
  }

  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      return;
    }
    const now = this.point(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId);
    this.pointers.set(event.pointerId, now);
    this.travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    if (this.travelled > 4) {
      this.element.classList.add("grabs");
    }
    if (other) { // two fingers
      const apart = (p) => Math.max(10, Math.hypot(p[0] - other[1][0], p[1] - other[1][1]));
      this.zoom(apart(now) / apart(before), (now[0] + other[1][0]) / 2, (now[1] + other[1][1]) / 2);
      this.pan((now[0] - before[0]) / 2, (now[1] - before[1]) / 2);
    } else if (this.travelled > 4) {
      this.pan(now[0] - before[0], now[1] - before[1]);
    }
  }

  release(event, picks) {
    const at = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    this.element.classList.remove("grabs");
    if (at && picks && this.travelled <= 4 && this.painter) {
      const owns = Boolean(this.painter.pan);
      this.onpick(owns ? this.painter.hit(at[0], at[1], this) : this.painter.hit(this.x + at[0] / this.scale, this.y + at[1] / this.scale));
    }
  }

  wheel(event) {
    event.preventDefault();
    const [x, y] = this.point(event);
    if (event.shiftKey) {
      this.pan(-event.deltaY, -event.deltaX);
    } else {
      const lines = event.deltaMode === 1 ? 16 : 1;
      this.zoom(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0015)), x, y);
    }
  }
}

/** Colors of the theme, which are asked for often. */
const colors = new Map();
function color(name) {
  let value = colors.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    colors.set(name, value);
  }
  return value;
}

const FONT = '11px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace';
const COLUMN = 6.7; // units of a character of it

/** A line of text in at most `width` units. */
function drawText(context, text, x, y, width) {
  const columns = Math.floor(width / COLUMN);
  if (columns >= Math.min(5, text.length)) {
    context.fillText(plain(text, columns), x, y);
  }
}
