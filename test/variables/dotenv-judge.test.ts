import { parse } from "dotenv";
import { expand } from "dotenv-expand";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseDotenv, readDotenv } from "../../lib/variables/dotenv.ts";

const PROCESS = { P: "of the process", EMPTY: "" };

/** What a program has that calls dotenv and then dotenv-expand. */
function judge(text: string): Readonly<Record<string, string>> {
  const parsed = parse(text);
  expand({ parsed, processEnv: { ...parsed, ...PROCESS } });
  return parsed;
}

function ours(text: string): Readonly<Record<string, string>> {
  const { variables } = readDotenv(text, PROCESS, {});
  return Object.fromEntries(variables.map(({ name, value }) => [name, value]));
}

function join(...texts: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...texts).map((parts) => parts.join(""));
}

/** Texts of parts, joined. */
function many(maxLength: number, ...parts: readonly string[]): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...parts), { maxLength }).map((list) => list.join(""));
}

const breaks = fc.constantFrom("\n", "\n\n", "\r\n", "\r");

describe("lines as dotenv reads them", () => {
  const PARTS = [..."ab1=:#'\"`\\$ \t\n{}é-,", "\\n", "\\r", "\\t", "\u00a0", " # ", "\\'", '\\"'];
  const value = fc.oneof(
    many(8, ...PARTS),
    ...["'", '"', "`"].map((quote) => many(8, ...PARTS).map((text) => quote + text + quote)),
  );
  const line = join(
    fc.constantFrom("", "", "export ", " ", "\t", "export  ", "\u00a0", "exports ", "#", "="),
    fc.constantFrom("A", "B_1", "c", "d.e", "f-g", "2x", "A b", ""),
    fc.constantFrom("=", "=", " = ", "= ", "\t=", ":", ": ", " : ", ":\t", "", "=="),
    value,
    fc.constantFrom("", "", " ", "\t", " # c", "#c", " #"),
    breaks,
  );
  const files = fc.array(line, { maxLength: 4 }).map((lines) => lines.join(""));
  /** dotenv begins a value on the line below. */
  const isSpanning = (text: string): boolean =>
    /[\w.-](?:\s*\n\s*=|:[^\S\n]*\n|\s*=\s*\n\s*['"`])/.test(text.replace(/\r\n?/g, "\n"));

  test("random files", () => {
    fc.assert(
      fc.property(
        files.filter((text) => !isSpanning(text)),
        (text) => {
          const read = parseDotenv(text).map(({ name, value }) => [name, value]);
          expect(Object.fromEntries(read)).toEqual(parse(text));
        },
      ),
      { numRuns: 500 },
    );
  });
});

/** What we had otherwise once. */
test.each([
  String.raw`v="a\"b"`,
  String.raw`v="C:\temp\\x"`,
  String.raw`v='a\'b' # c`,
  'v="a\\nb',
  "v:x",
  "v : x",
  "v: x:y",
  "http://h/p",
  "\u00a0v=1",
  "export\nv=1",
])("%j as dotenv reads it", (text) => {
  expect(ours(text)).toEqual(judge(text));
});

describe("values as dotenv-expand expands them", () => {
  const PLAIN = ["a", "b c", "1", "/", ".", "é", ":", "=", "-", ",", "http://h:80/p", "$.", "$5 "];
  const words = many(3, ...PLAIN.filter((text) => !text.includes("$")));
  const simple = ["L1", "L2", "L3", "NO", "P", "EMPTY"];
  const braced = (name: string): string => `\${${name}}`;
  const defaults = fc.tuple(
    fc.constantFrom(...simple),
    fc.constantFrom(":-", "-", ":+", "+"),
    fc.oneof(words, fc.constantFrom(...simple).map(braced), join(words, fc.constant("${L1}"))),
  );
  /** Whatever follows a reference does not continue its name. */
  const piece = (names: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      many(2, ...PLAIN).map((text) => `/${text}/`),
      fc.constantFrom(...names.map((name) => `$${name}.`), ...names.map(braced)),
      defaults.map(([name, operator, text]) => `/\${${name}${operator}${text}}`),
      fc.constantFrom("\\$X ", "\\${X}", "\\$X\\$Y "),
    );
  const written = (names: readonly string[]): fc.Arbitrary<string> =>
    fc
      .tuple(fc.array(piece(names), { maxLength: 4 }), fc.constantFrom("", "'", '"', "`"))
      .map(([parts, quote]) => quote + parts.join("") + quote);
  /** Values of `R2` refer to `R1`, and so on, so that none refers to itself; the lines have any order. */
  const files = fc
    .tuple(
      words,
      words,
      words,
      ...[0, 1, 2].map((at) => written([...simple, ..."R1 R2".split(" ").slice(0, at)])),
    )
    .map(([a, b, c, ...rest]) => [
      ...[a, b, c].map((text, at) => `L${at + 1}="${text}"`),
      ...rest.map((text, at) => `R${at + 1}=${text}`),
    ])
    .chain((lines) => fc.shuffledSubarray(lines, { minLength: lines.length }))
    .map((lines) => lines.join("\n"));

  test("random files", () => {
    fc.assert(
      fc.property(files, (text) => {
        expect(ours(text)).toEqual(judge(text));
      }),
      { numRuns: 500 },
    );
  });
});

/** Files, and `v` as we have it and as the packages have it, which is not what the file says. */
const DIFFERENT: readonly (readonly [
  reason: string,
  text: string,
  ours: string | undefined,
  theirs: string | undefined,
])[] = [
  ["a value begins on the line of its name", "v=\n'x'", "", "x"],
  ["a value begins on the line of its name", "v:\nw=1", "", "w=1"],
  ["a value begins on the line of its name", "v\n=1", undefined, "1"],
  ["what is inserted is no reference", "v=$${NO:-u}\nu=1", "$u", "1"],
  ["what is inserted does not continue a name", "v=${NO:-$w}1\nw=x", "x1", ""],
  ["what is inserted ends no default", "w=a}b\nv=${NO:-$w}c", "a}bc", ""],
  ["what is inserted is text", "w=a$&b\nv=[$w]", "[a$&b]", "[a]"],
  ["what is escaped stays beside a reference", "w=1\nv=\\$w$w", "$w1", "\\11"],
  ["a default is for a value that is empty", "w=$NO\nv=${w:-d}", "d", ""],
  ["a placeholder is no reference", "v={{$dotenv w}}", "{{$dotenv w}}", "{{ w}}"],
];

test.each(DIFFERENT)("different: %s: %j", (_reason, text, mine, theirs) => {
  expect({ ours: ours(text)["v"], theirs: judge(text)["v"] }).toEqual({ ours: mine, theirs });
});

test("different: the process goes before a file only where a value refers to it", () => {
  expect([ours("P=f")["P"], judge("P=f")["P"]]).toEqual(["f", PROCESS.P]);
});
