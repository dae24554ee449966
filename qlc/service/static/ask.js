// The conversation: messages, what was answered, and what can be said next.

import { download, events, json, request } from "./api.js";
import { el } from "./dom.js";
import { button, show } from "./outcome.js";

const CONVERSATION = "qlc.conversation";
const EXAMPLES = 4;

/** `given.q` is asked at once. */
export async function ask(view, given) {
  const log = el("div", { class: "log", "aria-live": "polite" });
  const field = el("textarea", { id: "message", rows: 2, required: true, placeholder: "Ask in your own words",
    "aria-label": "Your question", enterkeyhint: "send" });
  const status = el("p", { class: "hint", role: "status" });
  const stop = el("button", { type: "button", hidden: true, onclick: () => controller?.abort() }, "Stop");
  const form = el("form", { class: "say" }, field,
    el("div", { class: "actions" }, el("button", { class: "primary" }, "Ask"), stop,
      button("New conversation", begin)), status);
  let controller = null;
  let last = null;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    }
  });
  view.replaceChildren(el("h2", { class: "away" }, "Ask"), log, form);
  if (given.q) {
    sessionStorage.removeItem(CONVERSATION);
    await say(given.q);
  } else await resume();
  field.focus({ preventScroll: true });

  async function conversation() {
    let id = sessionStorage.getItem(CONVERSATION);
    if (!id) {
      ({ id } = await json("v1/conversations"));
      sessionStorage.setItem(CONVERSATION, id);
    }
    return id;
  }

  /** `shown` is what the log has in place of the text: the words of a choice instead of its number. */
  async function say(text, shown = text) {
    if (controller || !text.trim()) return;
    controller = new AbortController();
    field.value = "";
    stop.hidden = false;
    const place = el("div", { class: "turn" }, el("p", { class: "said" }, shown));
    log.append(place);
    place.scrollIntoView({ block: "nearest" });
    try {
      await answered(text, place);
      history.replaceState(null, "", last?.isFirst ? `#/ask?q=${encodeURIComponent(text)}` : "#/ask");
    } catch (problem) {
      const sentence = problem.name === "AbortError" ? "Stopped." : problem.message;
      place.append(el("p", { class: "problem", role: "alert" }, sentence));
      field.value = text; // nothing that was typed is lost
    } finally {
      controller = null;
      stop.hidden = true;
      status.textContent = "";
      field.focus({ preventScroll: true });
    }
  }

  async function answered(text, place, again = true) {
    const path = `v1/conversations/${encodeURIComponent(await conversation())}/turns`;
    let turn = null;
    try {
      await events(path, { text, timezone: Intl.DateTimeFormat().resolvedOptions().timeZone }, (name, data) => {
        if (name === "stage") status.textContent = `${data.stage}…`;
        if (name === "turn") turn = data;
        if (name === "problem") throw new Error(data.detail ?? data.title);
      }, controller.signal);
    } catch (problem) {
      if (again && /no conversation/.test(problem.message)) {
        sessionStorage.removeItem(CONVERSATION); // the service was started anew
        return answered(text, place, false);
      }
      throw problem;
    }
    if (!turn) throw new Error("The answer was cut off. Ask again.");
    last = { isFirst: turn.number === 1 };
    append(turn, place, text);
    return undefined;
  }

  function append(turn, place, text) {
    const parts = turn.outcomes.map((outcome, number) => (turn.narrated.includes(number) ? null : show(outcome, {
      source: turn.text,
      say,
      choose: (asked, option) => say(String(asked.options.indexOf(option) + 1), option.label),
      more: () => say("show more"),
      save: (one, format) => save(one, format, text),
    })));
    place.append(...[turn.narrative ? el("p", { class: "message" }, turn.narrative) : null, ...parts,
      ...turn.notes.map((note) => el("p", { class: "note" }, note))].filter(Boolean));
  }

  async function save(outcome, format, text) {
    try {
      await download(`v1/export.${format}`, { text: outcome.query || text }, `answer.${format}`);
    } catch (problem) {
      status.textContent = problem.message;
    }
  }

  async function resume() {
    const id = sessionStorage.getItem(CONVERSATION);
    const response = id && (await request(`v1/conversations/${encodeURIComponent(id)}/resume`).catch(() => null));
    if (!response?.ok) {
      sessionStorage.removeItem(CONVERSATION);
      return welcome();
    }
    const turn = await response.json();
    const place = el("div", { class: "turn" }, el("p", { class: "said" }, turn.text));
    append(turn, place, turn.text);
    log.prepend(place);
    return undefined;
  }

  async function welcome() {
    const { kinds, description, examples } = await json("v1/catalog", undefined, { method: "GET" });
    if (log.querySelector(".turn")) return; // something was asked meanwhile
    const named = kinds.filter((one) => one.is_counted).map((one) => one.plural);
    log.replaceChildren(el("div", { class: "welcome" },
      description ? el("p", {}, description) : null,
      el("p", {}, `You can ask about ${named.slice(0, 8).join(", ")}. `, el("a", { href: "#/catalog" }, "The catalog"),
        " has their fields."),
      examples.length ? el("ul", { class: "options" },
        examples.slice(0, EXAMPLES).map((one) => el("li", {}, button(one, () => say(one))))) : null));
  }

  async function begin() {
    sessionStorage.removeItem(CONVERSATION);
    history.replaceState(null, "", "#/ask");
    log.replaceChildren();
    await welcome().catch((problem) => (status.textContent = problem.message));
    field.focus();
  }
}
