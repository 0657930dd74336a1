import dayjs from "dayjs";
import advancedFormat from "dayjs/plugin/advancedFormat.js";
import isoWeek from "dayjs/plugin/isoWeek.js";
import quarterOfYear from "dayjs/plugin/quarterOfYear.js";
import utc from "dayjs/plugin/utc.js";
import weekOfYear from "dayjs/plugin/weekOfYear.js";
import weekYear from "dayjs/plugin/weekYear.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatDate, parseDatePattern } from "../../lib/variables/date-patterns.ts";
import { moveDate } from "../../lib/variables/dates.ts";

for (const plugin of [utc, isoWeek, weekOfYear, weekYear, quarterOfYear, advancedFormat]) {
  dayjs.extend(plugin);
}

const LETTERS =
  "YYYY YY M MM MMM MMMM D DD Do d dd ddd dddd H HH h hh k kk m mm s ss SSS Z ZZ A a Q w ww wo gggg W WW GGGG T".split(
    " ",
  );
const TEXTS = [
  "-",
  "/",
  " ",
  ":",
  ".",
  "[at]",
  "[YYYY]",
  "[]",
  "[ [x]",
  "'",
  "年",
  "%",
  "\\ ",
  "1",
];

/** Letters of which none lengthens the one before it. */
function patterns(...letters: readonly string[]): fc.Arbitrary<string> {
  const part = fc.oneof(fc.constantFrom(...letters), fc.constantFrom(...TEXTS));
  return fc
    .array(part, { minLength: 1, maxLength: 7 })
    .map((parts) =>
      parts.filter((one, at) => at === 0 || parts[at - 1]?.at(-1) !== one[0]).join(""),
    )
    .filter((pattern) => typeof parseDatePattern(pattern) !== "string");
}

/** Day.js writes the years of weeks before 1000 with three digits. */
const dates = fc.date({
  min: new Date("1001-01-01T00:00:00Z"),
  max: new Date("9990-01-01T00:00:00Z"),
  noInvalidDate: true,
});

function write(date: Date, pattern: string, isUtc: boolean): string {
  const parsed = parseDatePattern(pattern);
  return typeof parsed === "string" ? parsed : formatDate(date, parsed, isUtc);
}

test("random patterns are as Day.js has them", () => {
  fc.assert(
    fc.property(patterns(...LETTERS, "x", "X"), dates, (pattern, date) => {
      expect(write(date, pattern, true)).toBe(dayjs.utc(date).format(pattern));
    }),
    { numRuns: 300 },
  );
});

test("random patterns in other time zones", () => {
  const zones = fc.constantFrom(60, 330, 765, -210, -420, -660);
  // Day.js adds the offset to `x` and `X`, which count from 1970 in UTC.
  fc.assert(
    fc.property(patterns(...LETTERS), dates, zones, (pattern, date, zone) => {
      const local = Object.assign(new Date(date), { getTimezoneOffset: () => -zone });
      const theirs = dayjs.utc(date).utcOffset(zone).format(pattern);
      expect(write(local, pattern, false)).toBe(theirs);
    }),
    { numRuns: 300 },
  );
});

test("random offsets", () => {
  const units = fc.constantFrom("y", "Q", "M", "w", "d", "h", "m", "s", "ms");
  fc.assert(
    fc.property(dates, fc.integer({ min: -900, max: 900 }), units, (date, amount, unit) => {
      const theirs = dayjs.utc(date).add(amount, unit as dayjs.ManipulateType);
      fc.pre(theirs.year() > 1000);
      const moved = moveDate(`${amount} ${unit}`, date);
      expect(new Date(moved).toISOString()).toBe(theirs.toISOString());
    }),
    { numRuns: 300 },
  );
});

/** What Day.js writes without a word: parts of a longer run, and letters that have no meaning. */
test.each([
  ["YYYYY", "2018Y"],
  ["MMMMM", "January1"],
  ["ssss", "0909"],
  ["DDDo", "2424th"],
  ["SSSS", "073S"],
  ["DD.MM. um HH", "24.01. u5 13"],
])("different: %s is a fault, and not %s", (pattern, theirs) => {
  expect(dayjs.utc("2018-01-24T13:05:09.073Z").format(pattern)).toBe(theirs);
  expect(parseDatePattern(pattern)).toContain("has no meaning in a pattern of Day.js");
});
