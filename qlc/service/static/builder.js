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
  list: ["has", "exists", "missing"],
  analysed: ["contains", "matches", "mentions", "exists", "missing"],
};
const WITHOUT_VALUE = new Set(["exists", "missing"]);

/** `written(text)` gets the program after a change of a row. `read(text)` shows the rows of a program. */
export function builder(catalog, written) {
  const rows = el("div", { class: "rows" });
  const status = el("p", { class: "hint", role: "status" });
  const kind = el("select", { "aria-label": "What to search", onchange: () => begin(kind.value) },
    catalog.kinds.filter((one) => one.is_counted).map((one) => el("option", { value: one.plural }, one.plural)));
  const add = button("Add a condition", () => {
    state.rows.push({ field: fields()[0]?.name ?? "", operator: "", value: "" });
    draw();
    rows.lastElementChild?.querySelector("select")?.focus();
  });
  let state = { head: `find ${kind.value}`, rows: [], tail: "limit 10" };
  let turn = 0;
  let last = "";

  function begin(plural) {
    state = { head: `find ${plural}`, rows: [], tail: "limit 10" };
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
      const found = await json("v1/outline", { program: text });
      if (mine !== turn) return;
      if (!found.head) throw new Error(found.detail ?? "These conditions cannot be shown as rows.");
      state = found;
      const plural = found.head.split(" ").pop();
      const asked = catalog.kinds.find((one) => [one.plural, one.name, ...one.words].includes(plural));
      if (asked) kind.value = asked.plural;
      status.textContent = "";
      draw();
    } catch (problem) {
      status.textContent = problem.message;
      rows.replaceChildren();
    }
    add.disabled = Boolean(status.textContent);
  }

  function write() {
    const conditions = state.rows.map(textOf).filter(Boolean);
    const where = conditions.length ? `where ${conditions.join(" and ")}` : "";
    last = [state.head, where, state.tail].filter(Boolean).join(" ");
    written(last);
  }

  function draw() {
    rows.replaceChildren(...state.rows.map((row, place) => el("div", { class: "row" }, ...controls(row),
      el("button", { type: "button", "aria-label": `Remove condition ${place + 1}`, onclick: () => {
        state.rows.splice(place, 1);
        draw();
        write();
      } }, "Remove"))));
  }

  function controls(row) {
    const known = fields();
    const field = known.find((one) => one.name === row.field);
    if (row.text && !field) return [el("code", { class: "whole" }, row.text)];
    const operators = OPERATORS[familyOf(field)];
    if (row.operator && !operators.includes(row.operator)) operators.push(row.operator);
    row.operator ||= operators[0];
    const named = el("select", { "aria-label": "Field", onchange: (event) => {
      Object.assign(row, { field: event.target.value, operator: "", value: "", text: "" });
      draw();
      write();
    } }, known.map((one) => el("option", { value: one.name, selected: one === field }, one.name)));
    const operator = el("select", { "aria-label": "Operator", onchange: (event) => {
      Object.assign(row, { operator: event.target.value, text: "" });
      draw();
      write();
    } }, operators.map((one) => el("option", { value: one, selected: one === row.operator }, one)));
    return [named, operator, WITHOUT_VALUE.has(row.operator) ? null : valueOf(row, field)].filter(Boolean);
  }

  function valueOf(row, field) {
    const change = (event) => {
      Object.assign(row, { value: written_as(event.target.value, field), text: "" });
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
      placeholder: field?.type === "date" ? "last month" : field?.unit || "",
      oninput: () => lookUp(row, field, input.value, list) });
    return el("span", {}, input, list);
  }

  /** Stored values that begin so, by the completion of the language: it knows what this caller may see. */
  async function lookUp(row, field, typed, list) {
    if (!["text", "keyword", "reference"].includes(field?.type) || typed.length < 2) return;
    const program = `${state.head} where ${row.field} = "${typed.replace(/["\\]/g, "")}`;
    const { candidates = [] } = await json("v1/complete", { program }).catch(() => ({}));
    list.replaceChildren(...candidates.slice(0, 12).map((one) => el("option", { value: bare(one.text) })));
  }

  draw();
  return { element: el("fieldset", { class: "builder" }, el("legend", {}, "Conditions"),
    el("label", {}, "Search ", kind), rows, el("p", { class: "actions" }, add), status), read };
}

function textOf(row) {
  if (row.text) return row.text;
  if (WITHOUT_VALUE.has(row.operator)) return `${row.field} ${row.operator}`;
  return row.value ? `${row.field} ${row.operator} ${row.value}` : "";
}

function familyOf(field) {
  if (!field) return "text";
  if (field.is_list) return "list";
  if (/number/.test(field.type)) return "number";
  if (field.type === "text") return "analysed";
  return field.type in OPERATORS ? field.type : "text";
}

/** A value as it is typed, in the form of the language: names and texts in quotes, the rest bare. */
function written_as(typed, field) {
  const text = typed.trim();
  if (!text || text.startsWith("[") || text.startsWith("(")) return text;
  const isBare = ["date", "boolean"].includes(field?.type) || /number/.test(field?.type ?? "");
  return isBare ? text : `"${text.replace(/[\\"]/g, "\\$&")}"`;
}

function bare(value) {
  return value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1).replace(/\\(["\\])/g, "$1") : value;
}
