// Numbers, amounts and times as people read them. All times are UTC, as in the APIs.

const WHOLE = new Intl.NumberFormat("en");
const SHORT = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

export const number = (value) => WHOLE.format(value);
export const percent = (part, whole) => (whole > 0 ? `${Math.round((100 * part) / whole)} %` : "–");
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

/** An amount of a resource class, with its unit where the name of the class tells one. */
export function amount(resourceClass, value) {
  if (resourceClass === "MEMORY_MB") return binary(value, ["MiB", "GiB", "TiB", "PiB"]);
  if (resourceClass.endsWith("DISK_GB")) return binary(value, ["GiB", "TiB", "PiB"]);
  if (resourceClass.endsWith("KILOBIT_PER_SEC")) return decimal(value, ["kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"]);
  return number(value);
}

// By the class's name: what one of it is, what people say where it is asked for, and how many of the one are in the other.
const MEASURES = [
  [/^MEMORY_MB$/, "GiB", { mib: 1, gib: 1024, tib: 1024 ** 2 }],
  [/DISK_GB$/, "GiB", { gib: 1, tib: 1024 }],
  [/KILOBIT_PER_SEC$/, "Mbit/s", { "kbit/s": 1, "mbit/s": 1000, "gbit/s": 1000 ** 2 }],
];

/** The unit in which amounts of a resource class are asked for; empty where they are only counted. */
export const unitOf = (resourceClass) => MEASURES.find(([name]) => name.test(resourceClass))?.[1] ?? "";

/** An amount that somebody typed, "64 GiB", "1.5t" or "64", as Placement counts it; NaN if it is none. */
export function typedAmount(resourceClass, text) {
  const [, digits, typed] = text.trim().match(/^(\d[\d,]*(?:\.\d+)?|\.\d+)\s*([a-z/]*)$/i) ?? [];
  if (digits === undefined) return NaN;
  const [, unit, factors] = MEASURES.find(([name]) => name.test(resourceClass)) ?? [null, "", {}];
  const wanted = (typed || unit).toLowerCase();
  // A letter is enough, and nobody types the i.
  const found = Object.keys(factors).find((name) => name === wanted || name[0] === wanted || name.replace("i", "") === wanted);
  if (wanted && !found) return NaN;
  return Number(digits.replaceAll(",", "")) * (found ? factors[found] : 1);
}

function binary(value, units) {
  return scaled(value, units, 1024);
}

function decimal(value, units) {
  return scaled(value, units, 1000);
}

function scaled(value, units, step) {
  let place = 0;
  while (Math.abs(value) >= step && place < units.length - 1) {
    value /= step;
    place += 1;
  }
  return `${SHORT.format(value)} ${units[place]}`;
}

/** A time of an API ("2026-01-31T08:00:00.000000", in UTC) as a Date. */
export function parseTime(text) {
  const [date, time = "00:00"] = text.replace(" ", "T").split("T");
  const [hours, minutes] = time.split(":");
  return new Date(`${date}T${hours}:${minutes}:00Z`);
}

/** A Date as the APIs want it. */
export const apiTime = (date) => date.toISOString().slice(0, 16).replace("T", " ");
/** A Date as an <input type="datetime-local"> wants it. */
export const inputTime = (date) => date.toISOString().slice(0, 16);
/** What such an input holds, as a Date. */
export const fromInput = (text) => new Date(`${text}:00Z`);

const DAY = new Intl.DateTimeFormat("en", { timeZone: "UTC", day: "numeric", month: "short" });
const WEEKDAY = new Intl.DateTimeFormat("en", { timeZone: "UTC", weekday: "short", day: "numeric" });

export const day = (date) => DAY.format(date);
export const weekday = (date) => WEEKDAY.format(date);
export const clock = (date) => date.toISOString().slice(11, 16);
export const moment = (date) => `${day(date)} ${date.getUTCFullYear()}, ${clock(date)}`;
export const isoDay = (date) => date.toISOString().slice(0, 10);

const HOUR = 3_600_000;

/** How long something takes, in the words of the two largest units. */
export function duration(milliseconds) {
  const hours = Math.round(milliseconds / HOUR);
  const days = Math.floor(hours / 24);
  if (days === 0) return plural(hours, "hour");
  return hours % 24 ? `${plural(days, "day")}, ${plural(hours % 24, "hour")}` : plural(days, "day");
}

const AGES = [["day", 86_400], ["hour", 3_600], ["minute", 60]];

/** How old something is, in the largest unit of which there are two. */
export function age(seconds) {
  const [unit, size] = AGES.find(([, each]) => seconds >= 2 * each) ?? ["second", 1];
  return plural(Math.floor(seconds / size), unit);
}
