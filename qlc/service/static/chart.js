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

async function draw(figure, { kind, groups, measures: [measure, ...others], rows, labels, units, row_units: own, unfinished }) {
  if (groups.length > 2 || rows.length < 2) return;
  const lists = rows.slice(0, MOST_ROWS).map(({ key, value }) =>
    [...(groups.length > 1 ? groups.map((one) => key[one]) : [key]).map((one) => one?.name ?? one), others.length ? value[measure] : value]);
  const found = new Set(own.filter((_, row) => lists[row]?.at(-1) !== null).map((one) => one[measure]));
  if (found.size > 1 || found.has("mixed")) return; // amounts of several units have no common scale
  const unit = [...found][0] ?? units[measure];
  const shown = { kind, groups, measures: [measure], labels, units: unit ? { [measure]: unit } : {}, unfinished, rows: lists };
  const width = Math.max(NARROWEST, Math.min(WIDEST, document.documentElement.clientWidth - 24));
  const response = await request("v1/chart", { body: { outcome: shown, total: rows.length, width } });
  if (response.status !== 200) return;
  const text = await response.text();
  const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  const value = el("output", {}, "");
  const caption = svg.getAttribute("aria-label");
  figure.append(svg, value, el("figcaption", {}, caption, " ",
    el("button", { type: "button", class: "small", onclick: () => saveSvg(text, caption) }, "Save as SVG"), " ",
    el("button", { type: "button", class: "small",
      onclick: () => savePng(text, caption, svg.viewBox.baseVal) }, "Save as PNG")));
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

const SHARP = 2; // pixels of a picture for each of the page

/** The chart on white ground, since its texts are dark outside of the page. */
function onWhite(text) {
  return new Blob([text.replace(/>/, "><rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>")], { type: "image/svg+xml" });
}

function nameOf(caption, ending) {
  return `${caption.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}.${ending}`;
}

function saveSvg(text, caption) {
  saveFile(onWhite(text), nameOf(caption, "svg"));
}

async function savePng(text, caption, { width, height }) {
  const address = URL.createObjectURL(onWhite(text));
  const picture = new Image();
  picture.src = address;
  await picture.decode().finally(() => URL.revokeObjectURL(address));
  const canvas = el("canvas", { width: width * SHARP, height: height * SHARP });
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((made) => saveFile(made, nameOf(caption, "png")), "image/png");
}
