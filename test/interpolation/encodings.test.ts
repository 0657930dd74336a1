import { describe, expect, test } from "vitest";
import { interpolate, TemplateSyntaxError } from "../../lib/mod.ts";

const VALUES = {
  one: 1,
  no: false,
  empty: "",
  nothing: null,
  object: { a: 'b "c"', list: [{ id: 7 }] },
  hard: `a & b <c> "d" 'e' \\ \n`,
};

describe("{{name ?? literal}}", () => {
  test.each([
    ["{{x ?? 'y'}}", "y"],
    ['{{x??"y z"}}', "y z"],
    ['{{ x ?? "say \\"hi\\" \\\\" }}', 'say "hi" \\'],
    ["{{x ?? 'it\\'s {}'}}", "it's {}"],
    [
      "{{x ?? 5}} {{x ?? -1.50}} {{x ?? true}} {{x ?? false}} {{x ?? null}}",
      "5 -1.50 true false null",
    ],
    ["{{object.b.c ?? 1}} {{object.list[4].id ?? 2}} {{object.list.0.id ?? 3}}", "1 2 7"],
    ["{{object.$..none ?? 4}} {{object.$..id ?? 5}}", "4 7"],
    ["{{nothing ?? 'n'}} {{empty ?? 'e'}}|{{no ?? true}}", "n |false"],
    ["{{%x ?? 'a b'}}", "a%20b"],
    ["{{one ?? 'never'}}", "1"],
    ["{{x ?? '{{one}}'}}", undefined],
    ["{{x ?? y}}", undefined],
    ["{{x ?? }}", undefined],
    ["{{x ?? 'y' ?? 'z'}}", undefined],
    ['{{x ?? "y}}', undefined],
    ["{{x || 'y'}}", undefined],
  ])("%s", (template, expected) => {
    const render = (): string => interpolate(template, VALUES);
    if (expected === undefined) expect(render).toThrow(TemplateSyntaxError);
    else expect(render()).toBe(expected);
  });
});

describe("a value that is encoded", () => {
  test.each([
    ["{{$xml hard}}", "text", "a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos; \\ \n"],
    ["{{ $xml object.a }}", "text", "b &quot;c&quot;"],
    ["{{$xml object.list}}", "text", "[{&quot;id&quot;:7}]"],
    ["{{$xml x ?? '<'}}", "text", "&lt;"],
    ["{{$xml one}}{{$json no}}", "text", "1false"],
    ["{{%object.a}}", "text", "b%20%22c%22"],
    ["{{$xml %object.a}}", "text", undefined],
    ["{{$xml}}", "text", undefined],
    ["{{$xml 5}}", "text", undefined],
  ] as const)("%s in %s", (template, place, expected) => {
    const render = (): string => interpolate(template, VALUES, place);
    if (expected === undefined) expect(render).toThrow(TemplateSyntaxError);
    else expect(render()).toBe(expected);
  });

  test("{{$json}} is a part of a string of JSON within JSON", () => {
    const template = `{"inner": "{\\"hard\\": \\"{{$json hard}}\\", \\"all\\": \\"{{$json object}}\\"}", "outer": "{{hard}}"}`;
    const { inner, outer } = JSON.parse(interpolate(template, VALUES, "json"));
    expect(outer).toBe(VALUES.hard);
    expect(JSON.parse(inner).hard).toBe(VALUES.hard);
    expect(JSON.parse(JSON.parse(inner).all)).toEqual(VALUES.object);
  });
});
