// Conditions as rows of field, operator and value. The text of the program is what counts: rows are read from it by the
// service, and a change of a row writes it anew.

import { json } from "./api.js";
import { el } from "./dom.js";
import { button } from "./outcome.js";

const ORDER = ["=", "!=", "<", "<=", ">", ">="];
const OPERATORS = {
  number: [...ORDER, "exists", "missing"],
  date: ["in", ...ORDER, "exists", "missing"],
  boolean: ["=", "exists", "missing"],
  reference: ["=", "!=", "under", "exists", "missing"],
  text: ["=", "!=", "contains", "starts with", "ends with", "exists", "missing"],
  "geo point": ["within", "exists", "missing"],
  "geo shape": ["intersects", "within", "disjoint", "exists", "missing"],
  range: ["contains", "overlaps", "exists", "missing"],
  list: ["has", "has any", "has all", "has only", "exists", "missing"],
  analysed: ["contains", "matches", "matches any", "matches prefix", "matches roughly", "mentions", "exists", "missing"],
};
const EXAMPLES = { date: "last month", "range of dates": "last month", "geo point": "5 km of (41.9, 12.5)",
  "geo shape": "box (42, 12) to (41, 13)" };
const OF_LISTS = new Set(["has any", "has all", "has only"]);
const WITHOUT_VALUE = new Set(["exists", "missing"]);

/**
 * `current()` is the text of the editor. `written(text)` gets the program after a change of a row. `read(text)` shows the rows of a program. Where it has none,
 * the rows are off: a change of them would write over what was typed.
 */
export function builder(catalog, current, written) {
  const rows = el("div", { class: "rows" });
  const status = el("p", { class: "hint", role: "status" });
  const kind = el("select", { "aria-label": "What to search", onchange: search },
    catalog.kinds.filter((one) => one.is_counted).map((one) => el("option", { value: one.plural }, one.plural)));
  const add = button("Add a condition", () => {
    state.rows.push({ field: fields()[0]?.name ?? "", operator: "", value: "" });
    draw();
    rows.lastElementChild?.querySelector("select")?.focus();
  });
  let state = { head: `find ${kind.value}`, rows: [], tail: "limit 10" };
  let turn = 0;
  let last = "";

  /** Another kind of thing; the conditions stay, and the editor says which of them it does not have. */
  function search() {
    state.head = state.head.replace(/\S+$/, kind.value);
    draw();
    write();
  }

  function fields() {
    const name = catalog.kinds.find((one) => one.plural === kind.value)?.name;
    return catalog.fields.filter((one) => one.kinds.includes(name));
  }

  async function read(text) {
    if (text === last) return; // the rows say it already, and may have one that is not complete
    last = text;
    const mine = ++turn;
    try {
      const found = text.trim() ? await json("v1/outline", { program: text }) : { head: `find ${kind.value}`, rows: [], tail: "limit 10" };
      if (mine !== turn) return;
      state = found;
      const plural = found.head.split(" ").pop();
      const asked = catalog.kinds.find((one) => [one.plural, one.name, ...one.words].includes(plural));
      if (asked) kind.value = asked.plural;
      status.textContent = [whole() ? "A condition that has no fields to choose from is kept as it is written." : "",
        state.tail ? `Kept after the conditions: ${state.tail}` : ""].filter(Boolean).join(" ");
      draw();
      element.disabled = false;
    } catch (problem) {
      if (mine !== turn) return;
      status.textContent = problem.code === "syntax" ? "The rows are back when the query can be read." : problem.message;
      rows.replaceChildren();
      element.disabled = true;
    }
  }

  function whole() {
    const known = fields();
    return state.rows.some((row) => isWhole(row, known));
  }

  function write() {
    if (current() !== last) return read(current()); // something was typed that the rows do not show yet
    const conditions = state.rows.map(textOf).filter(Boolean);
    const where = conditions.length ? `where ${conditions.join(" and ")}` : "";
    last = [state.head, where, state.tail].filter(Boolean).join(" ");
    return written(last);
  }

  function draw() {
    rows.replaceChildren(...state.rows.map((row, place) => el("div", { class: "row" }, ...controls(row),
      el("button", { type: "button", class: "remove", title: "Remove", "aria-label": `Remove condition ${place + 1}`,
        onclick: () => {
          state.rows.splice(place, 1);
          draw();
          write();
          (rows.children[place]?.querySelector("button") ?? add).focus();
        } }, "×"))));
  }

  function controls(row) {
    const known = fields();
    const field = known.find((one) => one.name === row.field);
    if (isWhole(row, known)) return [el("code", { class: "whole" }, row.text)];
    const usual = OPERATORS[familyOf(field)];
    row.operator ||= usual[0];
    const operators = usual.includes(row.operator) ? usual : [...usual, row.operator];
    const named = el("select", { "aria-label": "Field", onchange: (event) => {
      Object.assign(row, { field: event.target.value, operator: "", value: "", text: "" });
      draw();
      write();
      back(row, "Field");
    } }, known.map((one) => el("option", { value: one.name, selected: one === field }, one.label || one.name)));
    const operator = el("select", { "aria-label": "Operator", onchange: (event) => {
      Object.assign(row, { operator: event.target.value, text: "" });
      draw();
      write();
      back(row, "Operator");
    } }, operators.map((one) => el("option", { value: one, selected: one === row.operator }, one)));
    return [named, operator, WITHOUT_VALUE.has(row.operator) ? null : valueOf(row, field)].filter(Boolean);
  }

  /** The rows are drawn anew after a choice: who works by keyboard stays where they were. */
  function back(row, label) {
    rows.children[state.rows.indexOf(row)]?.querySelector(`[aria-label="${label}"]`)?.focus();
  }

  function valueOf(row, field) {
    const change = (event) => {
      Object.assign(row, { value: valueText(event.target.value, field, row.operator), text: "" });
      write();
    };
    const choices = field?.type === "boolean" ? ["true", "false"] : field?.values;
    const shown = bare(row.value);
    if (choices && !row.value.startsWith("[")) {
      const options = choices.includes(shown) || !shown ? choices : [shown, ...choices];
      return el("select", { "aria-label": "Value", onchange: change },
        [el("option", { value: "", selected: !shown }, "choose"),
          ...options.map((one) => el("option", { value: one, selected: one === shown }, one))]);
    }
    const list = el("datalist", { id: `values-${Math.random().toString(36).slice(2)}` });
    const input = el("input", { value: shown, list: list.id, "aria-label": "Value", onchange: change,
      placeholder: EXAMPLES[field?.type] ?? (field?.unit || ""),
      oninput: () => lookUp(row, field, input.value, list) });
    return el("span", { class: "value" }, input, list);
  }

  /** Stored values that begin so, by the completion of the language: it knows what this caller may see. */
  async function lookUp(row, field, typed, list) {
    if (!["text", "keyword", "reference"].includes(field?.type) || typed.length < 2) return;
    const program = `${state.head} where ${row.field} = "${typed.replace(/["\\]/g, "")}`;
    const { candidates = [] } = await json("v1/complete", { program }).catch(() => ({}));
    list.replaceChildren(...candidates.slice(0, 12).map((one) => el("option", { value: bare(one.text) })));
  }

  const element = el("fieldset", { class: "builder" }, el("legend", {}, "Conditions"),
    el("label", {}, "Search ", kind), rows, el("p", { class: "actions" }, add), status);
  draw();
  return { element, read };
}

/** Whether a condition is shown as its text: it is no comparison of a field, or of one that is not known here. */
function isWhole(row, known) {
  const hasOtherEscapes = /\\[^"\\]/.test((row.value ?? "").replaceAll("\\\\", ""));
  return Boolean(row.text) && (hasOtherEscapes || !known.some((one) => one.name === row.field));
}

function textOf(row) {
  if (row.text) return row.text;
  if (WITHOUT_VALUE.has(row.operator)) return `${row.field} ${row.operator}`;
  return row.value ? `${row.field} ${row.operator} ${row.value}` : "";
}

function familyOf(field) {
  if (!field) return "text";
  if (field.type.startsWith("range of ")) return "range";
  if (field.is_list && !field.type.startsWith("geo ")) return "list";
  if (/number/.test(field.type)) return "number";
  if (field.type === "text") return "analysed";
  return field.type in OPERATORS ? field.type : "text";
}

/** A value as it is typed, in the form of the language: names and texts in quotes, the rest bare. */
function valueText(typed, field, operator) {
  const text = typed.trim();
  if (OF_LISTS.has(operator) && text && !text.startsWith("[")) {
    return `[${text.split(",").map((one) => valueText(one, field, "has")).filter(Boolean).join(", ")}]`;
  }
  if (!text || operator === "in" || /^(\$\w+|\(find .*|\[.*\])$/.test(text)) return text;
  const isBare = /^(date|boolean|geo .*|range of dates)$|number/.test(field?.type ?? "");
  return isBare ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function bare(value) {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, "$1") : value;
}
