import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Template, Value } from "../../lib/interpolation/mod.ts";
import {
  type Entry,
  parseEntries,
  renderRequest,
  resolveAssignment,
  startsAsRequest,
} from "../../lib/request/mod.ts";

const NAMED = new Set([
  "RequestSyntaxError",
  "TemplateSyntaxError",
  "UnresolvedPlaceholderError",
  "InvalidHeaderError",
]);

const VALUES: Readonly<Record<string, Value>> = {
  a: "x",
  b: { c: [1, "y\r\n", null] },
  c: "",
  d: 5n,
  evil: "x\r\nX-Evil: 1\r\n\r\nbody",
};

/** Runs all that the folder does; what it throws is one of the named errors with faults inside the text. */
function exercise(text: string): void {
  const attempt = <Result>(action: () => Result): Result | undefined => {
    try {
      return action();
    } catch (error) {
      const { name, source, faults } = error as {
        name: string;
        source: string;
        faults: { span: { start: number; end: number }; line: number; column: number }[];
      };
      if (!NAMED.has(name)) throw error;
      expect(source).toBe(text);
      expect(faults.length).toBeGreaterThan(0);
      for (const { span, line, column } of faults) {
        expect(span.start).toBeGreaterThanOrEqual(0);
        expect(span.end).toBeGreaterThanOrEqual(span.start);
        expect(span.end).toBeLessThanOrEqual(text.length);
        expect(line).toBeGreaterThan(0);
        expect(column).toBeGreaterThan(0);
      }
      return undefined;
    }
  };
  expect(typeof startsAsRequest(text)).toBe("boolean");
  const entries: readonly Entry[] = attempt(() => parseEntries(text)) ?? [];
  let end = 0;
  for (const entry of entries) {
    expect(entry.span.start).toBeGreaterThanOrEqual(end);
    end = entry.span.end;
    for (const missing of ["error", "keep"] as const) {
      if (entry.kind === "assignment") attempt(() => resolveAssignment(entry, VALUES, { missing }));
      else if (entry.kind === "request") attempt(() => renderRequest(entry, VALUES, { missing }));
    }
  }
}

const PIECES = [
  ..."GET POST gte DELETE /x http://a.test localhost:80 {{a}} {{b.c[0]}} {{evil}} {{nope}} {{a..b}}".split(
    " ",
  ),
  ..."{{ }} \\{{ Host: A: A#: : @a = 1 ### # // @name < <@ > {% <> HTTP/1.1 ? & \" ' { } [ ]".split(
    " ",
  ),
  ..."%%http %%ts Content-Type:application/json \uFEFF \u00A0 é 😀 \0".split(" "),
  " ",
  "\t",
  "\n",
  "\n",
  "\n\n",
  "\r\n",
  "\r",
];

const soup = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((all) => all.join(""));
const lines = fc
  .array(fc.array(fc.constantFrom(...PIECES), { maxLength: 5 }).map((all) => all.join(" ")))
  .map((all) => all.join("\n"));

describe("any text is parsed and rendered, or throws one of the named errors", () => {
  test("any string", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), exercise), {
      numRuns: 1000,
    });
  });

  test("tokens of the language in any order", () => {
    fc.assert(fc.property(fc.oneof(soup, lines), exercise), { numRuns: 4000 });
  });

  test("after a request line", () => {
    fc.assert(
      fc.property(fc.oneof(soup, lines), (text) => exercise(`POST http://a.test/{{a}}\n${text}`)),
      { numRuns: 2000 },
    );
  });
});

/** The parts of a request, to be written as text and read again. */
interface Parts {
  readonly name: string | undefined;
  readonly method: string;
  readonly url: string;
  readonly query: readonly string[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: string | undefined;
}

const word = fc.stringMatching(/^[A-Za-z][\w-]{0,8}$/);
const urlText = fc.stringMatching(/^[\w./~%é-]{0,12}$/);
const placeholder = word.map((name) => `{{${name}}}`);
const valueText = fc.array(fc.oneof(fc.stringMatching(/^[!-~é]{1,8}$/), placeholder), {
  maxLength: 4,
});
/** Lines that are no part of a body, or only of some bodies, have their own tests. */
const bodyLine = fc
  .stringMatching(/^[ -~é]{0,20}$/)
  .filter((line) => !/^\s*(?:#|\/\/|\/\*|@|\?\?|[<>]|--\{)/.test(line));

const parts: fc.Arbitrary<Parts> = fc.record({
  name: fc.option(word, { nil: undefined }),
  method: fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "PURGE", "FROBNICATE"),
  url: fc.tuple(urlText, placeholder, urlText).map(([a, b, c]) => `http://a.test/${a}${b}${c}`),
  query: fc.array(
    fc.tuple(word, urlText).map(([key, value]) => `&${key}=${value}`),
    { maxLength: 3 },
  ),
  headers: fc.array(
    fc.tuple(
      word,
      valueText.map((all) => all.join(" ")),
    ),
    { maxLength: 4 },
  ),
  body: fc.option(
    fc.array(bodyLine, { minLength: 1, maxLength: 4 }).map((all) => `x${all.join("\n")}`.trimEnd()),
    { nil: undefined },
  ),
});

/** As it was written: the source of each placeholder in place of it, escapes put in again. */
function written({ parts: all, source }: Template): string {
  return all
    .map((part) => (typeof part === "string" ? part : source.slice(part.span.start, part.span.end)))
    .join("");
}

describe("a request text built from parts", () => {
  const separator = fc.constantFrom("\n", "\r\n");
  const unbraced = parts.filter(({ body, headers }) => {
    const texts = [body ?? "", ...headers.map(([, value]) => value)];
    // Braces that mean something else, and marks that end a body, have their own tests.
    return texts.every((text) => !/\\\{\{|<>|\{%/.test(text) && balanced(text));
  });

  test("is parsed into the same parts", () => {
    fc.assert(
      fc.property(fc.array(unbraced, { minLength: 1, maxLength: 3 }), separator, (all, end) => {
        const text = all
          .map(({ name, method, url, query, headers, body }) => {
            const head = [
              ...(name === undefined ? [] : [`# @name ${name}`]),
              `${method} ${url} HTTP/1.1`,
              ...query.map((line) => `  ${line}`),
              ...headers.map(([key, value]) => `${key}: ${value}`),
            ].join(end);
            return body === undefined ? head : `${head}${end}${end}${body.replaceAll("\n", end)}`;
          })
          .join(`${end}${end}###${end}`);
        expect(startsAsRequest(text)).toBe(true);
        const read = parseEntries(text).map((entry) => {
          if (entry.kind !== "request") throw new Error("An assignment was read");
          const { name, method, url, headers, body } = entry;
          return {
            name,
            method,
            url: written(url),
            headers: headers.map((header) => [header.name, written(header.value)]),
            body: body?.kind === "text" ? written(body.text).replaceAll("\r\n", "\n") : undefined,
          };
        });
        expect(read).toEqual(
          all.map(({ name, method, url, query, headers, body }) => ({
            name,
            method,
            url: url + query.join(""),
            headers: headers.map(([key, value]) => [key, value]),
            body,
          })),
        );
      }),
    );
  });

  test("no value adds a header, changes the method or ends the headers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const text = "PUT http://a.test/{{v}}?q={{v}}\nA: 1\nB: 2\n\nbody {{v}}";
        const [draft] = parseEntries(text);
        if (draft?.kind !== "request") throw new Error("No request was read");
        const rendered = renderRequest(draft, { v: value });
        expect(rendered).toMatchObject({
          method: "PUT",
          url: `http://a.test/${value}?q=${value}`,
          headers: [
            ["A", "1"],
            ["B", "2"],
          ],
          body: `body ${value}`,
        });
      }),
    );
  });

  test("a string in quotes in a JSON body is unchanged after parsing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const [draft] = parseEntries('PUT a.test\n\n{"a": "<{{v}}>", "{{v}}x": 1}');
        if (draft?.kind !== "request") throw new Error("No request was read");
        const { body, warnings } = renderRequest(draft, { v: value });
        const read: unknown = JSON.parse(body as string);
        expect(read).toEqual(JSON.parse(JSON.stringify({ a: `<${value}>`, [`${value}x`]: 1 })));
        expect(warnings).toEqual([]);
      }),
    );
  });
});

/** Whether double braces stand in a text as whole placeholders only. */
function balanced(text: string): boolean {
  return !text.replace(/\{\{[A-Za-z][\w-]*\}\}/g, "").includes("{{") && !/\{\{\{|\\\{/.test(text);
}
