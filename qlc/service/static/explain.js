// What each stage made of a text, each part to fold and to copy, and the same question from other programs.

import { json, ZONE } from "./api.js";
import { copyButton, el, loading } from "./dom.js";
import { show } from "./outcome.js";

const STAGES = [
  ["translation", "Translation", "who read the words, and how"],
  ["fixed", "Fixed", "what was corrected before it was checked"],
  ["canonical", "Query", "in canonical form"],
  ["typed", "Typed query", "with the fields and types that the names became"],
  ["plan", "Lookups", "the names that are resolved, by levels"],
  ["requests", "Requests", "what Elasticsearch is sent"],
  ["milliseconds", "Times", "of each stage, in milliseconds"],
];

/** Where the page is served may be below a path of somebody's application. */
const ADDRESS = new URL("v1/ask", document.baseURI).href;

/** `given.q` is explained at once. */
export async function explain(view, given) {
  const field = el("textarea", { rows: 3, required: true, "aria-label": "Words or a query" });
  const result = el("div");
  const heard = el("p", { class: "away", role: "status" });
  view.replaceChildren(el("h2", {}, "Explain"), el("p", {}, "Every stage between a text and the search."),
    el("form", { onsubmit: (event) => {
      event.preventDefault();
      run(field.value);
    } }, field, el("p", { class: "actions" }, el("button", { class: "primary" }, "Explain"))), heard, result);
  field.value = given.q ?? "";
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      run(field.value);
    }
  });
  field.focus({ preventScroll: true });
  if (given.q) await run(given.q);

  async function run(text) {
    if (!text.trim()) return;
    if (view.isConnected) history.replaceState(null, "", `#/explain?q=${encodeURIComponent(text)}`);
    const record = await loading(result, "Reading the text, and running what it means…", (signal) =>
      json("v1/explain", { text, timezone: ZONE }, { signal }));
    if (!record) return;
    result.replaceChildren(...parts(record, text));
    heard.textContent = "The stages are below.";
  }
}

function parts(record, text) {
  const known = STAGES.filter(([name]) => filled(record[name])).map(([name, title, purpose]) =>
    stage(title, purpose, typeof record[name] === "string" ? record[name] : JSON.stringify(record[name], null, 2),
      name === "canonical"));
  const outcome = record.outcome ?? (record.kind ? record : null);
  return [...known, ...(outcome?.kind && outcome.kind in SHOWN ? [show({ ...SHOWN[outcome.kind], ...outcome })] : []),
    stage("From the command line", "curl", curl(text)), stage("From Python", "", python(text))];
}

/** What an outcome of an explanation leaves out, where it is the default. */
const REST = { query: "", message: "", notes: [], diagnostics: [], suggestions: [] };
const SHOWN = {
  hits: { ...REST, hits: [], ids: [], columns: [], units: {}, unit_columns: {} },
  aggregate: { ...REST, groups: [], measures: [], rows: [], units: {}, row_units: [] },
  count: REST, value: REST, clarify: { ...REST, options: [] }, not_found: REST, unsupported: REST, refuse: REST,
  declined: REST, passages: { ...REST, passages: [] }, invalid: REST, failed: REST, explain: REST,
};

function filled(part) {
  return part !== undefined && part !== null && part !== "" && (typeof part !== "object" || Object.keys(part).length > 0);
}

function stage(title, purpose, text, open = false) {
  return el("details", { class: "stage", open }, el("summary", {}, el("strong", {}, title), purpose ? ` ${purpose}` : ""),
    copyButton(text), el("pre", { tabindex: "0" }, text));
}

function curl(text) {
  const body = JSON.stringify({ text, timezone: ZONE }).replaceAll("'", "'\\''");
  return `curl ${ADDRESS} -H 'Content-Type: application/json' -d '${body}'`;
}

function python(text) {
  return `import httpx\n\nanswer = httpx.post("${ADDRESS}", json=${JSON.stringify({ text, timezone: ZONE })})\n`
    + `print(answer.json()["message"])`;
}
