// The views, by the address: #/ask, #/query, #/explain, #/catalog, each with what it is about as ?q=.

import { ask, forget } from "./ask.js";
import { onSignIn, useCredential } from "./api.js";
import { catalog } from "./catalog.js";
import { el } from "./dom.js";
import { explain } from "./explain.js";
import { query } from "./query.js";

const VIEWS = { ask, query, explain, catalog };
const view = document.getElementById("view");
let wasShown = false;

async function go() {
  const [, name = "ask", search = ""] = /^#\/(\w+)(?:\?(.*))?$/.exec(location.hash) ?? [];
  const chosen = name in VIEWS ? name : "ask";
  document.querySelectorAll("nav a").forEach((link) =>
    (link.hash === `#/${chosen}` ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current")));
  document.title = `${document.querySelector("nav [aria-current]").textContent} · qlc`;
  // Each visit has a place of its own: a view that comes late does not write over the one that came after it.
  const place = el("div", {}, el("p", { class: "hint" }, "Loading…"));
  view.replaceChildren(place);
  if (wasShown) view.focus({ preventScroll: true });
  wasShown = true;
  try {
    await VIEWS[chosen](place, Object.fromEntries(new URLSearchParams(search)));
  } catch (problem) {
    place.replaceChildren(el("p", { class: "problem", role: "alert" }, problem.message),
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
      forget(); // what another caller was answered
      answered(Boolean(given));
    }, { once: true });
  });
  return asking;
});
document.getElementById("key").addEventListener("click", () => {
  useCredential("");
  forget();
  go();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address names the view
  view.focus();
});
window.addEventListener("hashchange", go);
go();
