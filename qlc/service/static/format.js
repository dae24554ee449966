// Values of outcomes as people read them: the same forms as the command line has.

import { ZONE } from "./api.js";

const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const MOST_DECIMALS = 6; // of a number that somebody wrote; a calculated one has more
const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: MOST_DECIMALS });
const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: MOST_DECIMALS });
const DIGITS = new Intl.NumberFormat("en", { maximumSignificantDigits: 10 });
const TENTHS = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
const CLOCK = new Intl.DateTimeFormat("sv", { timeZone: ZONE, year: "numeric", month: "2-digit", day: "2-digit",
  hour: "2-digit", minute: "2-digit" });
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const CURRENCIES = new Set([...Intl.supportedValuesOf("currency"), "SLE", "VED"]); // two that browsers lack
const OCTETS = { bytes: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12, PB: 1e15,
  KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30, TiB: 2 ** 40, PiB: 2 ** 50 };
const SIZES = ["kB", "MB", "GB", "TB", "PB"];
const SECONDS = { ns: 1e-9, us: 1e-6, ms: 1e-3, seconds: 1, minutes: 60, hours: 3600 };
const PARTS = { "%": 1, ppm: 1e-4, fraction: 100 };
const TIMES = [["days", 86400], ["h", 3600], ["min", 60], ["s", 1]];
const ONE = { days: "day", hours: "hour", minutes: "minute", seconds: "second", weeks: "week", miles: "mile", bytes: "byte" };

export function isInstant(value) {
  return typeof value === "string" && INSTANT.test(value);
}

/** Thousands apart: up to six decimals as they are, more of them rounded to two, below 1 to three significant digits. */
function number(value) {
  if (Number.isInteger(value)) return WHOLE.format(value + 0); // no -0
  const size = Math.abs(value);
  if (size >= 1 || hasFewDecimals(value)) return NUMBER.format(asWritten(value));
  const short = Number(value.toPrecision(3));
  return Math.abs(short) < 1e-4 ? short.toExponential().replace(/e-(\d)$/, "e-0$1") : String(short);
}

/** A number in its stored unit: `568.3 kB`, `12 min 18 s`, `43 %`, `90 days`, `EUR 536.00`. */
export function amount(value, unit) {
  if (CURRENCIES.has(unit)) return `${unit} ${MONEY.format(asWritten(value))}`;
  if (unit in OCTETS) return size(value * OCTETS[unit]);
  if (unit in SECONDS && Math.abs(value * SECONDS[unit]) >= 1) return duration(value * SECONDS[unit]);
  if (unit in PARTS) return `${number(rounded(value * PARTS[unit]))} %`;
  return unit ? `${number(value)} ${value === 1 ? ONE[unit] ?? unit : unit}` : number(value);
}

/** A value of an answer from documents, with all the digits that they have. */
export function read(value, unit) {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return [value, unit].filter(Boolean).join(" ");
  if (CURRENCIES.has(unit)) return `${unit} ${MONEY.format(asWritten(value))}`;
  return [DIGITS.format(value), value === 1 ? ONE[unit] ?? unit : unit].filter(Boolean).join(" ");
}

function hasFewDecimals(value) {
  const [, decimals = ""] = String(value).split(".");
  return Math.abs(value) >= 1e-4 && decimals.length <= MOST_DECIMALS && !decimals.includes("e");
}

/** A number with the decimals that somebody wrote, or rounded to two. */
function asWritten(value) {
  return hasFewDecimals(value) ? value + 0 : rounded(value);
}

/** Of the number itself: a formatter takes its shortest decimal form, and 2.345 is above that. Halves go to even. */
function rounded(value, digits = 2) {
  const scaled = value * 10 ** digits;
  const isHalf = Number.isInteger(value * 2 ** (digits + 1)) && Math.abs(scaled % 1) === 0.5;
  return (isHalf ? (2 * Math.round(scaled / 2)) / 10 ** digits : Number(value.toFixed(digits))) + 0; // no -0
}

function size(octets) {
  if (Math.abs(octets) < 1000) return `${number(octets)} ${octets === 1 ? "byte" : "bytes"}`;
  let power = 1;
  while (Math.abs(octets) / 1000 ** power >= 999.95 && power < SIZES.length) power += 1;
  return `${TENTHS.format(rounded(octets / 1000 ** power, 1))} ${SIZES[power - 1]}`;
}

/** To the minute, below an hour to the second; parts of a second where there is no minute. */
function duration(seconds) {
  const [sign, left] = [seconds < 0 ? "-" : "", Math.abs(seconds)];
  if (left < 60) return `${sign}${number(rounded(left))} s`;
  const smallest = left >= 3600 ? 60 : 1;
  let whole = Math.floor(left / smallest + 0.5) * smallest;
  const parts = TIMES.flatMap(([name, worth]) => {
    const count = Math.floor(whole / worth);
    whole -= count * worth;
    return count ? [`${WHOLE.format(count)} ${count === 1 ? ONE[name] ?? name : name}`] : [];
  });
  return sign + parts.join(" ");
}

/** A value of a cell. Years and the like, which are names and no amounts, are left as they are. */
export function cell(value, { name = "", unit, days = false } = {}) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (unit !== undefined) return amount(value, unit);
    const isYear = Number.isInteger(value) && value >= 1000 && value <= 9999 && /year/i.test(name);
    return isYear ? String(value) : number(value);
  }
  if (Array.isArray(value)) return value.map((one) => cell(one, { name, unit, days })).join(", ");
  if (typeof value === "object") return String(value.name ?? value.id ?? JSON.stringify(value));
  if (isInstant(value)) return days ? value.slice(0, 10) : CLOCK.format(new Date(value));
  return String(value);
}

/** The columns of an outcome with rows: `{name, unit, values, texts, isNumber}`, one value for each row. `name` is the
 * label, where the column has one. */
export function columns(outcome) {
  const found = outcome.kind === "aggregate" ? aggregateColumns(outcome) : hitColumns(outcome);
  return found.map((one) => ({ ...one, name: (outcome.labels?.[one.name] ?? one.name).replaceAll("_", " ") }));
}

function hitColumns(outcome) {
  const names = [...new Set([...outcome.columns, ...outcome.hits.flatMap((hit) => Object.keys(hit.values))])];
  const beside = outcome.unit_columns ?? {};
  const units = new Set(Object.values(beside));
  const shown = names.filter((name) => !units.has(name) && outcome.hits.some((hit) => name in hit.values));
  return shown.map((name) => {
    const values = outcome.hits.map((hit) => hit.values[name]);
    const own = beside[name] ? outcome.hits.map((hit) => hit.values[beside[name]]) : null;
    return column(name, values, outcome.units[name], own);
  });
}

function aggregateColumns({ groups, measures, rows, units, row_units: rowUnits }) {
  const keys = groups.map((name) => column(name, rows.map((row) => (groups.length === 1 ? row.key : row.key[name]))));
  const numbers = measures.map((name) => {
    const values = rows.map((row) => (measures.length === 1 ? row.value : row.value[name]));
    const own = rowUnits.length ? rowUnits.map((one) => one[name]) : null;
    return column(name, values, units[name], own);
  });
  return [...keys, ...numbers];
}

function column(name, values, unit, ownUnits = null) {
  const instants = values.filter(isInstant);
  const days = instants.length > 0 && instants.every((one) => !/[1-9]/.test(one.slice(11)));
  const texts = values.map((value, row) => cell(value, { name, unit: ownUnits?.[row] ?? unit, days }));
  const isNumber = values.every((value) => value === null || value === undefined || typeof value === "number");
  return { name, unit, values, texts, isNumber };
}
