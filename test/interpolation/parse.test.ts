import { describe, expect, test } from "vitest";
import {
  collectTemplate,
  escapeBraces,
  FAULT_LIMIT,
  type Fault,
  parseTemplate,
  TemplateSyntaxError,
} from "../../lib/interpolation/mod.ts";

/** Parts in short: literal text as it is, a path as its name and steps, a generated value in angles. */
function shortParts(source: string): unknown[] {
  return parseTemplate(source).parts.map((part) => {
    if (typeof part === "string") return part;
    return part.kind === "path" ? [part.name, ...part.steps] : `<${part.name}|${part.argument}>`;
  });
}

function faultsOf(source: string): readonly Fault[] {
  const faults: Fault[] = [];
  collectTemplate({ source }, undefined, faults);
  return faults;
}

describe("parseTemplate reads", () => {
  test.each<[source: string, parts: unknown[]]>([
    ["", []],
    ["plain", ["plain"]],
    ["{{a}}", [["a"]]],
    ["x{{a}}y", ["x", ["a"], "y"]],
    ["{{a}}{{b}}", [["a"], ["b"]]],
    ["{{ a }}", [["a"]]],
    ["{{\t a\t}}", [["a"]]],
    ["{{a.b.c}}", [["a", "b", "c"]]],
    ["{{a[0]}}", [["a", 0]]],
    ["{{a[0][12].b}}", [["a", 0, 12, "b"]]],
    ["{{ a . b [ 0 ] }}", [["a", "b", 0]]],
    ["{{a[007]}}", [["a", 7]]],
    ['{{a["b c"]}}', [["a", "b c"]]],
    ["{{a['b.c'].d}}", [["a", "b.c", "d"]]],
    ['{{a["say \\"hi\\""]}}', [["a", 'say "hi"']]],
    ["{{a['it\\'s']}}", [["a", "it's"]]],
    ['{{a["back\\\\slash"]}}', [["a", "back\\slash"]]],
    ['{{a[""]}}', [["a", ""]]],
    ['{{a["}}"]}}', [["a", "}}"]]],
    ['{{a["{{b}}"]}}', [["a", "{{b}}"]]],
    ["{{_a}}", [["_a"]]],
    ["{{api-key_2.x-1}}", [["api-key_2", "x-1"]]],
    ["{{a.0}}", [["a", "0"]]],
    ["{{a.-}}", [["a", "-"]]],
    ["{{größe}}", [["größe"]]],
    ["{{名前.値}}", [["名前", "値"]]],
    ["{{cafe\u0301}}", [["cafe\u0301"]]],
    ["{{𝒳.𝒴}}", [["𝒳", "𝒴"]]],
    ["{{٣}}", ["{{٣}}"]],
    ["{{a٣}}", [["a٣"]]],
    ["{{{a}}}", ["{", ["a"], "}"]],
    ['{"x":{{{a}}}}', ['{"x":{', ["a"], "}}"]],
    ['{"x":{"y":{{a}}}}', ['{"x":{"y":', ["a"], "}}"]],
    ["{ { {{a}} } }", ["{ { ", ["a"], " } }"]],
    ["{{{{a}} b}}", ["{{", ["a"], " b}}"]],
    ["{{{{a}}\n}}", ["{{", ["a"], "\n}}"]],
    ["{{\n{{a}}\n}}", ["{{\n", ["a"], "\n}}"]],
    ["\\{{{{a}}_b}}", ["{{", ["a"], "_b}}"]],
    ["\\{{ {{a}} }}", ["{{ ", ["a"], " }}"]],
    ["\\{{{{a}}}}", ["{{", ["a"], "}}"]],
    ...["\u00a0", "\u202f", "\u3000", "\u2009", " \u00a0\t", "\u200b", "\ufeff"].map(
      (blank): [string, unknown[]] => [
        `{{${blank}a${blank}.${blank}b${blank}[${blank}0${blank}]${blank}}}`,
        [["a", "b", 0]],
      ],
    ),
    ["{{\u00a0$random\u00a01 6\u00a0}}", ["<$random|1 6>"]],
    ['{"x":{"y":{{a}}{{b}}}}', ['{"x":{"y":', ["a"], ["b"], "}}"]],
    ["\\{{a}}", ["{{a}}"]],
    ["\\{{a}} {{a}}", ["{{a}} ", ["a"]]],
    ["\\{\\{a b\\}\\} {{a}}", ["{{a b}} ", ["a"]]],
    ["\\\\{\\{a\\}\\}", ["\\{\\{a\\}\\}"]],
    ["\\{\\{a", ["\\{\\{a"]],
    ["{{?Your name}}", ["<$input|Your name>"]],
    ["{{?1}} {{?}}", ["{{?1}} {{?}}"]],
    ["\\{{{{a}}", ["{{", ["a"]]],
    ["\\{{\\{{\\{{a}}", ["{{{{{{a}}"]],
    ["\\\\{{a}}", ["\\{{a}}"]],
    ["{{a}}\\{{b}}", [["a"], "{{b}}"]],
    ["\\{a}", ["\\{a}"]],
    ["\\", ["\\"]],
    ["{{$uuid}}", ["<$uuid|>"]],
    ["{{ $random 1 6 }}", ["<$random|1 6>"]],
    ["{{$env.HOME}}", ["<$env|.HOME>"]],
  ])("%j", (source, parts) => {
    expect(shortParts(source)).toEqual(parts);
  });
});

describe("parseTemplate leaves as text what cannot begin a name:", () => {
  test.each([
    "{{}}",
    "{{ }}",
    "{{#if x}}",
    "{{/if}}",
    "{{>p}}",
    "{{1,2}}",
    "{{",
    "}}",
    "{{ ",
    "{",
    "{ {a}}",
    "{{-a}}",
    "{{\na}}",
    "{{$}}",
    "{{$1}}",
    '{{"a"}}',
    "{{\u0301}}",
    "{{\ud800}}",
    "{{.a}}",
    "{{[0]}}",
    "{{\u00a0}}",
    "{{\u2028a}}",
    "\u{1f600}{{\u{1f600}}}",
  ])("%j", (source) => {
    expect(parseTemplate(source).parts.join("")).toBe(source);
  });
});

describe("parseTemplate refuses what begins like a path and is broken:", () => {
  test.each<[source: string, says: string, line: number, column: number]>([
    ["{{a..b}}", 'expected a property name after ".", found "."', 1, 5],
    ["{{a.}}", 'expected a property name after ".", found "}"', 1, 5],
    ["{{a[-1]}}", 'expected a whole number from 0 or a quoted key after "[", found "-"', 1, 5],
    ["{{a[]}}", 'expected a whole number from 0 or a quoted key after "[", found "]"', 1, 5],
    ["{{a[b]}}", 'found "b"', 1, 5],
    ["{{a[1.5]}}", 'expected "]", found "."', 1, 6],
    ["{{a[99999999999999999999]}}", "the index is too large", 1, 5],
    ['{{a["b]}}', "the quoted key is not closed on its line", 1, 5],
    ['{{a["b\n"]}}', "the quoted key is not closed on its line", 1, 5],
    ['{{a["\\n"]}}', "a backslash in a quoted key may only precede", 1, 6],
    ['{{a["b"}}', 'expected "]", found "}"', 1, 8],
    ["{{a.*.b}}", '"*" means the whole body and is allowed only at the end', 1, 5],
    ["{{a b}}", 'expected ".", "[" or "}}", found "b"', 1, 5],
    ["{{a,b}}", 'found ","', 1, 4],
    ["{{a:1}}", 'found ":"', 1, 4],
    ["{{a}", 'found "}"', 1, 4],
    ["{{a} }", 'found "}"', 1, 4],
    ["{{a", "found nothing", 1, 4],
    ["{{a\n}}", "found the end of the line", 1, 4],
    ["{{a\r\n}}", "found the end of the line", 1, 4],
    ["{{a\u2028}}", "found", 1, 4],
    ["{{{{env}}_host}}", 'Cannot parse "{{{{env}}": expected a name, found "{"', 1, 3],
    ["{{{{a}}}}", 'found "{"', 1, 3],
    ["b {{{{a}}}}", 'found "{"', 1, 5],
    ["{{host_{{env}}}}", 'expected ".", "[" or "}}", found "{"', 1, 8],
    ["{{ {{key}} }}", 'Cannot parse "{{ {{key}}": expected a name, found "{"', 1, 4],
    ["{{ {{key}}}}", 'found "{"', 1, 4],
    ["{{{{key}} }}", 'found "{"', 1, 3],
    ["{{{{a}}_{{b}}}}", 'found "{"', 1, 3],
    ["{{{{a}}{{b}}}}", 'found "{"', 1, 3],
    ["{{{{a}}.b[0].c}}", 'found "{"', 1, 3],
    ["{{{{$env.X}}-é}}", 'found "{"', 1, 3],
    ["{{\u00a0{{%a}}_b }}", 'found "{"', 1, 4],
    ["x {{{{{a}}_b}}", 'found "{"', 1, 6],
    ["{{a.{{b}}}}", 'found "{"', 1, 5],
    ["{{a {{b}}}}", 'found "{"', 1, 5],
    ["{{$uuid", 'expected "}}", found nothing', 1, 8],
    ["{{$uuid\n}}", 'expected "}}", found the end of the line', 1, 8],
    ["x\n  {{a..b}}", "found", 2, 7],
    ["x\r\n{{a..b}}", "found", 2, 5],
    ["x\r{{a..b}}", "found", 2, 5],
    ["\u{1f600}\u{1f600}{{a..b}}", "found", 1, 7],
    ["{{a.\u{1f600}}}", 'found "\u{1f600}"', 1, 5],
  ])("%j", (source, says, line, column) => {
    const [fault, ...others] = faultsOf(source);
    expect(others).toEqual([]);
    expect(fault?.message).toContain(says);
    expect(fault).toMatchObject({ line, column });
    expect(() => parseTemplate(source)).toThrow(TemplateSyntaxError);
  });
});

describe("TemplateSyntaxError", () => {
  test("tells every fault at once and keeps the source", () => {
    const source = "{{a..b}} {{ok}}\n{{c[-1]}} {{d e}}";
    const error = catchError(() => parseTemplate(source));
    expect(error).toBeInstanceOf(SyntaxError);
    expect(error).toMatchObject({ name: "TemplateSyntaxError", source });
    expect((error as TemplateSyntaxError).faults.map(({ line, column }) => [line, column])).toEqual(
      [
        [1, 5],
        [2, 5],
        [2, 15],
      ],
    );
    expect((error as Error).message).toBe(
      [
        'Cannot parse "{{a..b}}": expected a property name after ".", found "." (line 1, column 5)',
        'Cannot parse "{{c[-1]}}": expected a whole number from 0 or a quoted key after "[", found "-" (line 2, column 5). After a $ it counts from the end, as in {{list.$[-1]}}',
        'Cannot parse "{{d e}}": expected ".", "[" or "}}", found "e" (line 2, column 15). A name has no blanks: call it my_name, also where it is set, as in "# @name my_name". Write \\{{ for literal braces',
      ].join("\n"),
    );
  });

  test("holds a bounded list and says that others follow", () => {
    const faults = faultsOf("{{a ".repeat(FAULT_LIMIT * 3));
    expect(faults).toHaveLength(FAULT_LIMIT + 1);
    expect(faults.at(-1)?.message).toBe("More faults follow: only the first 100 are reported");
  });

  test("has no entry about more faults when the list is just full", () => {
    const faults = faultsOf("{{a ".repeat(FAULT_LIMIT));
    expect(faults).toHaveLength(FAULT_LIMIT);
  });

  test("quotes a long placeholder cut", () => {
    const [fault] = faultsOf(`{{${"a".repeat(500)} b}}`);
    expect(fault?.message.length).toBeLessThan(150);
    expect(fault?.message).toContain("…");
  });
});

describe("collectTemplate", () => {
  test("gathers the faults of several stretches of one source with their positions in it", () => {
    const source = "GET {{a..b}}\nX: {{ok}} {{c[}}";
    const faults: Fault[] = [];
    collectTemplate({ source }, { start: 4, end: 12 }, faults);
    const header = collectTemplate({ source }, { start: 16, end: source.length }, faults);
    expect(faults.map(({ line, column }) => [line, column])).toEqual([
      [1, 9],
      [2, 15],
    ]);
    expect(header.parts[0]).toMatchObject({ name: "ok", span: { start: 16, end: 22 } });
  });

  test("sees nothing behind the end of its stretch", () => {
    const source = "a{{b}}c";
    const faults: Fault[] = [];
    expect(collectTemplate({ source }, { start: 0, end: 1 }, faults).parts).toEqual(["a"]);
    collectTemplate({ source }, { start: 0, end: 4 }, faults);
    expect(faults[0]?.message).toContain("found nothing");
  });

  test("gives spans that cover the braces", () => {
    const source = "ab{{ user.name }}c";
    const [, placeholder] = parseTemplate(source).parts;
    expect(placeholder).toMatchObject({ text: "user.name", span: { start: 2, end: 17 } });
  });
});

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}

describe("paths of VS Code's REST Client that choose among values without a $, and XPath, say what to write:", () => {
  const JSONPATH =
    "JSONPath (RFC 9535) is read after a $, as in {{login.response.body.$.items[?(@.a==1)]";
  const EACH = 'sends the request once for each value: write "# @loop for item of list" above it';
  test.each([
    ["{{a.b[?(@.c==1)]}}", JSONPATH],
    ["{{a.b[-1]}}", "After a $ it counts from the end, as in {{list.$[-1]}}"],
    ["{{a.b[*].c}}", EACH],
    ["{{a[*]}}", EACH],
    ["{{ $['clients'][*].id }}", EACH],
    ["{{a.b[0:2]}}", JSONPATH],
    ["{{a.*.b}}", JSONPATH],
    ["{{a.//b[1]/@id}}", "XPath is not supported. Select the value in a TypeScript cell"],
  ])("%s", (source, hint) => {
    expect(() => parseTemplate(source)).toThrow(hint);
  });
});

describe("an expression is an error that says that it is not evaluated:", () => {
  test.each([
    ["{{JSON.stringify(one)}}", 'expected ".", "[" or "}}", found "("'],
    ["{{Buffer.from(user + ':' + password).toString('base64')}}", 'found "("'],
    ["{{= time.nowISO() }}", 'expected a name, found "="'],
    ["{{i++}}", 'found "+"'],
    ["{{a ? b : c}}", 'found "?"'],
    ["{{a.b | c}}", 'found "|"'],
    ["{{a[i]}}", 'found "i"'],
    ["{{a[Math.max(0, 1)].id}}", 'found "M"'],
  ])("%s", (source, message) => {
    expect(() => parseTemplate(source)).toThrow(message);
    expect(() => parseTemplate(source)).toThrow(
      "JavaScript in placeholders, as in httpYac, and expressions of resterm are not run",
    );
  });

  test("prose is not one", () => {
    expect(() => parseTemplate("{{token of the login}}")).toThrow("Write \\{{ for literal braces");
    for (const nested of ["{{{{env}}_host}}", "{{host_{{env}}}}", "{{ {{env}} }}"]) {
      expect(() => parseTemplate(nested)).toThrow(
        'Set the value in each environment, or in a TypeScript cell: client.setVar("host", ',
      );
    }
  });
});

test.each(["{{a}}", "\\{{a}}", "\\{\\{a\\}\\}", "\\\\{\\{a\\}\\}", "\\{\\{a", "{{\\{\\{a\\}\\}"])(
  "%j is read as it was when its braces are escaped",
  (text) => {
    expect(parseTemplate(escapeBraces(text)).parts).toEqual([text]);
  },
);
