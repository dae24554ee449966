// Elements from their parts. Texts are always text nodes: nothing of an answer is read as HTML.

/** An element with attributes (`onclick` and the like are listeners) and children (texts, elements, null for none). */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** A button that copies a text and says that it did. */
export function copyButton(text, label = "Copy") {
  const button = el("button", { type: "button", class: "small" }, label);
  button.addEventListener("click", async () => {
    // A browser lets a page copy only where it came over https or from this machine.
    const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
    button.textContent = copied ? "Copied" : "The browser does not allow it";
    setTimeout(() => (button.textContent = label), 1500);
  });
  return button;
}

/** What is shown while a reader waits. It says nothing at first: most answers are there before it could be read. */
export function working(text, stop = null) {
  const words = el("span", {}, text);
  return { element: el("p", { class: "working" }, words, stop ? [" ", el("button", { type: "button", class: "small",
    onclick: stop }, "Stop")] : null), say: (next) => (words.textContent = next) };
}

/** Waits for `load(signal)` with a stop button in `place`; undefined where it was stopped, which the place then says. */
export async function loading(place, text, load) {
  const stopping = new AbortController();
  place.replaceChildren(working(text, () => stopping.abort()).element);
  try {
    return await load(stopping.signal);
  } catch (problem) {
    const sentence = problem.name === "AbortError" ? "Stopped." : problem.message;
    place.replaceChildren(el("p", { class: "problem", role: "alert" }, sentence));
    return undefined;
  }
}

export function debounced(action, milliseconds) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}
