// The views, by the address: #/ask, #/query, #/explain, #/catalog, each with what it is about as ?q=.

import { ask } from "./ask.js";
import { onSignIn, useCredential } from "./api.js";
import { catalog } from "./catalog.js";
import { el } from "./dom.js";
import { explain } from "./explain.js";
import { query } from "./query.js";

const VIEWS = { ask, query, explain, catalog };
const view = document.getElementById("view");

async function go() {
  const [, name = "ask", search = ""] = /^#\/(\w+)(?:\?(.*))?$/.exec(location.hash) ?? [];
  const chosen = name in VIEWS ? name : "ask";
  document.querySelectorAll("nav a").forEach((link) =>
    (link.hash === `#/${chosen}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
  document.title = `qlc: ${chosen}`;
  view.replaceChildren(el("p", { class: "hint" }, "Loading…"));
  try {
    await VIEWS[chosen](view, Object.fromEntries(new URLSearchParams(search)));
  } catch (problem) {
    view.replaceChildren(el("p", { class: "problem", role: "alert" }, problem.message),
      el("button", { type: "button", onclick: go }, "Try again"));
  }
}

const dialog = document.getElementById("sign-in");
const credential = document.getElementById("credential");
let asking = null;

/** Asks for a key once, however many requests need it; whether one was given. */
onSignIn(() => {
  document.getElementById("key").hidden = false;
  asking ??= new Promise((answered) => {
    credential.value = "";
    dialog.returnValue = "";
    dialog.showModal();
    dialog.addEventListener("close", () => {
      asking = null;
      const given = dialog.returnValue === "use" ? credential.value.trim() : "";
      if (given) useCredential(given);
      answered(Boolean(given));
    }, { once: true });
  });
  return asking;
});
document.getElementById("key").addEventListener("click", () => {
  useCredential("");
  go();
});

window.addEventListener("hashchange", go);
go();
