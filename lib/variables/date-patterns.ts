/** A date as its pattern writes it: with the clock of a time zone. */
interface Moment {
  /** Its UTC fields are those of the time zone. */
  readonly clock: Date;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The offset of the time zone from UTC in minutes. */
  readonly zone: number;
  readonly isUtc: boolean;
}

type Write = (moment: Moment) => string;

/** A pattern of a date, as texts and what is written for letters. */
export type DatePattern = readonly (string | Write)[];

/** A language of patterns. */
interface Dialect {
  readonly name: string;
  /** Text that is not read for letters, with a group for what is written. */
  readonly literal: RegExp;
  /** What is written for a run of one letter; `undefined` if it has no meaning. */
  readonly find: (run: string) => string | Write | undefined;
  /** What to write in place of letters that have no meaning. */
  readonly instead: Readonly<Record<string, string>>;
  readonly quote: (text: string) => string;
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const DAY = 86_400_000;

function pad(number: number, length = 2): string {
  return String(number).padStart(length, "0");
}

const monthName: Write = ({ clock }) => MONTHS[clock.getUTCMonth()] ?? "";
const dayName: Write = ({ clock }) => DAYS[clock.getUTCDay()] ?? "";
const yearOf: (moment: Moment) => number = ({ clock }) => clock.getUTCFullYear();
const hoursOf: (moment: Moment) => number = ({ clock }) => clock.getUTCHours();
const twelveOf: (moment: Moment) => number = (moment) => hoursOf(moment) % 12 || 12;

/** `+02:00`; the hours and minutes are joined by a separator. */
function offsetOf({ zone }: Moment, separator: string): string {
  const minutes = Math.abs(zone);
  return `${zone < 0 ? "-" : "+"}${pad(Math.floor(minutes / 60))}${separator}${pad(minutes % 60)}`;
}

/** `1st`, `2nd`, `11th`. */
function ordinal(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1;
  return `${number}${(isTeen ? undefined : ["th", "st", "nd", "rd"][number % 10]) ?? "th"}`;
}

/** The week of a year that begins with a day of the week and contains a day of January in its first week. */
function weekOf(
  { clock }: Moment,
  firstDay: number,
  january: number,
): [year: number, week: number] {
  const weekday = (clock.getUTCDay() - firstDay + 7) % 7;
  const day = Math.floor(clock.getTime() / DAY);
  // The first week of a year contains this day of it, so each week has that of one year or of none.
  const year = new Date((day - weekday + 7 - january) * DAY).getUTCFullYear();
  const start = Math.floor(Date.UTC(year, 0, january) / DAY);
  const first = new Date(start * DAY).getUTCDay();
  const week = Math.floor((day - start + ((first - firstDay + 7) % 7)) / 7) + 1;
  return [year, week];
}

const isoWeek = (moment: Moment): [year: number, week: number] => weekOf(moment, 1, 4);
const localWeek = (moment: Moment): [year: number, week: number] => weekOf(moment, 0, 1);

/** The formats of Day.js, with those of its plugin AdvancedFormat, in English. */
const DAYJS_RUNS: Readonly<Record<string, Write>> = {
  YYYY: (moment) => pad(yearOf(moment), 4),
  YY: (moment) => pad(yearOf(moment), 4).slice(-2),
  M: ({ clock }) => String(clock.getUTCMonth() + 1),
  MM: ({ clock }) => pad(clock.getUTCMonth() + 1),
  MMM: (moment) => monthName(moment).slice(0, 3),
  MMMM: monthName,
  D: ({ clock }) => String(clock.getUTCDate()),
  DD: ({ clock }) => pad(clock.getUTCDate()),
  Do: ({ clock }) => ordinal(clock.getUTCDate()),
  d: ({ clock }) => String(clock.getUTCDay()),
  dd: (moment) => dayName(moment).slice(0, 2),
  ddd: (moment) => dayName(moment).slice(0, 3),
  dddd: dayName,
  H: (moment) => String(hoursOf(moment)),
  HH: (moment) => pad(hoursOf(moment)),
  h: (moment) => String(twelveOf(moment)),
  hh: (moment) => pad(twelveOf(moment)),
  k: (moment) => String(hoursOf(moment) || 24),
  kk: (moment) => pad(hoursOf(moment) || 24),
  m: ({ clock }) => String(clock.getUTCMinutes()),
  mm: ({ clock }) => pad(clock.getUTCMinutes()),
  s: ({ clock }) => String(clock.getUTCSeconds()),
  ss: ({ clock }) => pad(clock.getUTCSeconds()),
  SSS: ({ clock }) => pad(clock.getUTCMilliseconds(), 3),
  Z: (moment) => offsetOf(moment, ":"),
  ZZ: (moment) => offsetOf(moment, ""),
  A: (moment) => (hoursOf(moment) < 12 ? "AM" : "PM"),
  a: (moment) => (hoursOf(moment) < 12 ? "am" : "pm"),
  Q: ({ clock }) => String(Math.floor(clock.getUTCMonth() / 3) + 1),
  X: ({ time }) => String(Math.floor(time / 1000)),
  x: ({ time }) => String(time),
  w: (moment) => String(localWeek(moment)[1]),
  ww: (moment) => pad(localWeek(moment)[1]),
  wo: (moment) => ordinal(localWeek(moment)[1]),
  gggg: (moment) => pad(localWeek(moment)[0], 4),
  W: (moment) => String(isoWeek(moment)[1]),
  WW: (moment) => pad(isoWeek(moment)[1]),
  GGGG: (moment) => pad(isoWeek(moment)[0], 4),
};

const DAYJS: Dialect = {
  name: "Day.js",
  literal: /\[([^\]]{1,200})\]/y,
  // The T of ISO 8601 is the only letter that patterns have as text without brackets.
  find: (run) => (run === "T" ? run : Object.hasOwn(DAYJS_RUNS, run) ? DAYJS_RUNS[run] : undefined),
  instead: { y: "YYYY", Y: "YYYY", f: "SSS", F: "SSS", S: "SSS", t: "A", K: "Z", z: "Z", E: "ddd" },
  quote: (text) => `[${text}]`,
};

const at = <T>(list: readonly T[], length: number): T =>
  list[Math.min(length, list.length) - 1] as T;

/** The seven digits of the fraction of a second. */
const fraction: Write = ({ clock }) => `${pad(clock.getUTCMilliseconds(), 3)}0000`;

/** The custom format specifiers of .NET with the invariant culture: what is written for a number of the letter. */
const DOTNET_LETTERS: Readonly<Record<string, (length: number) => string | Write | undefined>> = {
  d: (length) => at([DAYJS_RUNS["D"], DAYJS_RUNS["DD"], DAYJS_RUNS["ddd"], dayName], length),
  f: (length) => (length > 7 ? undefined : (moment) => fraction(moment).slice(0, length)),
  F: (length) =>
    length > 7 ? undefined : (moment) => fraction(moment).slice(0, length).replace(/0+$/, ""),
  g: () => "A.D.",
  h: (length) => at([DAYJS_RUNS["h"], DAYJS_RUNS["hh"]], length),
  H: (length) => at([DAYJS_RUNS["H"], DAYJS_RUNS["HH"]], length),
  K: () => (moment) => (moment.isUtc ? "Z" : offsetOf(moment, ":")),
  m: (length) => at([DAYJS_RUNS["m"], DAYJS_RUNS["mm"]], length),
  M: (length) => at([DAYJS_RUNS["M"], DAYJS_RUNS["MM"], DAYJS_RUNS["MMM"], monthName], length),
  s: (length) => at([DAYJS_RUNS["s"], DAYJS_RUNS["ss"]], length),
  t: (length) => (moment) => (hoursOf(moment) < 12 ? "AM" : "PM").slice(0, length),
  T: (length) => "T".repeat(length),
  y: (length) => (moment) => pad(length < 3 ? yearOf(moment) % 100 : yearOf(moment), length),
  z: (length) => (moment) => {
    const offset = offsetOf(moment, ":");
    if (length > 2) return offset;
    return length === 2 ? offset.slice(0, 3) : offset.slice(0, 3).replace(/0(?=\d)/, "");
  },
  Z: (length) => "Z".repeat(length),
};

const DOTNET: Dialect = {
  name: ".NET",
  literal: /\[([^\]]{1,200})\]|'([^']*)'|"([^"]*)"|\\(.)|%(?=[A-Za-z])()/y,
  find: (run) => DOTNET_LETTERS[run.charAt(0)]?.(run.length),
  instead: { Y: "yyyy", D: "dd", S: "fff", f: "fffffff", F: "FFFFFFF", a: "tt", A: "tt" },
  quote: (text) => `'${text}'`,
};

/** Texts of both languages, which choose neither. */
const TEXTS = /\[[^\]]{1,200}\]|'[^']*'|"[^"]*"|\\./g;

/** Letters that only .NET knows choose it, unless the year or the day is one of Day.js. */
function dialectOf(pattern: string): Dialect {
  const letters = pattern.replace(TEXTS, "");
  return /[yfFtKz]/.test(letters) && !/[YD]/.test(letters) ? DOTNET : DAYJS;
}

/**
 * Parses a pattern of Day.js, or of .NET, which Visual Studio uses.
 *
 * @returns The pattern, or what is wrong with it: a letter that has no meaning there.
 */
export function parseDatePattern(pattern: string): DatePattern | string {
  const dialect = dialectOf(pattern);
  const parts: (string | Write)[] = [];
  for (let index = 0; index < pattern.length; ) {
    dialect.literal.lastIndex = index;
    const literal = dialect.literal.exec(pattern);
    if (literal !== null) {
      parts.push(literal.slice(1).find((group) => group !== undefined) ?? "");
      index = dialect.literal.lastIndex;
      continue;
    }
    const run = runAt(pattern, index);
    const found = /^[A-Za-z]/.test(run) ? dialect.find(run) : run;
    if (found === undefined) return explainRun(run, pattern.slice(index), dialect);
    parts.push(found);
    index += run.length;
  }
  return parts;
}

/** A character as often as it is repeated; `Do` and `wo` are two letters. */
function runAt(pattern: string, start: number): string {
  let end = start + 1;
  while (pattern[end] === pattern[start]) end += 1;
  const run = pattern.slice(start, end);
  return /^[Dw]$/.test(run) && pattern[end] === "o" ? `${run}o` : run;
}

function explainRun(run: string, rest: string, { name, instead, quote }: Dialect): string {
  const other = Object.hasOwn(instead, run.charAt(0)) ? instead[run.charAt(0)] : undefined;
  const [word = run] = /^[A-Za-z]+/.exec(rest) ?? [];
  const text = `${quote(word)} if it is text`;
  const what = other === undefined || other === run ? text : `${other}, or ${text}`;
  return `"${run}" has no meaning in a pattern of ${name}: write ${what}`;
}

/**
 * Writes a date.
 *
 * @param isUtc Whether in UTC, and not in the time zone of the machine.
 */
export function formatDate(date: Date, pattern: DatePattern, isUtc: boolean): string {
  const zone = isUtc ? 0 : -date.getTimezoneOffset();
  const time = date.getTime();
  const moment: Moment = { clock: new Date(time + zone * 60_000), time, zone, isUtc };
  let text = "";
  for (const part of pattern) {
    const written = typeof part === "string" ? part : part(moment);
    // Only `F` may write nothing: .NET leaves out the point before it as well.
    text = (typeof part !== "string" && written === "" ? text.replace(/\.$/, "") : text) + written;
  }
  return text;
}
