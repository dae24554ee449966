// An outcome as elements: message, rows, chart, question back, sentences with their sources, errors, suggestions.

import { chart } from "./chart.js";
import { copyButton, el } from "./dom.js";
import { columns, read } from "./format.js";
import { citations, sources } from "./citations.js";
import { record } from "./record.js";
import { table } from "./table.js";

/** Options of which each has a line of its own; more than these stand side by side. */
const FEW = 10;

/**
 * `actions` are what a reader can do next, each of them optional: `say(text)` asks something, `choose(outcome, option)`
 * answers a question back, `more(outcome)` reads the next page, `save(outcome, format, whole)` writes all rows. `source` is the
 * text that was asked: findings have their places in it.
 */
export function show(outcome, actions = {}) {
  const parts = {
    several, hits, aggregate, clarify, answer, passages, invalid: diagnostics, rejected_query: diagnostics,
  }[outcome.kind]?.(outcome, actions) ?? [message(outcome)];
  return el("section", { class: `outcome ${outcome.kind}` },
    parts, notes(outcome), suggestions(outcome, actions), query(outcome, actions));
}

function message(outcome) {
  return el("p", { class: "message" }, outcome.message);
}

function several(outcome, actions) {
  return outcome.outcomes.map((one) => show(one, actions));
}

function hits(outcome, actions) {
  if (!outcome.hits.length) return [message(outcome)];
  const shown = columns(outcome);
  const first = shown.length ? shown : [{ name: "id", values: outcome.ids, texts: outcome.ids, isNumber: false }];
  const passages = outcome.hits.filter((hit) => hit.passage).map((hit) =>
    el("li", {}, marked(hit.passage.text, hit.passage.marks)));
  const [count, total] = [outcome.hits.length, outcome.total ?? outcome.hits.length];
  const partly = el("p", { class: "note", role: "status", hidden: true });
  const sorted = (name) => {
    partly.hidden = count >= total;
    partly.textContent = `Only the ${count} rows shown are sorted. To sort all ${total.toLocaleString("en")}, ask: sort by ${name.replace(/\s*[([].*$/, "").toLowerCase()}`;
  };
  return [
    message(outcome),
    table(first, { caption: outcome.message, whole: outcome.entity ? (row) => record(outcome, row) : null, sorted }),
    partly,
    passages.length ? el("details", { open: passages.length <= 3 }, el("summary", {}, "Passages"), el("ol", {}, passages)) : null,
    el("p", { class: "actions" },
      outcome.cursor && actions.more ? next("Show more", () => actions.more(outcome)) : null,
      saving(outcome, actions)),
  ];
}

/** A text with the words of the question marked; places are counted in characters, not in UTF-16 units. */
function marked(text, marks) {
  const characters = [...text];
  const parts = [];
  let at = 0;
  for (const [start, end] of marks) {
    parts.push(characters.slice(at, start).join(""), el("mark", {}, characters.slice(start, end).join("")));
    at = end;
  }
  return [...parts, characters.slice(at).join("")];
}

function aggregate(outcome, actions) {
  if (!outcome.rows.length || !outcome.groups.length) return [message(outcome)];
  const shown = columns(outcome);
  return [
    message(outcome),
    chart(outcome),
    table(shown, { caption: outcome.message }),
    el("p", { class: "actions" }, saving(outcome, actions)),
  ];
}

function saving(outcome, actions) {
  const formats = [["CSV", "csv"], ["Excel", "xlsx"], ["Parquet", "parquet"]];
  if (!actions.save) return [];
  const whole = outcome.kind === "hits" ? el("input", { type: "checkbox" }) : null;
  return [...formats.map(([name, format]) => button(`Save as ${name}`, () => actions.save(outcome, format, whole?.checked ?? false))),
    whole && el("label", {}, whole, " with all fields")];
}

function clarify(outcome, actions) {
  const options = outcome.options.map((option) =>
    el("li", {}, actions.choose ? next(option.label, () => actions.choose(outcome, option)) : option.label));
  const more = outcome.total && outcome.total > options.length
    ? el("p", { class: "hint" }, `${options.length} of ${outcome.total.toLocaleString("en")} are shown.`) : null;
  return [message(outcome), el("ol", { class: options.length > FEW ? "options many" : "options" }, options), more];
}

function answer(outcome, actions) {
  const found = sources(outcome);
  const parts = [];
  if (outcome.rows.length && !outcome.computed) {
    const names = ["", ...outcome.columns];
    const cells = (name, row) => (name === "" ? row.name : text(row.cells[name]));
    const shown = names.map((name) => ({
      name, isNumber: false, values: outcome.rows.map((row) => cells(name, row)),
      texts: outcome.rows.map((row) => cells(name, row)),
    }));
    parts.push(message(outcome), table(shown, {
      caption: outcome.message,
      numbers: (row, place) => citations(outcome.rows[row].cells[names[place]]?.citations ?? [], found),
    }));
  } else {
    parts.push(...outcome.claims.map((claim) =>
      el("p", { class: claim.quoted ? "claim quoted" : "claim" }, claim.text, citations(claim.citations, found))));
    if (!outcome.claims.length) parts.push(message(outcome));
  }
  return [...parts, found.list(), el("p", { class: "actions" }, saving(outcome, actions))];
}

/** Search results: the message says that none of them is the answer. */
function passages(outcome) {
  const found = sources({ ...outcome, claims: [{ citations: outcome.passages }], rows: [] });
  return [message(outcome), found.list()];
}

function text(cell) {
  return cell ? read(cell.value, cell.unit) : "";
}

function diagnostics(outcome, actions) {
  return [message(outcome), ...outcome.diagnostics.map((one) => diagnostic(one, actions.source ?? "", actions))];
}

/** One finding. `actions.say` takes the fixed program, where there is one. */
export function diagnostic(one, source, actions = {}) {
  const place = one.span && source ? [...source].slice(one.span[0], one.span[1]).join("") : "";
  return el("div", { class: `diagnostic ${one.severity}` },
    el("p", {}, el("strong", {}, one.message), place ? [" at ", el("code", {}, place)] : null),
    one.hint ? el("p", {}, one.hint) : null,
    one.fixed ? el("p", {}, "Fixed: ", el("code", {}, one.fixed), " ",
      actions.say ? button("Use it", () => actions.say(one.fixed)) : copyButton(one.fixed)) : null);
}

function notes(outcome) {
  const warnings = ["invalid", "rejected_query"].includes(outcome.kind) ? [] : outcome.diagnostics.map((one) => one.message);
  return [...outcome.notes, ...warnings].map((note) => el("p", { class: "note" }, note));
}

function suggestions(outcome, actions) {
  if (!outcome.suggestions?.length) return null;
  return el("div", { class: "suggestions" }, el("p", {}, "Perhaps:"), el("ul", {}, outcome.suggestions.map((one) =>
    el("li", {}, actions.say ? button(one, () => actions.say(one)) : one))));
}

function query(outcome, actions) {
  if (!outcome.query || outcome.kind === "several" || (actions.isQuery && outcome.kind === "invalid")) return null;
  const link = (view, label) => el("a", { href: `#/${view}?q=${encodeURIComponent(outcome.query)}` }, label);
  return el("details", { class: "query" }, el("summary", {}, "Query"),
    el("pre", {}, outcome.query),
    el("p", { class: "actions" }, copyButton(outcome.query), actions.isQuery ? null : link("query", "Edit it"),
      link("explain", "Explain it")));
}

/** A button whose action is about this answer: it is off when a later one has come. */
function next(label, action) {
  return el("button", { type: "button", class: "now", onclick: action }, label);
}

export function button(label, action) {
  return el("button", { type: "button", onclick: action }, label);
}
