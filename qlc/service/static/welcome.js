// The first view: what was found, what was not read and why, and questions that have answers.

import { json } from "./api.js";
import { el } from "./dom.js";
import { button } from "./outcome.js";

const COLUMNS = 12;
/** Tables up to which their notes are open, so that the questions below them are seen at once. */
const FEW_TABLES = 3;
const GET = { method: "GET" };

/** The elements of the first view. `say(text)` asks; `isCurrent()` tells whether nothing was asked meanwhile. */
export async function welcome(say, isCurrent) {
  const [{ found, holdings }, { description }] = await Promise.all([
    json("v1/overview", undefined, GET), json("v1/catalog", undefined, GET)]);
  const hasFiles = found && (found.tables.length > 0 || found.papers);
  const questions = el("div", { class: "starters" });
  fill(questions).catch(() => questions.replaceChildren());
  return el("div", { class: "welcome" }, hasFiles ? files(found) : things(found?.name, description, holdings), questions,
    found ? model(found.model) : null);

  async function fill(place) {
    place.replaceChildren(el("p", { class: "hint" }, "Looking for questions that have answers here…"));
    const { questions: offered } = await json("v1/starters", undefined, GET);
    const counted = holdings.filter((one) => one.name !== "passages").slice(0, 3);
    const texts = offered.length ? offered.map((one) => one.text) : counted.map((one) => `how many ${one.name} are there?`);
    if (!isCurrent()) return;
    place.replaceChildren(el("p", { class: "hint" }, "Questions that have answers here:"),
      el("ul", { class: "options" }, texts.map((one) => el("li", {}, button(one, () => say(one))))));
  }
}

/** What an index, a store or a catalog holds: kinds of things with their numbers and fields. */
function things(name, description, holdings) {
  return [
    el("p", { class: "title" }, name || description || "What can be asked about"),
    name && description && description !== name ? el("p", {}, description) : null,
    el("ul", { class: "found" }, holdings.map((one) => el("li", {}, el("strong", {}, one.name),
      one.count === null ? null : ` ${one.count.toLocaleString("en")}`, el("p", { class: "hint" }, some(one.fields))))),
    el("p", {}, el("a", { href: "#/catalog" }, "The catalog"), " has all fields, with what they mean."),
  ];
}

function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** What the files hold: tables with their rows and columns, papers, and what was not read. */
function files(found) {
  const unread = found.unread.length + found.more_unread;
  const parts = [
    found.tables.length ? count(found.tables.length, "table") : null,
    found.papers ? count(found.papers.documents, "paper") : null,
    unread ? `${count(unread, "file")} not read` : null,
  ];
  return [
    el("p", { class: "title" }, found.name),
    el("p", {}, `${parts.filter(Boolean).join(", ")}. `, el("a", { href: "#/catalog" }, "The catalog"), " has all fields."),
    el("ul", { class: "found" }, found.tables.map((one) => table(one, found.tables.length <= FEW_TABLES)), found.papers ? papers(found.papers) : null),
    unread ? el("details", { open: !found.tables.length && !found.papers?.documents },
      el("summary", {}, `${count(unread, "file")} not read, and why`),
      el("ul", { class: "unread" }, found.unread.map((one) => el("li", {}, el("code", {}, one.file), ` ${one.reason}`)),
        found.more_unread ? el("li", {}, `and ${count(found.more_unread, "more file")}`) : null)) : null,
  ];
}

function some(names) {
  const more = names.length - COLUMNS;
  return names.slice(0, COLUMNS).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function table(one, open) {
  const notes = one.notes.map((note) => el("p", { class: "note" }, note));
  return el("li", {},
    el("strong", {}, one.name), ` ${count(one.rows, "row")}`, el("span", { class: "hint" }, ` ${one.file}`),
    el("p", { class: "hint" }, some(one.columns)),
    open || !notes.length ? notes : el("details", { class: "hint" },
      el("summary", {}, `${count(notes.length, "note")} on what was left out or is in doubt`), notes));
}

function papers(one) {
  const buckets = Object.entries(one.buckets);
  const by = buckets.map(([name, number]) => `${name} ${number.toLocaleString("en")}`);
  return el("li", {}, el("strong", {}, "papers"), ` ${count(one.documents, "document")}`,
    buckets.length > 1 ? el("span", { class: "hint" }, ` ${some(by)}`) : null, el("p", { class: "hint" }, some(one.fields)));
}

/** Whether a language model is connected, and how to connect one. */
function model(name) {
  if (name) return el("p", { class: "hint" }, `Questions that the rules of English do not read go to the language model ${name}.`);
  return el("details", { class: "hint" },
    el("summary", {}, "No language model is connected: rules of English read the questions"),
    el("p", {}, "Alone, the rules answered 39.5 % of 979 measured questions over data that nobody had prepared, and declined "
      + "58.8 %: a model reads those. It writes queries, which are checked; it writes no answer that was not computed."),
    el("p", {}, "To connect one, set these variables and start again."),
    el("p", {}, "Anthropic: ", el("code", {}, "ANTHROPIC_API_KEY=KEY QLC_MODEL=NAME")),
    el("p", {}, "A server with the protocol of OpenAI, such as Ollama: ",
      el("code", {}, "OPENAI_BASE_URL=http://localhost:11434/v1 QLC_MODEL=openai:NAME")));
}
