// The chart of grouped rows: the service draws it, and a reader goes through its values by pointer or keyboard.

import { request, saveFile } from "./api.js";
import { el } from "./dom.js";

const [NARROWEST, WIDEST] = [240, 720];
const MOST_ROWS = 1000;

/** A place for the chart, which is hidden until it is drawn; the table below has the same values. */
export function chart(outcome) {
  const figure = el("figure", { class: "chart", hidden: true });
  draw(figure, outcome).catch(() => figure.remove());
  return figure;
}

async function draw(figure, { kind, groups, measures, rows, labels, units, row_units: own, unfinished }) {
  if (groups.length > 2 || rows.length < 2) return;
  const shown = { kind, groups, measures, labels, units, unfinished, rows: rows.slice(0, MOST_ROWS), row_units: own.slice(0, MOST_ROWS) };
  const width = Math.max(NARROWEST, Math.min(WIDEST, document.documentElement.clientWidth - 24));
  const response = await request("v1/chart", { body: { outcome: shown, total: rows.length, width } });
  if (response.status !== 200) return;
  const text = await response.text();
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const value = el("output", {}, "");
  const caption = svg.getAttribute("aria-label");
  figure.append(svg, value, el("figcaption", {}, caption, " ",
    el("button", { type: "button", class: "small", onclick: () => save(text, caption) }, "Save as SVG")));
  figure.hidden = false;
  readable(svg, value);
}

/** Shows the value of the mark that is pointed at, or reached by the arrow keys. */
function readable(svg, value) {
  const marks = [...svg.querySelectorAll(".mark")];
  const middles = marks.map((mark) => {
    const { x, y, width, height } = mark.lastElementChild.getBBox();
    return { left: x, right: x + width, top: y, bottom: y + height };
  });
  let at = -1;
  const show = (next) => {
    marks[at]?.classList.remove("at");
    at = next;
    marks[at]?.classList.add("at");
    value.textContent = marks[at]?.querySelector("title").textContent ?? "";
  };
  svg.setAttribute("tabindex", "0");
  svg.addEventListener("keydown", (event) => {
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: marks.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    show(Math.max(0, Math.min(marks.length - 1, next)));
  });
  svg.addEventListener("pointermove", (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const far = ({ left, right, top, bottom }) => Math.hypot(
      Math.max(left - point.x, 0, point.x - right), Math.max(top - point.y, 0, point.y - bottom));
    const nearest = middles.reduce((best, one, place) => (far(one) < far(middles[best]) ? place : best), 0);
    if (nearest !== at) show(nearest);
  });
  svg.addEventListener("pointerleave", () => show(-1));
}

/** Saves the chart on white ground, since its texts are dark outside of the page. */
function save(text, caption) {
  const onWhite = text.replace(/>/, "><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
  saveFile(new Blob([onWhite], { type: "image/svg+xml" }), `${caption.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.svg`);
}
