// Values of outcomes as people read them: the same forms as the command line has.

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
const MONEY = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const SIZES = ["B", "kB", "MB", "GB", "TB", "PB"];
const SECONDS = { seconds: 1, minutes: 60, hours: 3600, milliseconds: 0.001, days: 86400 };

export function isInstant(value) {
  return typeof value === "string" && INSTANT.test(value);
}

export function amount(value, unit) {
  if (unit === "bytes") return size(value);
  if (unit in SECONDS) return duration(value * SECONDS[unit]);
  if (/^[A-Z]{3}$/.test(unit)) return `${unit} ${MONEY.format(value)}`;
  if (unit === "fraction") return `${NUMBER.format(value * 100)} %`;
  return unit ? `${NUMBER.format(value)} ${unit}` : NUMBER.format(value);
}

function size(bytes) {
  let power = 0;
  let shown = bytes;
  while (Math.abs(shown) >= 999.95 && power < SIZES.length - 1) {
    shown /= 1000;
    power += 1;
  }
  return `${power ? Math.round(shown * 10) / 10 : shown} ${SIZES[power]}`;
}

function duration(seconds) {
  if (Math.abs(seconds) < 60) return `${NUMBER.format(seconds)} s`;
  const parts = [["d", 86400], ["h", 3600], ["min", 60]];
  let left = Math.round(seconds / 60) * 60;
  const found = [];
  for (const [name, worth] of parts) {
    const count = Math.trunc(left / worth);
    if (count) found.push(`${count} ${name}`);
    left -= count * worth;
  }
  return found.slice(0, 2).join(" ");
}

/** A value of a cell. Years and the like, which are names and no amounts, are left as they are. */
export function cell(value, { name = "", unit, days = false } = {}) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (unit !== undefined) return amount(value, unit);
    return /year/.test(name) ? String(value) : NUMBER.format(value);
  }
  if (Array.isArray(value)) return value.map((one) => cell(one, { name, unit, days })).join(", ");
  if (typeof value === "object") return String(value.name ?? value.id ?? JSON.stringify(value));
  if (isInstant(value)) return days ? value.slice(0, 10) : value.slice(0, 16).replace("T", " ");
  return String(value);
}

/** The columns of an outcome with rows: `{name, unit, values, texts, isNumber}`, one value for each row. */
export function columns(outcome) {
  if (outcome.kind === "aggregate") return aggregateColumns(outcome);
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
