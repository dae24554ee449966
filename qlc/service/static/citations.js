// The sources of an answer: numbered once, each with its quote, and the page that it is on.

import { request } from "./api.js";
import { el } from "./dom.js";

/** Numbers for all citations of an answer. `list()` are the sources; it is empty where there are none. */
export function sources(outcome) {
  const numbers = new Map();
  const all = [
    ...(outcome.claims ?? []).flatMap((claim) => claim.citations),
    ...(outcome.rows ?? []).flatMap((row) => Object.values(row.cells).flatMap((cell) => cell.citations)),
  ];
  for (const one of all) if (!numbers.has(keyOf(one))) numbers.set(keyOf(one), { number: numbers.size + 1, one });
  return {
    number: (citation) => numbers.get(keyOf(citation)).number,
    list: () => (numbers.size ? el("ol", { class: "sources" }, [...numbers.values()].map(({ one }) => item(one))) : null),
  };
}

function keyOf({ document, file, page, quote }) {
  return JSON.stringify([document, file, page, quote]);
}

/** The chips behind a sentence or in a cell. */
export function citations(cited, found) {
  const once = new Map(cited.map((one) => [found.number(one), one]));
  return [...once].map(([number, one]) =>
    el("button", { type: "button", class: "chip", title: whereOf(one), "aria-label": `Source ${number}: ${whereOf(one)}`,
      onclick: () => open(one) }, String(number)));
}

function item(one) {
  return el("li", {},
    one.page === null ? whereOf(one)
      : el("button", { type: "button", class: "link", onclick: () => open(one) }, whereOf(one)),
    one.quote ? el("q", {}, one.quote.replace(/\s+/g, " ")) : null);
}

function whereOf({ file, page }) {
  return page === null ? file : `${file}, page ${page}`;
}

/** The page with the quote marked; where there is no image of it, the quote alone. */
async function open(one) {
  const dialog = document.getElementById("source");
  const body = dialog.querySelector("div");
  const quote = one.quote ? el("blockquote", {}, one.quote) : null;
  body.replaceChildren(el("h2", {}, whereOf(one)), quote ?? "", el("p", { role: "status" }, "Loading the page…"));
  dialog.showModal();
  const status = body.querySelector("[role=status]");
  if (one.page === null) {
    status.textContent = "This file has no pages.";
    return;
  }
  try {
    const path = `v1/documents/${encodeURIComponent(one.document)}/pages/${one.page}.png?quote=`;
    const response = await request(path + encodeURIComponent(one.quote), { method: "GET" });
    if (!response.ok) throw new Error("There is no image of this page.");
    if (response.headers.get("Content-Type")?.startsWith("text/plain")) {
      status.replaceWith(el("p", {}, "The text of this page:"), el("pre", {}, await response.text()));
      return;
    }
    const marks = Number(response.headers.get("Qlc-Marks") ?? 0);
    const image = el("img", { src: URL.createObjectURL(await response.blob()), alt: `Page ${one.page} of ${one.file}` });
    image.addEventListener("load", () => URL.revokeObjectURL(image.src), { once: true });
    status.replaceWith(el("p", {}, marks ? "The quote is marked." : "The quote is on this page; it could not be marked."),
      image);
  } catch (problem) {
    status.textContent = problem.message;
  }
}
