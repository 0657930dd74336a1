import { expect, test } from "vitest";
import { type Client, createClient } from "../../lib/mod.ts";

/** Variables of which each is made of the next one; the last one is made of `end`. */
const chain = (length: number, end: string): readonly (readonly [name: string, value: string])[] =>
  Array.from({ length }, (_, at) => [`a${at}`, at === length - 1 ? end : `{{a${at + 1}}}x`]);

/** Ways to set the variables of a chain, the first one before those that it is made of, and to use the first one. */
const WAYS: Readonly<Record<string, (length: number, end: string) => Promise<() => string>>> = {
  "lines of the text": async (length, end) => {
    const lines = chain(length, end).map(([name, value]) => `@${name} = ${value}`);
    const lab = createClient();
    return () => urlOf(lab, [...lines, "GET http://lab/{{a0}}"].join("\n"));
  },
  "lines that were sent before": async (length, end) => {
    const lab = createClient();
    for (const [name, value] of chain(length, end)) await lab.sendAll(`@${name} = ${value}`);
    return () => urlOf(lab, "GET http://lab/{{a0}}");
  },
  "an environment": async (length, end) => {
    const dev = Object.fromEntries(chain(length, end));
    const lab = createClient({
      readFile: async (path) => {
        if (path === "http-client.env.json")
          return new TextEncoder().encode(JSON.stringify({ dev }));
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      },
    });
    await lab.useEnv("dev");
    return () => urlOf(lab, "GET http://lab/{{a0}}");
  },
};

function urlOf(lab: Client, text: string): string {
  const [fault] = lab.check(text).slice(-1);
  if (fault !== undefined) throw new Error(fault.message);
  return lab.render(text).url;
}

const CASES = Object.keys(WAYS).flatMap((way) =>
  [40, 60, 200, 998].map((length) => ({ way, length })),
);

test.each(CASES)("a chain of $length in $way has its value", async ({ way, length }) => {
  const use = await WAYS[way]?.(length, "end");
  expect(use?.()).toBe(`http://lab/end${"x".repeat(length - 1)}`);
});

test.each(Object.keys(WAYS))("a cycle of 200 in %s is named", async (way) => {
  const use = await WAYS[way]?.(200, "{{a3}}");
  expect(use).toThrow(/in terms of itself: a\d+ → a\d+ → .*…$/);
});

test.each(Object.keys(WAYS))("more than 1,000 in %s are refused", async (way) => {
  const use = await WAYS[way]?.(1_100, "end");
  expect(use).toThrow("its value takes too many other variables");
});
