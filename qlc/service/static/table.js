// A table that sorts what it shows, and says how much there is.

import { el } from "./dom.js";

/** Characters up to which a value stays on one line. */
const SHORT = 40;

/** `columns` as `format.columns` makes them; `numbers(row, place)` are the citation chips of a cell; `whole(row)` is a
 * promise of what is below a row that a reader opens; `sorted(name)` is told the column by which the rows are sorted. */
export function table(columns, { caption = "", numbers = null, whole = null, sorted = null } = {}) {
  const count = columns[0]?.values.length ?? 0;
  let order = [...Array(count).keys()];
  const body = el("tbody");
  const classes = columns.map((one) =>
    [one.isNumber && "number", one.texts.some((each) => each.length > SHORT) && "long"].filter(Boolean).join(" ") || null);
  const heads = columns.map((one, place) =>
    el("th", { scope: "col", class: classes[place], "aria-sort": "none" },
      el("button", { type: "button", title: `Sort these rows by ${one.name}`, onclick: () => sort(place) }, one.name)));

  function fill() {
    body.replaceChildren(...order.map((row) => el("tr", {}, columns.map((one, place) =>
      el(place === 0 ? "th" : "td", { scope: place === 0 ? "row" : null, class: classes[place] },
        whole && place === 0 ? opener(row, one.texts[row]) : one.texts[row], numbers ? numbers(row, place) : null)))));
  }

  /** A button that opens the whole record of a row below it, and closes it. */
  function opener(row, text) {
    const button = el("button", { type: "button", class: "opener", "aria-expanded": "false",
      title: "Show the whole record", onclick: async () => {
        const line = button.closest("tr");
        if (button.getAttribute("aria-expanded") === "true") {
          button.setAttribute("aria-expanded", "false");
          line.nextElementSibling?.remove();
          return;
        }
        button.setAttribute("aria-expanded", "true");
        const place = el("td", { colspan: String(columns.length) }, "…");
        line.after(el("tr", { class: "record" }, place));
        place.replaceChildren(await whole(row));
      } }, text || "(no name)");
    return button;
  }

  function sort(place) {
    const down = heads[place].getAttribute("aria-sort") === "ascending";
    heads.forEach((head) => head.setAttribute("aria-sort", "none"));
    heads[place].setAttribute("aria-sort", down ? "descending" : "ascending");
    const { values, texts } = columns[place];
    const missing = (row) => values[row] === null || values[row] === undefined;
    order.sort((a, b) => {
      if (missing(a) || missing(b)) return missing(a) - missing(b); // what has no value comes last either way
      const found = typeof values[a] === "number" && typeof values[b] === "number"
        ? values[a] - values[b] : texts[a].localeCompare(texts[b], "en", { numeric: true });
      return down ? -found : found;
    });
    fill();
    sorted?.(columns[place].name);
  }

  fill();
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption || "Rows" },
    el("table", {}, caption ? el("caption", {}, caption) : null, el("thead", {}, el("tr", {}, heads)), body));
}
