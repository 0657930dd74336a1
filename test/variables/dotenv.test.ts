import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readDotenv } from "../../lib/variables/dotenv.ts";
import { clientIn } from "../support/environment-files.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

const PROCESS = { HOST: "process", EMPTY: "", BRACES: "{{v}}", CI_TOKEN: "token-of-the-process" };

/** Lines of `.env`, and the value of `v`, as dotenv-expand has them unless a comment says otherwise. */
const EXPANDED: readonly (readonly [text: string, value: string])[] = [
  ["v=a b", "a b"],
  ["w=1\nv=$w", "1"],
  ["w=1\nv=${w}", "1"],
  ["w=1\nv=a${w}b$w.c", "a1b1.c"],
  ['w=1\nv="$w ${w}"', "1 1"],
  ["w=1\nv='$w'", "1"],
  ["w=1\nv=`${w}`", "1"],
  ["v=\\$w", "$w"],
  ["v='\\${w}'", "${w}"],
  ["w=1\nv=\\$w$w", "$w1"],
  ["v=${w:-d}", "d"],
  ["v=${w-d}", "d"],
  ["w=\nv=${w:-d}", "d"],
  ["w=\nv=${w-d}", "d"],
  ["w=1\nv=${w:-d}", "1"],
  ["w=1\nv=${w-d}", "1"],
  ["w=1\nv=${w:+d}${w+e}", "de"],
  ["v=a${w:+d}${w+e}", "a"],
  ["v=${w:-a:-b}", "a:-b"],
  ["v=${w:-http://h:80/a-b}", "http://h:80/a-b"],
  ["v=${w:-}x", "x"],
  ["u=1\nv=${w:-${u}}", "1"],
  ["v=${w:-${u:-${t:-deep}}}!", "deep!"],
  ["u=1\nv=${w:-a${u}b$u}c", "a1bc1c".replace("bc1c", "b1c")],
  // A later line counts, too: dotenv has put it into the environment of the process.
  ["v=${w}/x\nw=$u\nu=1", "1/x"],
  ["HOST=file\nv=$HOST", "process"],
  ["v=$HOST", "process"],
  ["v=${EMPTY:-d}", "d"],
  ["HOST=$HOST/file\nv=x", "x"],
  ["v=$v", ""],
  ["v=a${v}b", "ab"],
  ["v=$w\nw=$v", ""],
  ["v=${v:-d}", "d"],
  ["w=1\nw=2\nv=$w", "2"],
  ["v=$", "$"],
  ["v=a$", "a$"],
  ["v=$5 $$ $-", "$5 $$ $-"],
  ["v=$2b$10$", "$2b$10$"],
  ["v=${}", "${}"],
  ["v=${w", "${w"],
  ["v=${w:-a", "${w:-a"],
  ["v=a}b", "a}b"],
  ["w=$u\nu=1\nv=$w}", "1}"],
  // A placeholder is none of the shell, and is filled afterwards.
  ["v={{$dotenv w}}/$w\nw=1", "1/1"],
  ["v=${u:-{{w}}}\nw=1", "1"],
  ["w={{x}}\nx=1\nv=$w", "1"],
  ["v=$BRACES", "{{v}}"],
  ["w=1\nv=$BRACES{{w}}", "{{v}}1"],
  ['v="a\r\nb"', "a\nb"],
  ["v='a\r\nb\r\n'\r\nw=1\r\n", "a\nb\n"],
  ['w="x\r\ny"\r\nv=$w', "x\ny"],
  ['v="a\\nb\\r"', "a\nb\r"],
  ["v=a\rw=1", "a"],
];

test.each(EXPANDED)("%j", async (text, value) => {
  const lab = clientIn({ "/repo/.env": text }, recorder.base, { processEnv: PROCESS });
  await lab.useEnv();
  expect(lab.getVar("v")).toBe(value);
  expect(lab.check("POST {{base}}/\nContent-Type: text/plain\n\n{{v}}{{$dotenv v}}")).toEqual([]);
  await lab.send("POST {{base}}/\nContent-Type: text/plain\n\n{{v}}|{{$dotenv v}}");
  expect(recorder.take()[0]?.body).toBe(`${value}|${value}`);
});

test("a file refers to those that are read before it", async () => {
  const files = {
    "/repo/.env": "a=1\nb=$a",
    "/repo/.env.dev": "b=$b$a\nv=$b",
    "/repo/api/.env": "a=2\nc=$v$a",
  };
  const lab = clientIn(files, recorder.base);
  await lab.useEnv("dev");
  expect(["b", "v", "c"].map((name) => lab.getVar(name))).toEqual(["11", "11", "112"]);
});

/** Lines of `.env`, and what is said about them. */
const WARNED: readonly (readonly [text: string, ...said: string[]])[] = [
  ["a=1\nPASSWORD=half#other", '.env:2: The value of PASSWORD ends before "#"'],
  ["PASSWORD=#all", '.env:1: The value of PASSWORD ends before "#"'],
  ["PASSWORD='half#other", '.env:1: The value of PASSWORD ends before "#"'],
  ["PASSWORD='half#other' # a comment"],
  ["a=1 # a comment\nb= # one\nc=\"x\"# one\n#d=1#2\nURL='http://h/#x'"],
  ["a=1\r\n\r\nb=x#y\r\n", ".env:3: The value of b"],
  ["a='1\n2'\nb=x#y", ".env:3: The value of b"],
  [
    "PASSWORD=ab$ecret",
    '.env:1: The value of PASSWORD refers with "$" to a variable that does not exist',
  ],
  ["a=${b:-$c}", ".env:1: The value of a refers"],
  ["b=1\na=${b:-$c}${d:-x}${e:+$f}$b"],
  ["a=b\\$ecret$5"],
];

test.each(WARNED)("%j is remarked upon", async (text, ...said) => {
  const lab = clientIn({ "/repo/api/.env": text }, recorder.base);
  const { warnings } = await lab.useEnv();
  expect(warnings).toEqual(said.map((one) => expect.stringContaining(one)));
  expect(warnings.join()).not.toMatch(/half|other|all|ecret/);
});

test("an inserted secret stays hidden", async () => {
  const text =
    "API_PASSWORD=hidden-pass-phrase\nurl=http://a:$API_PASSWORD@h/\nline=Bearer $CI_TOKEN";
  const lab = clientIn({ "/repo/.env": text }, recorder.base, { processEnv: PROCESS });
  await lab.useEnv();
  expect(lab.getVar("line")).toBe("Bearer token-of-the-process");
  expect(lab.secrets.mask(`${lab.getVar("url")} ${lab.getVar("line")}`)).not.toMatch(
    /hidden-pass|token-of/,
  );
});

describe("values that repeat each other", () => {
  const lines = (count: number, value: (before: string) => string): string =>
    Array.from(
      { length: count },
      (_, at) => `v${at}=${at === 0 ? "lol" : value(`v${at - 1}`)}`,
    ).join("\n");

  test.each([
    [lines(64, (before) => `$${before}$${before}`), "longer than 16777216 characters"],
    [lines(64, (before) => `\${x:-$${before}$${before}}`), "longer than 16777216 characters"],
    [
      lines(2000, (before) => `$${before}`)
        .split("\n")
        .reverse()
        .join("\n"),
      "too deeply",
    ],
  ])("are refused", async (text, said) => {
    const use = clientIn({ "/repo/.env": text }, recorder.base).useEnv();
    await expect(use).rejects.toThrow(`Cannot use "/repo/.env": its values`);
    await expect(use).rejects.toThrow(said);
  });

  test("come to an end", () => {
    expect(
      readDotenv(
        lines(2000, (before) => `$${before}`),
        {},
        {},
      ).variables.at(-1)?.value,
    ).toBe("lol");
    const nested = "${a:-".repeat(50_000);
    expect(readDotenv(`v=${nested}`, {}, {}).variables[0]?.value).toBe(nested);
    expect(readDotenv(`v=${nested}x${"}".repeat(50_000)}`, {}, {}).variables[0]?.value).toBe("x");
  });
});
