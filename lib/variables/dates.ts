import { type DatePattern, formatDate, parseDatePattern } from "./date-patterns.ts";

/** The arguments of `{{$datetime format offset unit}}`. */
interface DateRequest {
  readonly format: "iso8601" | "rfc1123" | DatePattern;
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
  if (format === "rfc1123" && named !== undefined) return { format, date };
  if (format === undefined || named !== undefined) return { format: "iso8601", date };
  const pattern = parseDatePattern(format);
  return typeof pattern === "string" ? pattern : { format: pattern, date };
}

/** Writes a date in UTC. */
export function formatUtc({ format, date }: DateRequest): string {
  if (typeof format !== "string") return formatDate(date, format, true);
  return format === "rfc1123" ? date.toUTCString() : date.toISOString();
}

/** The named formats with the time zone of the machine. */
const LOCAL = {
  rfc1123: "ddd, DD MMM YYYY HH:mm:ss ZZ",
  iso8601: "YYYY-MM-DDTHH:mm:ssZ",
};

/** Writes a date in the time zone of the machine. */
export function formatLocal({ format, date }: DateRequest): string {
  const pattern = typeof format === "string" ? parseDatePattern(LOCAL[format]) : format;
  return typeof pattern === "string" ? pattern : formatDate(date, pattern, false);
}
