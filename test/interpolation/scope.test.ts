import { describe, expect, test } from "vitest";
import {
  type Generated,
  interpolate,
  parseTemplate,
  renderTemplate,
  resolvePlaceholder,
  type Scope,
  type Value,
} from "../../lib/interpolation/mod.ts";

/** A scope over values that counts what it was asked for and makes `$count` and `$pair x`. */
function scopeOf(values: Readonly<Record<string, Value>>): Scope & { readonly asked: string[] } {
  const asked: string[] = [];
  let count = 0;
  return {
    asked,
    get: (name) => {
      asked.push(name);
      return values[name];
    },
    has: (name) => name in values,
    keys: () => Object.keys(values),
    generate: ({ name, argument }): Generated => {
      if (name === "$count") return { value: ++count };
      if (name === "$pair") return { value: [argument, argument] };
      return { message: `"${name}" makes nothing`, hint: "Use $count" };
    },
    explain: (name) => (name === "later" ? { message: "it is not there yet" } : undefined),
  };
}

function render(text: string, scope: Scope, place: "text" | "url" | "json" = "text"): string {
  return renderTemplate(parseTemplate(text), scope, place);
}

describe("Scope", () => {
  test("makes a generated value anew for each placeholder, rendered by its type", () => {
    const scope = scopeOf({});
    expect(render('{"a": {{$count}}, "b": "{{$count}}", "c": {{$pair x}}}', scope, "json")).toBe(
      '{"a": 1, "b": "2", "c": [\n  "x",\n  "x"\n]}',
    );
    expect(render("/{{$pair x}}", scope, "url")).toBe('/["x","x"]');
  });

  test("is asked for nothing that no placeholder names", () => {
    const scope = scopeOf({ a: 1, b: 2 });
    render("{{a}} and {{a}}", scope);
    expect(scope.asked).toEqual(["a", "a"]);
  });

  test("says why a generated value is none, and why there is no variable", () => {
    expect(() => render("{{$nothing}}", scopeOf({}))).toThrow(
      'Cannot resolve "{{$nothing}}": "$nothing" makes nothing (line 1, column 1). Use $count',
    );
    expect(() => render("{{later.a}}", scopeOf({}))).toThrow(
      'Cannot resolve "{{later.a}}": it is not there yet (line 1, column 1)',
    );
    expect(() => render("{{usr}}", scopeOf({ user: 1 }))).toThrow('Did you mean "user"?');
  });

  test("gives a placeholder's value with its type", () => {
    const scope = scopeOf({ list: [{ id: 7 }] });
    const [path, made, none] = parseTemplate("{{list[0]}}{{$count}}{{$nothing}}").parts;
    expect([path, made, none].map((part) => resolvePlaceholder(part as never, scope))).toEqual([
      { id: 7 },
      1,
      undefined,
    ]);
  });
});

describe("spellings of VS Code's REST Client", () => {
  const variables = { name: "Strunk & White/é", user: { id: 7, tags: ["a"] }, list: [1, 2] };

  test.each<[template: string, text: string]>([
    ["{{%name}}", "Strunk%20%26%20White%2F%C3%A9"],
    ["{{ %user.tags }}", "%5B%22a%22%5D"],
    ["{{user.$.id}}", "7"],
    ["{{user.$.tags[0]}}", "a"],
    ["{{list.$[1]}}", "2"],
    ["{{user.$}}", '{"id":7,"tags":["a"]}'],
    ["{{user.id.*}}", "7"],
    ["{{% name}}", "{{% name}}"],
    ["{{%}}", "{{%}}"],
    ["{{%$}}", "{{%$}}"],
    ["{{%%name}}", "{{%%name}}"],
    ["{{%?}}", "{{%?}}"],
  ])("%s gives %s", (template, text) => {
    expect(interpolate(template, variables, "url")).toBe(text);
  });

  test("a lone surrogate is percent-encoded as the replacement character", () => {
    expect(interpolate("{{%a}}", { a: "\ud800" })).toBe("%EF%BF%BD");
  });

  test.each([
    ["{{user.$id}}", 'expected ".", "[" or "}}", found "i"'],
    ["{{a.//reply[1]/@id}}", "XPath is not supported"],
  ])("%s is broken", (template, message) => {
    expect(() => interpolate(template, { ...variables, a: 1 })).toThrow(message);
  });
});

test("an unclosed placeholder at the end of the text has a span within the text", () => {
  const text = "GET /{{a";
  try {
    parseTemplate(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ faults: [{ span: { start: 8, end: 8 }, column: 9 }] });
  }
});
