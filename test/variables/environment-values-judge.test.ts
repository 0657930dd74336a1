import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientIn } from "../support/environment-files.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A placeholder of a variable before this one, and which members lead into its value. */
interface Reference {
  readonly variable: number;
  readonly steps: readonly number[];
}

const NAME = /^[A-Za-z_]\w*$/;
const KEYS = ["a", "b_1", "key", "a b", "", "1", '"', "é", "__proto__", "{{v0}}", "$x", "length"];
/** None of them joins a placeholder beside it. */
const TEXTS = [
  "",
  "a",
  '"',
  "'",
  "\n",
  "\r\n",
  "\t",
  "\\ ",
  "{ ",
  " }",
  "}}",
  "$v0",
  "${a}",
  "%7B",
  "é😀",
].concat([
  "\ud800 ",
  " \udc00",
  "\u2028",
  "\0",
  "{{1}}",
  "{{}}",
  "{{#if}}",
  "\\{{v0}}",
  "\\u0041",
  "<&>",
  "//",
  " # ",
]);

const reference = fc.record({
  variable: fc.nat(),
  steps: fc.array(fc.nat(), { maxLength: 3 }),
});
const text = fc.array(fc.oneof(fc.constantFrom(...TEXTS), fc.constantFrom(...TEXTS), reference), {
  maxLength: 4,
});
type Text = readonly (string | Reference)[];
type Draft = Text | { scalar: Json } | { list: Draft[] } | { object: [string, Draft][] };
const { draft } = fc.letrec<{ draft: Draft }>((tie) => ({
  draft: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    text,
    fc.record({ scalar: fc.constantFrom<Json>(0, -1, 1.5, 42, true, false, null) }),
    fc.record({ list: fc.array(tie("draft"), { maxLength: 3 }) }),
    fc.record({
      object: fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("draft")), { maxLength: 3 }),
    }),
  ),
}));

/** The path of a placeholder into a value that is known. */
function pathInto(name: string, value: Json, steps: readonly number[]): string {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return name;
  const keys = Object.keys(value).filter((key) => Array.isArray(value) || NAME.test(key));
  const key = keys[step % Math.max(keys.length, 1)];
  if (key === undefined) return name;
  const member = Array.isArray(value) && step % 2 === 0 ? `[${key}]` : `.${key}`;
  return pathInto(name + member, (value as Record<string, Json>)[key] as Json, rest);
}

/** A draft as it is written in a file. */
function write(one: Draft, before: readonly Json[]): Json {
  if (!Array.isArray(one)) {
    const part = one as Exclude<Draft, Text>;
    if ("scalar" in part) return part.scalar;
    if ("list" in part) return part.list.map((item) => write(item, before));
    return Object.fromEntries(part.object.map(([key, item]) => [key, write(item, before)]));
  }
  const parts = (one as Text).map((part) => {
    if (typeof part === "string") return part;
    if (before.length === 0) return "";
    const at = part.variable % before.length;
    return `{{${pathInto(`v${at}`, before[at] as Json, part.steps)}}}`;
  });
  return parts.join("");
}

/** What a value of the file means: nothing of it is our code. */
function resolve(value: Json, known: readonly Json[]): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, known));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, resolve(one, known)]),
    );
  }
  if (typeof value !== "string") return value;
  const find = (path: string): Json => {
    const [name = "", ...steps] = path.split(/[.[\]]+/).filter((step) => step !== "");
    const whole = known[Number(name.slice(1))] as Json;
    return steps.reduce((one, step) => (one as Record<string, Json>)[step] as Json, whole);
  };
  const whole = /^\{\{(v\d[^{}]*)\}\}$/.exec(value)?.[1];
  if (whole !== undefined) return find(whole);
  return value.replace(/\\\{\{|\{\{(v\d[^{}]*)\}\}/g, (_, path?: string) => {
    const one = path === undefined ? "{{" : find(path);
    return typeof one === "string" ? one : JSON.stringify(one);
  });
}

test("random values of environment files arrive", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(draft, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      async (drafts, order) => {
        const written: Json[] = [];
        const known: Json[] = [];
        for (const one of drafts) {
          written.push(write(one, known));
          known.push(resolve(written.at(-1) as Json, known));
        }
        const entries = written.map((value, at) => [`v${at}`, value] as const);
        const turned = [
          ...entries.slice(order % entries.length),
          ...entries.slice(0, order % entries.length),
        ];
        const files = {
          "/repo/http-client.env.json": JSON.stringify({
            $shared: Object.fromEntries(turned.filter((_, at) => at % 3 === 2)),
            dev: Object.fromEntries(turned.filter((_, at) => at % 3 !== 2)),
          }),
        };
        const lab = clientIn(files, recorder.base);
        await lab.useEnv("dev");
        const members = known.map((value, at) =>
          typeof value === "string" ? `"{{v${at}}}"` : `{{v${at}}}`,
        );
        const request = `POST {{base}}/\nContent-Type: application/json\n\n[${members.join(",\n  ")}]`;
        expect(lab.check(request)).toEqual([]);
        await lab.send(request);
        const body = Buffer.from(recorder.take()[0]?.body ?? "", "latin1").toString();
        expect(JSON.stringify(JSON.parse(body))).toBe(JSON.stringify(known));
      },
    ),
    { numRuns: 150 },
  );
});
