// Groups as bars, times as a line: drawn as SVG, with the table beside it for whoever cannot see it.

import { el, svg } from "./dom.js";

const MOST_BARS = 30;
const WIDEST = 720;
const LETTER = 7; // pixels, of the size that `.chart` has
const TIMES = new Set(["year", "quarter", "month", "week", "day", "hour"]);

/** Whether rows are of one group, and have at least two numbers that can be compared: the rule of `qlc ask --chart`. */
export function canDraw({ kind, groups, measures, rows, row_units: units = [] }) {
  if (kind !== "aggregate" || groups.length !== 1 || !measures.length) return false;
  const [first] = measures;
  const known = rows
    .map(({ value }, row) => ({ value: measures.length === 1 ? value : value[first], unit: units[row]?.[first] }))
    .filter(({ value }) => value !== null);
  return known.length > 1 && known.every(({ value, unit }) => typeof value === "number" && unit === known[0].unit);
}

/** As wide as the page has room for, so that its texts keep their size on a phone. */
function widthOf() {
  return Math.min(WIDEST, document.documentElement.clientWidth - 24);
}

/** The first measure of each row. */
export function chart(outcome, columns) {
  const [names, numbers] = [columns[0], columns[1]];
  // What is in another order than that of time is a ranking: a line through it would show a course that there is not.
  const isCourse = names.texts.every((one, row) => row === 0 || names.texts[row - 1].localeCompare(one) < 0);
  const drawn = TIMES.has(outcome.groups[0]) && isCourse ? line : bars;
  const rest = drawn === bars && names.texts.length > MOST_BARS ? names.texts.length - MOST_BARS : 0;
  const title = `${numbers.name} by ${names.name}`;
  return el("figure", { class: "chart" }, drawn(names.texts, numbers, title),
    el("figcaption", {}, rest ? `${title}: the first ${MOST_BARS} of ${names.texts.length} rows` : title));
}

function bars(allNames, { values, texts }, title) {
  const names = allNames.slice(0, MOST_BARS);
  const most = Math.max(...values.slice(0, MOST_BARS).map((one) => one ?? 0), 0);
  const least = Math.min(...values.slice(0, MOST_BARS).map((one) => one ?? 0), 0);
  const [height, width] = [26, widthOf()];
  const left = Math.min(Math.max(...names.map((name) => name.length)) * LETTER + 12, Math.round(width * 0.35));
  const room = width - left - 90;
  const at = (value) => left + ((value - least) / (most - least || 1)) * room;
  const rows = names.map((name, row) => {
    const value = values[row] ?? 0; // no value has no bar, and no text
    const [from, to] = [at(Math.min(value, 0)), at(Math.max(value, 0))];
    const top = row * height;
    return svg("g", {},
      svg("title", {}, `${name}: ${texts[row]}`),
      svg("text", { x: left - 8, y: top + 17, "text-anchor": "end" }, short(name, Math.floor((left - 8) / LETTER))),
      svg("rect", { x: from, y: top + 4, width: to - from, height: height - 8, rx: 3 }),
      svg("text", { x: to + 6, y: top + 17 }, texts[row]));
  });
  return svg("svg", { viewBox: `0 0 ${width} ${names.length * height}`, role: "img", "aria-label": title }, ...rows);
}

function line(names, { values, texts }, title) {
  const [width, height, left, bottom, right, top] = [widthOf(), 240, 74, 28, 24, 14];
  const known = values.map((one) => one ?? 0);
  const most = Math.max(...known, 0);
  const least = Math.min(...known, 0);
  const x = (row) => left + (row / (names.length - 1)) * (width - left - right);
  const y = (value) => height - bottom - ((value - least) / (most - least || 1)) * (height - bottom - top);
  const label = Math.max(...names.map((name) => name.length)) * LETTER + 16;
  const every = Math.ceil(names.length / Math.floor((width - left) / label));
  const heights = [...new Set([most, 0, least])]; // 0 need not be one of the values
  const written = (value) => (known.includes(value) ? texts[known.indexOf(value)] || "0" : "0");
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title },
    svg("path", { class: "axis", d: `M${left} ${y(0)}H${width - right}` }),
    ...heights.map((one) => svg("text", { x: left - 8, y: y(one) + 4, "text-anchor": "end" }, written(one))),
    svg("path", { class: "line", d: path(values, x, y) }),
    ...values.map((value, row) => (value === null ? "" : svg("circle",
      { cx: x(row), cy: y(value), r: names.length > 60 ? 1.5 : 3 },
      svg("title", {}, `${names[row]}: ${texts[row]}`)))),
    ...names.map((name, row) => (row % every ? "" : svg("text",
      { x: x(row), y: height - 8, "text-anchor": "middle" }, name))));
}

/** The line through the values; it is broken where there is none. */
function path(values, x, y) {
  return values.map((value, row) => {
    if (value === null) return "";
    const goesOn = row > 0 && values[row - 1] !== null;
    return `${goesOn ? "L" : "M"}${x(row)} ${y(value)}`;
  }).join("");
}

function short(name, most) {
  return name.length > most ? `${name.slice(0, most - 1)}…` : name;
}
