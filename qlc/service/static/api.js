// Requests to the service. A problem (RFC 9457) becomes an Error with the sentence that says what to do.

const KEY = "qlc.credential";
/** What a date means, and how a time is shown, goes by the clock of the reader: every text is sent with it. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const QUERY = "qlc.query";
let signIn = null;

/** The query of the last answer in this tab, which the query view begins with; `query` is a newer one. */
export function lastQuery(query) {
  if (query) sessionStorage.setItem(QUERY, query);
  return sessionStorage.getItem(QUERY) ?? "";
}

export function forgetQuery() {
  sessionStorage.removeItem(QUERY);
}

export function onSignIn(action) {
  signIn = action;
}

export function useCredential(credential) {
  if (credential) sessionStorage.setItem(KEY, credential);
  else sessionStorage.removeItem(KEY);
}

function headers(more = {}) {
  const credential = sessionStorage.getItem(KEY);
  if (!credential) return more;
  // a token has dots, a key of the service has none
  const named = credential.split(".").length === 3
    ? { Authorization: `Bearer ${credential}` } : { "X-API-Key": credential };
  return { ...named, ...more };
}

export async function request(path, { method = "POST", body, accept, signal } = {}) {
  const options = { method, signal, headers: headers(accept ? { Accept: accept } : {}) };
  if (body !== undefined) {
    options.body = JSON.stringify(body);
    options.headers["Content-Type"] = "application/json";
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch (failure) {
    if (failure.name === "AbortError") throw failure;
    throw new Error("The service does not answer. Check that it runs, then try again.");
  }
  if (response.status === 401 && signIn && (await signIn())) return request(path, { method, body, accept, signal });
  if (!response.ok && (response.headers.get("Content-Type") ?? "").startsWith("application/problem+json")) {
    const problem = await response.json();
    throw Object.assign(new Error(problem.detail || problem.title), { code: problem.code });
  }
  return response;
}

/** What depends on the time zone of the reader, with it. */
export function inZone(path) {
  return `${path}?timezone=${encodeURIComponent(ZONE)}`;
}

/** JSON in which whole numbers that this language cannot hold are kept as their digits. */
export function parsed(text) {
  return JSON.parse(text, (name, value, context) =>
    (Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "") ? context.source : value));
}

/** JSON of any answer: an outcome that is no success has a status of its own, and is an answer as well. */
export async function json(path, body, options = {}) {
  return parsed(await (await request(path, { body, ...options })).text());
}

/** The events of an answer as they come: `heard(name, data)`. Resolves when the stream ends. */
export async function events(path, body, heard, signal) {
  const response = await request(path, { body, signal, accept: "text/event-stream" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split("\n");
      const name = lines.find((line) => line.startsWith("event: "))?.slice(7);
      const data = lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n");
      if (name) heard(name, data ? parsed(data) : null);
    }
  }
}

/** Saves a response of the service as a file. */
export async function download(path, body, name) {
  const response = await request(path, { method: body === undefined ? "GET" : "POST", body });
  if (!response.ok) {
    const { message = "", detail = message } = await response.json().catch(() => ({}));
    throw new Error(`This answer has no rows that can be saved. ${detail}`.trim());
  }
  saveFile(await response.blob(), name);
}

export function saveFile(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
