import { describe, expect, test } from "vitest";
import { formatDate, parseDatePattern } from "../../lib/variables/date-patterns.ts";

function write(pattern: string, date: string): string {
  const parsed = parseDatePattern(pattern);
  return typeof parsed === "string" ? parsed : formatDate(new Date(date), parsed, true);
}

/** The lists of formats of Day.js and its plugin AdvancedFormat, whose example is 2018-01-24T13:05:09.073. */
describe("patterns of Day.js", () => {
  test.each([
    ["YY", "18"],
    ["YYYY", "2018"],
    ["M", "1"],
    ["MM", "01"],
    ["MMM", "Jan"],
    ["MMMM", "January"],
    ["D", "24"],
    ["DD", "24"],
    ["d", "3"],
    ["dd", "We"],
    ["ddd", "Wed"],
    ["dddd", "Wednesday"],
    ["H", "13"],
    ["HH", "13"],
    ["h", "1"],
    ["hh", "01"],
    ["m", "5"],
    ["mm", "05"],
    ["s", "9"],
    ["ss", "09"],
    ["SSS", "073"],
    ["Z", "+00:00"],
    ["ZZ", "+0000"],
    ["A", "PM"],
    ["a", "pm"],
    ["Q", "1"],
    ["Do", "24th"],
    ["k", "13"],
    ["kk", "13"],
    ["X", "1516799109"],
    ["x", "1516799109073"],
    ["w", "4"],
    ["ww", "04"],
    ["wo", "4th"],
    ["W", "4"],
    ["WW", "04"],
    ["gggg", "2018"],
    ["GGGG", "2018"],
    ["YYYYMMDDHHmmss", "20180124130509"],
    ["YYYY-MM-DDTHH:mm:ssZ", "2018-01-24T13:05:09+00:00"],
    ["DD/MM/YYYY", "24/01/2018"],
    ["[YYYYescape] YYYY-MM-DDTHH:mm:ssZ[Z]", "YYYYescape 2018-01-24T13:05:09+00:00Z"],
    ["YYYY-[Q]Q", "2018-Q1"],
    ["YYYY年M月D日", "2018年1月24日"],
    ["D. MMMM 'YY, H.mm", "24. January '18, 13.05"],
    ["[", "["],
    ["[]-YYYY[]", "[]-2018[]"],
  ])("%s: %s", (pattern, text) => {
    expect(write(pattern, "2018-01-24T13:05:09.073Z")).toBe(text);
  });

  test.each([
    ["2021-01-03", "2 2021 53 2020 3rd"],
    ["2021-01-02", "1 2021 53 2020 2nd"],
    ["2022-12-31", "53 2022 52 2022 31st"],
    ["2023-01-01", "1 2023 52 2022 1st"],
    ["2024-12-30", "1 2025 1 2025 30th"],
    ["2015-12-27", "1 2016 52 2015 27th"],
    ["2016-02-29", "10 2016 9 2016 29th"],
    ["2024-11-11", "46 2024 46 2024 11th"],
    ["2024-11-22", "47 2024 47 2024 22nd"],
  ])("the weeks and the day of %s: %s", (date, text) => {
    expect(write("w gggg W GGGG Do", `${date}T00:00:00Z`)).toBe(text);
  });

  test("midnight is 24 of 24 hours, and 12 of 12", () => {
    expect(write("k kk h hh H A", "2018-01-24T00:05:09Z")).toBe("24 24 12 12 0 AM");
  });
});

/** Custom format specifiers as .NET documents them, with the invariant culture. */
describe("patterns of .NET", () => {
  test.each([
    ["d yy", "2009-06-01T13:45:30", "1 09"],
    ["dd yy", "2009-06-01T13:45:30", "01 09"],
    ["ddd yy", "2009-06-15T13:45:30", "Mon 09"],
    ["dddd yy", "2009-06-15T13:45:30", "Monday 09"],
    ["f", "2009-06-15T13:45:30.617", "6"],
    ["ff", "2009-06-15T13:45:30.617", "61"],
    ["fff", "2009-06-15T13:45:30.617", "617"],
    ["ffff", "2009-06-15T13:45:30.617", "6170"],
    ["fffff", "2009-06-15T13:45:30.617", "61700"],
    ["ffffff", "2009-06-15T13:45:30.617", "617000"],
    ["fffffff", "2009-06-15T13:45:30.617", "6170000"],
    ["F", "2009-06-15T13:45:30.617", "6"],
    ["F", "2009-06-15T13:45:30.050", ""],
    ["FF", "2009-06-15T13:45:30.050", "05"],
    ["FFF", "2009-06-15T13:45:30.617", "617"],
    ["FFFF", "2009-06-15T13:45:30.500", "5"],
    ["FFFFFFF", "2009-06-15T13:45:30.010", "01"],
    ["ss.FFF", "2009-06-15T13:45:30.000", "30"],
    ["ss.FFF", "2009-06-15T13:45:30.100", "30.1"],
    ["yyyy g", "2009-06-15T13:45:30", "2009 A.D."],
    ["h tt", "2009-06-15T13:45:30", "1 PM"],
    ["hh tt", "2009-06-15T01:45:30", "01 AM"],
    ["H yy", "2009-06-15T01:45:30", "1 09"],
    ["HH yy", "2009-06-15T01:45:30", "01 09"],
    ["K", "2009-06-15T13:45:30", "Z"],
    ["m t", "2009-06-15T01:09:30", "9 A"],
    ["mm t", "2009-06-15T13:09:30", "09 P"],
    ["M yy", "2009-06-15T13:45:30", "6 09"],
    ["MM yy", "2009-06-15T13:45:30", "06 09"],
    ["MMM yy", "2009-06-15T13:45:30", "Jun 09"],
    ["MMMM yy", "2009-06-15T13:45:30", "June 09"],
    ["s t", "2009-06-15T13:45:09", "9 P"],
    ["ss t", "2009-06-15T13:45:09", "09 P"],
    ["y", "2009-06-15T13:45:30", "9"],
    ["y", "1900-06-15T13:45:30", "0"],
    ["yy", "1900-06-15T13:45:30", "00"],
    ["yy", "2019-06-15T13:45:30", "19"],
    ["yyy", "2009-06-15T13:45:30", "2009"],
    ["yyyy", "2009-06-15T13:45:30", "2009"],
    ["yyyyy", "2009-06-15T13:45:30", "02009"],
    ["z", "2009-06-15T13:45:30", "+0"],
    ["zz", "2009-06-15T13:45:30", "+00"],
    ["zzz", "2009-06-15T13:45:30", "+00:00"],
    ["yyyy-MM-ddTHH:mm:ssZ", "2009-06-15T13:45:30", "2009-06-15T13:45:30Z"],
    [
      "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
      "2009-06-15T13:45:30",
      "2009-06-15T13:45:30.0000000Z",
    ],
    ["ddd, dd MMM yyyy HH':'mm':'ss 'GMT'", "2009-06-15T20:45:30", "Mon, 15 Jun 2009 20:45:30 GMT"],
    ["dddd, dd MMMM yyyy", "2009-06-15T13:45:30", "Monday, 15 June 2009"],
    ["yyyyMMddHHmmssffff", "2009-06-15T13:45:30.617", "200906151345306170"],
    ["dd.MM.yy", "2009-06-15T13:45:30", "15.06.09"],
    ["MM/dd/yyyy h:mm", "2009-06-15T13:45:30", "06/15/2009 1:45"],
    [String.raw`h \h m \m yy`, "2009-06-15T13:45:30", "1 h 45 m 09"],
    ["%h t", "2009-06-15T13:45:30", "1 P"],
    [`"year: "yyyy`, "2009-06-15T13:45:30", "year: 2009"],
    ["hh:mm:ss.f", "2009-06-15T13:45:30.617", "01:45:30.6"],
  ])("%s of %s: %s", (pattern, date, text) => {
    expect(write(pattern, `${date}Z`)).toBe(text);
  });

  test.each([
    [120, "+2 +02 +02:00 +02:00"],
    [-420, "-7 -07 -07:00 -07:00"],
    [330, "+5 +05 +05:30 +05:30"],
    [-630, "-10 -10 -10:30 -10:30"],
  ])("a zone of %d minutes: %s", (zone, text) => {
    const pattern = parseDatePattern("z zz zzz K");
    const local = Object.assign(new Date(0), { getTimezoneOffset: () => -zone });
    expect(formatDate(local, pattern as Exclude<typeof pattern, string>, false)).toBe(text);
  });
});

test.each([
  ["DD.MM.YYYY um HH:mm", '"u" has no meaning in a pattern of Day.js: write [um] if it is text'],
  [
    "YYYY-MM-DD HH:mm:ss.fff",
    '"fff" has no meaning in a pattern of Day.js: write SSS, or [fff] if',
  ],
  ["YYYY z", '"z" has no meaning in a pattern of Day.js: write Z'],
  ["YYYY zzz", '"zzz" has no meaning'],
  ["YYYY K", '"K" has no meaning in a pattern of Day.js: write Z'],
  ["YYY", '"YYY" has no meaning in a pattern of Day.js: write YYYY'],
  ["HH:mm:ss.SSSS", '"SSSS" has no meaning in a pattern of Day.js: write SSS'],
  ["o", '"o" has no meaning'],
  ["MMMMM", '"MMMMM" has no meaning'],
  [
    "dddd, D MMM YYYY HH:mm:ss GMT",
    '"G" has no meaning in a pattern of Day.js: write [GMT] if it is text',
  ],
  ["yyyy-MM-DD", '"yyyy" has no meaning in a pattern of Day.js: write YYYY'],
  ["yyyy-MM-dd HH:mm:ss.SSS", '"SSS" has no meaning in a pattern of .NET: write fff'],
  ["yyyy-MM-dd hh:mm a", `"a" has no meaning in a pattern of .NET: write tt, or 'a' if it is text`],
  ["dd 'of' MMMM yyyy at HH", `"a" has no meaning in a pattern of .NET: write tt, or 'at'`],
  ["ffffffff", '"ffffffff" has no meaning in a pattern of .NET: write fffffff'],
  ["yyyy ee", `"ee" has no meaning in a pattern of .NET: write 'ee' if it is text`],
])("%s is a fault", (pattern, message) => {
  expect(parseDatePattern(pattern)).toContain(message);
});
