// The whole record of a row: every field that the reader may see, asked for when the row is opened.

import { json, ZONE } from "./api.js";
import { el } from "./dom.js";
import { columns } from "./format.js";

/** The fields of one hit with their values, as a list; a sentence where it cannot be read. */
export async function record({ entity, hits }, row) {
  const { id } = hits[row];
  const program = `find ${entity} where id = ${JSON.stringify(id)}`;
  const found = await json("v1/run", { program, all_columns: true, size: 1, timezone: ZONE })
    .catch((problem) => ({ message: problem.message }));
  if (found.hits?.[0]?.id !== id) {
    return el("p", { class: "problem" }, `This record cannot be shown whole. ${found.message ?? ""}`.trim());
  }
  const shown = columns(found).filter((one) => one.texts[0] !== "");
  return el("dl", {}, shown.flatMap((one) => [el("dt", {}, one.name), el("dd", {}, one.texts[0])]));
}
