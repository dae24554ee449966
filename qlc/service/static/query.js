// A program: its text, its conditions as rows, and its answer.

import { download, json, lastQuery, ZONE } from "./api.js";
import { builder } from "./builder.js";
import { el, loading, working } from "./dom.js";
import { editor } from "./editor.js";
import { diagnostic, show } from "./outcome.js";

/** `given.q` is the program, which runs at once; without one, the query of the last answer or an example waits. */
export async function query(view, given) {
  const findings = el("div", { class: "findings", "aria-live": "polite" });
  const result = el("div", { class: "result" });
  const heard = el("p", { class: "away", role: "status" });
  const earlier = el("p", { class: "earlier", role: "status", hidden: true },
    "The query has changed since: what is below is the answer of the earlier one.");
  let stopping = null;
  let answered = null; // the program whose answer is shown
  const catalog = await loading(view, "Reading the fields…", (signal) =>
    json("v1/catalog", undefined, { method: "GET", signal }));
  if (!catalog) return view.append(el("button", { type: "button", onclick: () => query(view, given) }, "Try again"));
  const [first] = catalog.kinds.filter((one) => one.is_counted);
  const text = editor(given.q ?? (lastQuery() || (first ? `find all ${first.plural} limit 10` : "")), (program, found, checked) => {
    findings.replaceChildren(...found.map((one) => diagnostic(one, program, { say: (fixed) => text.set(fixed) })));
    if (checked || !program.trim()) rows.read(program);
    compare();
  });
  const rows = builder(catalog, () => text.text(), (program) => text.set(program));
  const form = el("form", { class: "program", onsubmit: (event) => {
    event.preventDefault();
    run(text.text());
  } }, text.element, el("p", { class: "actions" }, el("button", { class: "primary" }, "Run"),
    el("button", { type: "button", onclick: () => (location.hash = `#/explain?q=${encodeURIComponent(text.text())}`) },
      "Explain")), findings);
  text.field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
  text.field.addEventListener("input", compare);
  view.replaceChildren(el("h2", { class: "away" }, "Query"), el("div", { class: "sides" }, form, rows.element), heard,
    earlier, result);
  text.field.focus({ preventScroll: true });
  if (!given.q) text.field.select(); // to type another one in its place
  return given.q ? run(given.q, { isAsked: false }) : undefined;

  /** Marks an answer as that of an earlier query while the text is another one. */
  function compare() {
    earlier.hidden = answered === null || text.text().trim() === answered.trim();
    result.classList.toggle("outdated", !earlier.hidden);
  }

  async function run(program, { cursor, choices = {}, isAsked = true } = {}) {
    if (!program.trim()) return text.field.focus();
    if (view.isConnected) history.replaceState(null, "", `#/query?q=${encodeURIComponent(program)}`);
    answered = program;
    compare();
    stopping?.abort();
    const mine = stopping = new AbortController();
    const wait = working("Searching…", () => mine.abort()).element;
    if (cursor) result.append(wait);
    else result.replaceChildren(wait);
    try {
      const body = { program, choices, size: 50, timezone: ZONE };
      const outcome = await json("v1/run", cursor ? { ...body, cursor } : body, { signal: mine.signal });
      lastQuery(outcome.query);
      const found = outcome.kind === "invalid" ? { ...outcome, diagnostics: [] } : outcome; // the editor shows them
      const shown = show(found, {
        isQuery: true,
        source: program,
        say: (fixed) => { text.set(fixed); run(fixed); },
        choose: (asked, option) => run(program, { choices: { ...choices, [asked.token]: option.id } }),
        more: (one) => run(program, { cursor: one.cursor, choices }),
        save: (one, format, whole) => download(`v1/export.${format}`,
          { text: program, read_as: "program", choices, timezone: ZONE, all_columns: whole }, `answer.${format}`)
          .catch((problem) => result.append(el("p", { class: "problem", role: "alert" }, problem.message))),
      });
      result.querySelectorAll("button.now").forEach((one) => (one.disabled = true));
      wait.replaceWith(shown);
      if (isAsked && !cursor) shown.scrollIntoView({ block: "nearest" }); // on a phone the conditions are above it
      heard.textContent = outcome.message;
    } catch (problem) {
      const sentence = problem.name === "AbortError" ? "Stopped. Nothing was answered." : problem.message;
      wait.replaceWith(el("p", { class: "problem", role: "alert" }, sentence));
    }
    return undefined;
  }
}
