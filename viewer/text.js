// Names as text: characters that are obeyed instead of shown are written as escapes, long names are cut
// by a rule.

const OBEYED = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** @param {any} value @param {number} most characters; the middle of a longer text is left out @returns {string} */
function plain(value, most = 400) {
  let text = String(value);
  const size = text.length;
  if (size > most) {
    const first = Math.floor(most / 3);
    text = text.slice(0, first) + "…" + text.slice(size - (most - first - 1));
  }
  return text.replace(OBEYED, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
}

/** With how long it is when it was cut. @param {any} value */
function plainLong(value) {
  const size = String(value).length;
  return size > 4000 ? `${plain(value, 4000)} (${size.toLocaleString("en")} characters)` : plain(value, 4000);
}

/** @param {number} bytes @returns {string} */
function bytesText(bytes) {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let i = 0;
  let amount = Number(bytes);
  while (amount >= 1024 && i + 1 < units.length) {
    amount /= 1024;
    i++;
  }
  return i === 0 ? `${amount} B` : `${amount.toFixed(1)} ${units[i]}`;
}

/** A time in a unit that suits it, or one that suits `step`. @param {number} seconds @param {number} step */
function secondsText(seconds, step = Math.abs(seconds)) {
  const units = [["s", 1], ["ms", 1e-3], ["µs", 1e-6], ["ns", 1e-9], ["ps", 1e-12]];
  const [name, size] = units.find(([, least]) => step >= least * 0.9999) || units[4];
  const amount = seconds / size;
  return `${seconds === 0 ? "0" : Number(amount.toPrecision(Math.max(4, Math.ceil(Math.log10(Math.abs(amount) + 1)) + 1))).toLocaleString("en", {maximumFractionDigits: 3})} ${name}`;
}

/** @param {number|string} address */
function addressText(address) {
  return "0x" + BigInt(address).toString(16);
}

/** A value of a document as people read it. @param {string} key @param {any} value */
function valueText(key, value) {
  if (value === null) {
    return "unknown";
  }
  if (Array.isArray(value)) {
    return plainLong(value.map((item) => (item !== null && typeof item === "object" ? JSON.stringify(item) : String(item))).join(", "));
  }
  if (typeof value === "object") {
    return plainLong(Object.entries(value).map(([k, item]) => `${k} ${item}`).join(", "));
  }
  if (key.endsWith("_bytes") && Number.isFinite(Number(value))) {
    const amount = Number(value);
    return amount < 1024 ? `${amount}` : `${amount.toLocaleString("en")} (${bytesText(amount)})`;
  }
  return key.endsWith("address") ? addressText(value) : plainLong(value);
}

/** The place of a finding, or of a value of the file. */
function placeText(place) {
  if (place.line !== undefined) {
    return `${place.line}:${place.column}`;
  }
  return place.offset !== undefined ? `+${addressText(place.offset)}` : "";
}

/** @param {string} tag @param {string} [text] @param {string} [className] */
function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined) {
    made.textContent = text;
  }
  if (className) {
    made.className = className;
  }
  return made;
}
