// What can be asked: kinds of things and their fields, with a search over names, words and values.

import { json } from "./api.js";
import { el, loading } from "./dom.js";

/** Values that are listed beside a field; more of them are opened. */
const FEW_VALUES = 12;

export async function catalog(view, given) {
  const known = await loading(view, "Reading the fields and their values…", (signal) =>
    json("v1/catalog", undefined, { method: "GET", signal }));
  if (!known) return view.append(el("button", { type: "button", onclick: () => catalog(view, given) }, "Try again"));
  const list = el("div");
  const count = el("p", { class: "hint", role: "status" });
  const search = el("input", { type: "search", "aria-label": "Search the fields", placeholder: "Search the fields",
    oninput: () => fill(search.value) });
  search.value = given.q ?? "";
  view.replaceChildren(el("h2", {}, "Catalog"), known.description ? el("p", {}, known.description) : "", search, count,
    list);
  return fill(search.value);

  function fill(text) {
    const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = (field) => wanted.every((word) =>
      [field.name, field.label, field.description, ...field.words, ...(field.values ?? [])].join("\n").toLowerCase().includes(word));
    const fields = known.fields.filter(matches);
    const more = known.truncated ? ", and more in the mapping" : "";
    count.textContent = `${fields.length} of ${known.fields.length} fields${more}`;
    list.replaceChildren(...known.kinds.map((kind, place) => section(kind, fields, wanted.length > 0, place === 0)));
  }
}

function section(kind, all, isSearch, isFirst) {
  const fields = all.filter((one) => one.kinds.includes(kind.name));
  const conditions = Object.entries(kind.conditions);
  return el("details", { class: "kind", open: (isFirst && !isSearch) || (isSearch && fields.length > 0) },
    el("summary", {}, el("strong", {}, kind.plural), ` ${fields.length} ${fields.length === 1 ? "field" : "fields"}`),
    kind.description ? el("p", {}, kind.description) : null,
    kind.words.length ? el("p", { class: "hint" }, `Also called ${kind.words.join(", ")}`) : null,
    conditions.length && !isSearch ? el("dl", {}, conditions.flatMap(([name, text]) =>
      [el("dt", {}, name), el("dd", {}, el("code", {}, text))])) : null,
    kind.measures.length && !isSearch ? el("dl", {}, kind.measures.flatMap((one) =>
      [el("dt", {}, el("code", {}, one.name)), el("dd", {}, described({ ...one, type: "measure" }))])) : null,
    el("dl", {}, fields.flatMap((one) => [el("dt", {}, one.label, one.label ? " " : "", el("code", {}, one.name)),
      el("dd", {}, described(one))])));
}

function described(field) {
  const type = field.refers_to ? `refers to ${field.refers_to}` : field.type;
  const unit = field.unit ? ` in ${field.unit}` : "";
  const parts = [`${field.is_list ? "list of " : ""}${type}${unit}`];
  if (field.calculation) parts[0] += ` = ${field.calculation}`;
  if (field.description) parts.push(field.description);
  if (field.words.length) parts.push(`also called ${field.words.join(", ")}`);
  const apart = field.values?.some((one) => one.includes(",")) ? "; " : ", ";
  const values = !field.values ? null : field.values.length <= FEW_VALUES ? el("p", { class: "hint" }, field.values.join(apart))
    : el("details", {}, el("summary", {}, `${field.values.length} values`),
    el("p", {}, field.values.join(apart)));
  return [el("p", {}, parts.join(". ")), values];
}
