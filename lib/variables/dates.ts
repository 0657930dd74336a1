/** The arguments of `{{$datetime format offset unit}}`. */
interface DateRequest {
  /** `iso8601`, `rfc1123`, or a pattern. */
  readonly format: string;
  /** Whether the format is a quoted pattern. */
  readonly isPattern: boolean;
  readonly date: Date;
}

/** Moves a date by an amount of a unit. */
type Move = (date: Date, amount: number) => void;

const MOVES: Readonly<Record<string, Move>> = {
  y: (date, amount) => moveMonths(date, amount * 12),
  Q: (date, amount) => moveMonths(date, amount * 3),
  M: moveMonths,
  w: (date, amount) => date.setUTCDate(date.getUTCDate() + amount * 7),
  d: (date, amount) => date.setUTCDate(date.getUTCDate() + amount),
  h: (date, amount) => date.setTime(date.getTime() + amount * 3_600_000),
  m: (date, amount) => date.setTime(date.getTime() + amount * 60_000),
  s: (date, amount) => date.setTime(date.getTime() + amount * 1000),
  ms: (date, amount) => date.setTime(date.getTime() + amount),
};

/** A day that the month does not have becomes its last day. */
function moveMonths(date: Date, amount: number): void {
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + amount);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
}

const OFFSET = /^([+-]?\d+)\s+(\S+)$/;
const DATE_ARGUMENT = /^(?:(iso8601|rfc1123)|"([^"]*)"|'([^']*)')?(?:\s+|$)(.*)$/s;

/**
 * Moves a date by the argument of `$timestamp`, for example `-3 h`.
 *
 * @returns The date, or what is wrong with the argument.
 */
export function moveDate(argument: string, now: Date): Date | string {
  if (argument === "") return now;
  const [, amount = "", unit = ""] = OFFSET.exec(argument) ?? [];
  const move = Object.hasOwn(MOVES, unit) ? MOVES[unit] : undefined;
  if (move === undefined) {
    return `"${argument}" is not an offset: write a number and one of ${Object.keys(MOVES).join(", ")}, for example -3 h`;
  }
  const date = new Date(now);
  move(date, Number(amount));
  if (Number.isNaN(date.getTime())) return `"${argument}" is out of the range of dates`;
  return date;
}

/**
 * Reads the argument of `$datetime`, for example `"DD-MM-YYYY" 1 y`.
 *
 * @returns The format and the date, or what is wrong with the argument.
 */
export function readDateRequest(argument: string, now: Date): DateRequest | string {
  const offset = OFFSET.test(argument);
  const [, named, double, single, rest = ""] =
    (offset ? undefined : DATE_ARGUMENT.exec(argument)) ?? [];
  const format = named ?? double ?? single;
  if (format === undefined && argument !== "" && !offset) {
    return `"${argument}" is not a format: write iso8601, rfc1123 or a quoted pattern such as "DD-MM-YYYY"`;
  }
  const date = moveDate(offset ? argument : rest.trim(), now);
  if (typeof date === "string") return date;
  return {
    format: format ?? "iso8601",
    isPattern: named === undefined && format !== undefined,
    date,
  };
}

/** Writes a date in UTC. */
export function formatUtc({ format, isPattern, date }: DateRequest): string {
  if (isPattern) return formatDate(date, format, true);
  return format === "rfc1123" ? date.toUTCString() : date.toISOString();
}

/** Writes a date in the time zone of the machine. */
export function formatLocal({ format, isPattern, date }: DateRequest): string {
  if (isPattern) return formatDate(date, format, false);
  const pattern = format === "rfc1123" ? "ddd, DD MMM YYYY HH:mm:ss ZZ" : "YYYY-MM-DDTHH:mm:ssZ";
  return formatDate(date, pattern, false);
}

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** The tokens of Day.js, whose patterns the other clients use, and text in brackets. */
const TOKENS =
  /\[([^\]]*)\]|YYYY|YY|M{1,4}|D{1,2}|d{1,4}|H{1,2}|h{1,2}|m{1,2}|s{1,2}|SSS|ZZ|Z|A|a/g;

function formatDate(date: Date, pattern: string, isUtc: boolean): string {
  const zone = isUtc ? 0 : -date.getTimezoneOffset();
  const shifted = new Date(date.getTime() + zone * 60_000);
  const year = String(shifted.getUTCFullYear()).padStart(4, "0");
  const month = shifted.getUTCMonth();
  const day = shifted.getUTCDay();
  const hours = shifted.getUTCHours();
  const two = (number: number): string => String(number).padStart(2, "0");
  const sign = zone < 0 ? "-" : "+";
  const offset = `${sign}${two(Math.floor(Math.abs(zone) / 60))}:${two(Math.abs(zone) % 60)}`;
  const parts: Readonly<Record<string, string>> = {
    YYYY: year,
    YY: year.slice(-2),
    M: String(month + 1),
    MM: two(month + 1),
    MMM: MONTHS[month]?.slice(0, 3) ?? "",
    MMMM: MONTHS[month] ?? "",
    D: String(shifted.getUTCDate()),
    DD: two(shifted.getUTCDate()),
    d: String(day),
    dd: DAYS[day]?.slice(0, 2) ?? "",
    ddd: DAYS[day]?.slice(0, 3) ?? "",
    dddd: DAYS[day] ?? "",
    H: String(hours),
    HH: two(hours),
    h: String(hours % 12 || 12),
    hh: two(hours % 12 || 12),
    m: String(shifted.getUTCMinutes()),
    mm: two(shifted.getUTCMinutes()),
    s: String(shifted.getUTCSeconds()),
    ss: two(shifted.getUTCSeconds()),
    SSS: String(shifted.getUTCMilliseconds()).padStart(3, "0"),
    Z: offset,
    ZZ: offset.replace(":", ""),
    A: hours < 12 ? "AM" : "PM",
    a: hours < 12 ? "am" : "pm",
  };
  return toDayJsPattern(pattern).replace(
    TOKENS,
    (token, text?: string) => text ?? parts[token] ?? token,
  );
}

/** The tokens of .NET's patterns, which Visual Studio uses, that Day.js spells differently. */
const DOTNET: Readonly<Record<string, string>> = {
  yyyy: "YYYY",
  yy: "YY",
  dd: "DD",
  d: "D",
  fff: "SSS",
  tt: "A",
  zzz: "Z",
};

/** Converts a pattern of .NET, which `yyyy` distinguishes: Day.js does not know it. */
function toDayJsPattern(pattern: string): string {
  if (!/yyyy/.test(pattern)) return pattern;
  const tokens = /\[[^\]]*\]|'([^']*)'|y+|d+|f+|t+|z+/g;
  return pattern.replace(tokens, (token, text?: string) =>
    text === undefined ? (DOTNET[token] ?? token) : `[${text}]`,
  );
}
