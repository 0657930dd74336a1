import { describe, expect, test } from "vitest";
import { interpolate } from "../../lib/interpolation/mod.ts";
import { createClient, parseRequests } from "../../lib/mod.ts";

/**
 * Texts so long that work which grows with the square of their length would take hours: they come to an
 * end within the time of a test, whatever the machine.
 */
const LENGTH = 2_000_000;
const fill = (unit: string): string => unit.repeat(LENGTH / unit.length);

const TEXTS = { "{": fill("{"), "\\{{": fill("\\{{"), "{{ and blanks": `{{${fill(" ")}` };
const BROKEN = { "{{": `${fill("{{")}a`, "{{a": fill("{{a"), "a deep path": `{{a${fill(".a")}` };

/** Whether a text is rendered or refused by an error with a name, it comes to an end. */
function ends(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
    expect((error as Error).name).toMatch(
      /^(TemplateSyntax|UnresolvedPlaceholder|RequestSyntax)Error$/,
    );
  }
}

describe("a hostile text of 2 MB", () => {
  const client = createClient();
  test.each(Object.entries({ ...TEXTS, ...BROKEN }))("%s comes to an end everywhere", (_, text) => {
    const request = `POST http://h.test/\nContent-Type: text/plain\n\n${text}`;
    ends(() => interpolate(text, {}));
    ends(() => client.render(request));
    ends(() => parseRequests(request));
    ends(() => parseRequests(text));
  });

  test.each(Object.entries(TEXTS))("%s stays what it is", (_, text) => {
    expect(interpolate(text, {})).toBe(text.replaceAll("\\{{", "{{"));
  });
});

test("a path of depth 1,000 is followed, in a text and in a request", () => {
  let value: unknown = "here";
  for (let depth = 0; depth < 1000; depth++) value = { a: value };
  const template = `{{root${".a".repeat(1000)}}}`;
  expect(interpolate(template, { root: value })).toBe("here");
});

test("100,000 placeholders are rendered in a request", () => {
  const client = createClient();
  client.setVar("a", "x");
  const text = `POST http://h.test/\nContent-Type: text/plain\n\n${"{{a}},".repeat(100_000)}`;
  expect(client.render(text).body).toBe("x,".repeat(100_000));
  expect(parseRequests(text)).toHaveLength(1);
});
