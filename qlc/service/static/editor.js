// A text field for programs: findings are underlined in their places, completions come as it is typed.

import { json, ZONE } from "./api.js";
import { debounced, el } from "./dom.js";

/** `changed(text, findings)` is called with what the service says of a text. */
export function editor(text, changed) {
  const field = el("textarea", { id: "program", spellcheck: "false", autocapitalize: "off", autocomplete: "off", rows: 5,
    "aria-label": "Query", "aria-autocomplete": "list", "aria-controls": "completions",
    "aria-describedby": "editor-help" });
  const marks = el("pre", { class: "marks", "aria-hidden": "true" });
  const list = el("ul", { id: "completions", role: "listbox", class: "completions", hidden: true });
  const help = el("p", { id: "editor-help", class: "hint" },
    "Ctrl+Space completes, Ctrl+Enter runs. The arrow keys choose a completion, Enter takes it, Escape closes the list.");
  let candidates = [];
  let chosen = -1;
  let turn = 0;
  field.value = text;

  const check = debounced(async () => {
    const mine = ++turn;
    const program = field.value;
    if (!program.trim()) return paint([], changed("", []));
    const found = await json("v1/check", { program, timezone: ZONE }).catch(() => null);
    if (found && mine === turn && program === field.value) {
      paint(found.diagnostics);
      changed(program, found.diagnostics, found);
    }
    return undefined;
  }, 200);

  /** The text again, with the places of the findings; it lies under the field and scrolls with it. */
  function paint(findings) {
    const characters = [...field.value];
    const parts = [];
    let at = 0;
    for (const one of findings.filter((each) => each.span).sort((a, b) => a.span[0] - b.span[0])) {
      const [start, end] = [Math.max(one.span[0], at), Math.max(one.span[1], one.span[0] + 1)];
      if (start >= end) continue;
      parts.push(characters.slice(at, start).join(""),
        el("span", { class: one.severity }, characters.slice(start, end).join("") || " "));
      at = end;
    }
    marks.replaceChildren(...parts, `${characters.slice(at).join("")}\n`);
    field.setAttribute("aria-invalid", String(findings.some((one) => one.severity === "error")));
  }

  const complete = debounced(async () => {
    const cursor = [...field.value.slice(0, field.selectionStart)].length;
    const program = field.value;
    const found = await json("v1/complete", { program, cursor }).catch(() => ({ candidates: [] }));
    if (program !== field.value || document.activeElement !== field) return;
    candidates = found.candidates.slice(0, 12);
    open(candidates.length > 0);
  }, 120);

  function open(isOpen) {
    list.hidden = !isOpen;
    field.removeAttribute("aria-activedescendant");
    chosen = -1;
    list.replaceChildren(...(isOpen ? candidates.map((one, number) =>
      el("li", { id: `completion-${number}`, role: "option", "aria-selected": "false",
        onmousedown: (event) => { event.preventDefault(); take(one); } },
      el("code", {}, one.text), el("span", {}, one.detail || one.kind))) : []));
  }

  function choose(step) {
    chosen = (chosen + step + candidates.length) % candidates.length;
    [...list.children].forEach((one, number) => one.setAttribute("aria-selected", String(number === chosen)));
    list.children[chosen].scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", `completion-${chosen}`);
  }

  function take({ text: added, start }) {
    const before = [...field.value].slice(0, start).join("");
    const after = field.value.slice(field.selectionStart);
    field.value = before + added + after;
    field.selectionStart = field.selectionEnd = before.length + added.length;
    open(false);
    check();
  }

  field.addEventListener("input", () => {
    paint([]);
    check();
    complete();
  });
  field.addEventListener("scroll", () => { marks.scrollTop = field.scrollTop; marks.scrollLeft = field.scrollLeft; });
  field.addEventListener("blur", () => open(false));
  field.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) complete();
    else if (list.hidden) return;
    else if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Escape") open(false);
    else if ((event.key === "Enter" || event.key === "Tab") && chosen >= 0) take(candidates[chosen]);
    else return;
    event.preventDefault();
  });
  paint([]);
  if (text) check();
  return {
    element: el("div", { class: "editor" }, el("div", { class: "layers" }, marks, field), list, help),
    field,
    text: () => field.value,
    set(value) {
      field.value = value;
      paint([]);
      check();
    },
  };
}
