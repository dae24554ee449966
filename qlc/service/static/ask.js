// The conversation: messages, what was answered, and what can be said next.

import { download, events, forgetQuery, inZone, json, lastQuery, parsed, request, ZONE } from "./api.js";
import { el, working } from "./dom.js";
import { show } from "./outcome.js";
import { welcome as firstView } from "./welcome.js";

const CONVERSATION = "qlc.conversation";
/** What an answer waits for, by the stage that is done. */
const STAGES = {
  understood: "Translating the question…", translated: "Searching…", searched: "Reading what was found…",
  linked: "Searching the files…", composed: "Checking the quotes…",
};

/** The conversation that is shown: it goes on, and keeps its place, when a reader comes back from another view. */
let kept = null;

export function forget() {
  sessionStorage.removeItem(CONVERSATION);
  forgetQuery();
  kept = null;
}

/** `given.q` is asked at once. */
export async function ask(view, given) {
  const again = kept && (!given.q || given.q === kept.first);
  const mine = again ? kept : conversation();
  kept = mine;
  view.replaceChildren(el("h2", { class: "away" }, "Ask"), ...mine.parts);
  if (again) mine.latest()?.scrollIntoView({ block: "start" });
  else if (given.q) await mine.begin(given.q);
  else await mine.resume();
  mine.field.focus({ preventScroll: true });
}

function conversation() {
  const log = el("div", { class: "log" });
  const field = el("textarea", { id: "message", rows: 1, required: true, placeholder: "Ask in your own words",
    "aria-label": "Your question", enterkeyhint: "send" });
  const heard = el("p", { class: "away", role: "status" }); // what a screen reader says: the message, not each row
  const send = el("button", { class: "primary" }, "Ask");
  const stop = el("button", { type: "button", hidden: true, onclick: () => controller?.abort() }, "Stop");
  const anew = el("button", { type: "button", class: "link", hidden: true, onclick: () => begin() }, "New conversation");
  const form = el("form", { class: "say" }, el("div", { class: "line" }, field, send, stop), anew, heard);
  const choices = {};
  let controller = null;
  const mine = { parts: [log, form], field, begin, resume, first: "", latest: () => log.querySelector(".turn:last-child") };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    say(field.value);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      form.requestSubmit();
    } else if (event.key === "Escape") controller?.abort();
  });
  return mine;

  async function open() {
    let id = sessionStorage.getItem(CONVERSATION);
    if (!id) {
      ({ id } = await json("v1/conversations"));
      sessionStorage.setItem(CONVERSATION, id);
    }
    return id;
  }

  function begun(text) {
    // What belongs to an earlier answer would be taken for one about the latest.
    log.querySelectorAll("button.now").forEach((one) => (one.disabled = true));
    log.querySelector(".welcome")?.remove();
    const place = el("div", { class: "turn" }, el("p", { class: "said" }, text));
    log.append(place);
    anew.hidden = false;
    return place;
  }

  /** `shown` is what the log has in place of the text: the words of a choice instead of its number. */
  async function say(text, shown = text) {
    if (controller || !text.trim()) return;
    controller = new AbortController();
    field.value = "";
    stop.hidden = false;
    send.hidden = true;
    const place = begun(shown);
    const wait = working("Working on it…");
    heard.textContent = "Working on it…";
    place.append(wait.element);
    place.scrollIntoView({ block: "start" });
    try {
      const turn = await answered(text, wait);
      append(turn, place, text);
      heard.textContent = spoken(turn);
      if (turn.number === 1) mine.first = text;
      const address = turn.number === 1 ? `#/ask?q=${encodeURIComponent(text)}` : "#/ask";
      if (log.isConnected) history.replaceState(null, "", address);
    } catch (problem) {
      const sentence = problem.name === "AbortError" ? "Stopped. Nothing was answered." : problem.message;
      place.append(el("p", { class: "problem", role: "alert" }, sentence));
      heard.textContent = "";
      field.value ||= text; // nothing that was typed is lost
    } finally {
      wait.element.remove();
      controller = null;
      stop.hidden = true;
      send.hidden = false;
      if (log.isConnected) {
        place.scrollIntoView({ block: "start" });
        field.focus({ preventScroll: true });
      }
    }
  }

  async function answered(text, wait, again = true) {
    const path = `v1/conversations/${encodeURIComponent(await open())}/turns`;
    let turn = null;
    try {
      await events(path, { text, timezone: ZONE }, (name, data) => {
        if (name === "stage" && data.stage in STAGES) wait.say(STAGES[data.stage]);
        if (name === "turn") turn = data;
        if (name === "problem") throw new Error(data.detail ?? data.title);
      }, controller.signal);
    } catch (problem) {
      if (again && /no conversation/.test(problem.message)) {
        sessionStorage.removeItem(CONVERSATION); // the service was started anew
        return answered(text, wait, false);
      }
      throw problem;
    }
    if (!turn) throw new Error("The answer was cut off. Ask again.");
    return turn;
  }

  function append(turn, place, text) {
    turn.outcomes.forEach((one) => lastQuery(one.query));
    const actions = {
      source: turn.text,
      say,
      choose: (asked, option) => {
        choices[asked.token] = option.id;
        return say(String(asked.options.indexOf(option) + 1), option.label);
      },
      more: turn.outcomes.length === 1 ? () => say("show more") : null,
      save: (one, format, whole) => save(one, format, whole, text, place, turn.outcomes.length === 1),
    };
    const parts = turn.outcomes.map((outcome, number) => (turn.narrated.includes(number) ? null : show(outcome, actions)));
    place.append(...[turn.narrative ? el("p", { class: "message" }, turn.narrative) : null, ...parts,
      ...turn.notes.map((note) => el("p", { class: "note" }, note))].filter(Boolean));
  }

  async function save(outcome, format, whole, text, place, isAlone) {
    place.querySelector(".unsaved")?.remove();
    try {
      const id = encodeURIComponent(sessionStorage.getItem(CONVERSATION));
      const isLast = isAlone && !whole && mine.latest() === place;
      if (isLast) await download(inZone(`v1/conversations/${id}/export.${format}`), undefined, `answer.${format}`);
      else await download(`v1/export.${format}`, { text: outcome.query || text, choices, timezone: ZONE, all_columns: whole },
        `answer.${format}`);
    } catch (problem) {
      place.append(el("p", { class: "problem unsaved", role: "alert" }, problem.message));
    }
  }

  /** The conversation of this tab: its last answer, with what was asked before it. */
  async function resume() {
    const id = sessionStorage.getItem(CONVERSATION);
    const path = `v1/conversations/${encodeURIComponent(id)}`;
    const response = id && (await request(inZone(`${path}/resume`)).catch(() => null));
    if (!response?.ok) {
      sessionStorage.removeItem(CONVERSATION);
      return welcome();
    }
    const turn = parsed(await response.text());
    const { turns } = await json(path, undefined, { method: "GET" }).catch(() => ({ turns: [] }));
    let options = []; // of the turn before
    for (const one of turns.filter((each) => each.number < turn.number)) {
      const option = one.origin === "choice" ? options[Number(one.text) - 1] : null;
      options = one.parts.flatMap(({ outcome }) => outcome?.options ?? []);
      begun(option?.label ?? one.text).append(...one.parts.map(({ program, outcome }) => el("p", { class: "note" },
        outcome?.message ?? "", " ", program ? el("a", { href: `#/query?q=${encodeURIComponent(program)}` }, program) : "")));
    }
    const place = begun(turn.text);
    append(turn, place, turn.text);
    if (turn.number === 1) mine.first = turn.text;
    place.scrollIntoView({ block: "start" });
    return undefined;
  }

  async function welcome() {
    const first = await firstView(say, () => !mine.latest());
    if (!mine.latest()) log.replaceChildren(first); // else something was asked meanwhile
  }

  /** A new conversation, with a first message or none. */
  async function begin(text = "") {
    if (controller) return;
    sessionStorage.removeItem(CONVERSATION);
    mine.first = text;
    log.replaceChildren();
    anew.hidden = true;
    if (text) {
      await say(text);
      return;
    }
    history.replaceState(null, "", "#/ask");
    await welcome().catch((problem) => log.replaceChildren(el("p", { class: "problem", role: "alert" }, problem.message)));
    field.focus();
  }
}

/** An answer in one or two sentences. */
function spoken({ narrative, outcomes, notes }) {
  return [narrative, ...outcomes.map((one) => one.message), ...notes].filter(Boolean).join(" ");
}
