import { describe, expect, test } from "vitest";
import {
  createNumberText,
  interpolate,
  parseTemplate,
  resolvePlaceholder,
  type Value,
} from "../../lib/interpolation/mod.ts";

/** The example of RFC 9535, 1.5, and what its figures do not have. */
const store: Value = {
  book: [
    { category: "reference", author: "Nigel Rees", title: "Sayings of the Century", price: 8.95 },
    { category: "fiction", author: "Evelyn Waugh", title: "Sword of Honour", price: 12.99 },
    {
      category: "fiction",
      author: "Herman Melville",
      title: "Moby Dick",
      isbn: "0-553",
      price: 8.99,
    },
    {
      category: "fiction",
      author: "J. R. R. Tolkien",
      title: "The Lord",
      isbn: "0-395",
      price: 22.99,
    },
  ],
  bicycle: { color: "red", price: 399 },
  objects: [{ "cmis:objectId": { value: "f-1" }, "a:b:c": 1 }],
};
const a: Value = {
  store,
  $ref: "kept",
  "a b": { "c'd": "quoted", "é\n": "escaped" },
  none: [],
  "mood😀": { größe: "emoji" },
  "content-type": "dashes",
  list: [0, 1, 2, 3, 4, 5, 6],
  mixed: [
    { id: 1, on: false, note: null, nested: [{ x: 1 }] },
    { id: 2, on: true, note: "", tags: ["a", "b"] },
    { id: 3n, on: "yes", note: "n" },
    { id: createNumberText("9007199254740993"), big: true },
    { id: 12345678901234567890n, at: new Date("2026-01-02T03:04:05Z") },
  ],
};

function select(path: string): Value | undefined {
  const [placeholder, ...more] = parseTemplate(`{{a.${path}}}`).parts;
  if (typeof placeholder !== "object" || more.length > 0)
    throw new Error(`No placeholder: ${path}`);
  return resolvePlaceholder(placeholder, { a });
}

describe("of a JSONPath the first value counts:", () => {
  test.each<[path: string, value: unknown]>([
    // RFC 9535, table 2
    ["$.store.book[*].author", "Nigel Rees"],
    ["$..author", "Nigel Rees"],
    ["$.store.*", (store as { book: Value }).book],
    ["$.store..price", 8.95],
    ["$..book[2].title", "Moby Dick"],
    ["$..book[2].publisher", undefined],
    ["$..book[-1].title", "The Lord"],
    ["$..book[:2].title", "Sayings of the Century"],
    ["$..book[0,1].title", "Sayings of the Century"],
    ["$..book[?@.isbn].title", "Moby Dick"],
    ["$..book[?@.price<10].title", "Sayings of the Century"],
    // as VS Code's REST Client has them
    ["$.store.book[?(@.price > 10)].title", "Sword of Honour"],
    ['$.store.book[?(@.category === "fiction" && @.price < 10)].title', "Moby Dick"],
    ["$.store.book[(1)]", "broken"],
    ["$.store.book[-1:].title", "The Lord"],
    ["$.store.book[3].price", 22.99],
    ["$['store']['bicycle']['color']", "red"],
    ["$..['color']", "red"],
    ["$..*", store],
    ["$.store.objects[0].cmis:objectId.value", "f-1"],
    ["store.objects.$..cmis:objectId.value", "f-1"],
    ["$..objects[?(@.cmis:objectId)].a:b:c", 1],
    // behind other steps
    ["store.$..price", 8.95],
    ["store.book.$[?(@.price>20)].author", "J. R. R. Tolkien"],
    ["$.list.$[-1]", "broken"],
    // the list of all matches
    ["$..price[]", [8.95, 12.99, 8.99, 22.99, 399]],
    ["$.list[1:3][]", [1, 2]],
    ["$.store.book[?(@.price > 10)].title []", "broken"],
    ["$.mixed[?(@.on)].id[]", [2, 3n]],
    ["$.nobody[]", []],
    ["store.bicycle.$.color[]", ["red"]],
    ["$.list[][0]", "broken"],
    ["$.mixed[?(@.tags[])].id", "broken"],
    // slices
    ["$.list[5:1:-2]", 5],
    ["$.list[::-1]", 6],
    ["$.list[-2:]", 5],
    ["$.list[9:]", undefined],
    ["$.list[1:3:0]", undefined],
    ["$.none[*]", undefined],
    // keys
    [`$["$ref"]`, "kept"],
    [`$['a b']["c'd"]`, "quoted"],
    [String.raw`$['a b']['c\'d']`, "quoted"],
    [String.raw`$['a b']["\u00e9\n"]`, "escaped"],
    ["$..constructor", undefined],
    ["$.list..length", undefined],
    // filters
    ["$.mixed[?(@.on)].id", 2],
    ["$.mixed[?(!@.on)].id", 1],
    ["$.mixed[?(@.note == null)].id", 1],
    ["$.mixed[?(@.note != null)].id", 2],
    ["$.mixed[?(@.on == true)].id", 2],
    ["$.mixed[?(@.on == 'yes' || @.id == 2)].id", 2],
    ["$.mixed[?((@.id >= 2) && !(@.on == true))].on", "yes"],
    ["$.mixed[?(@.id == 9007199254740993)].big", true],
    ["$.mixed[?(@.id == 12345678901234567890)].at", new Date("2026-01-02T03:04:05Z")],
    ["$.mixed[?(@.id == 12345678901234567891)].at", undefined],
    ["$.mixed[?(@.id <= 1.0e0)].id", 1],
    ["$.mixed[?(@.at > '2026')].id", 12345678901234567890n],
    ["$.mixed[?(@.tags[1] == 'b')].id", 2],
    ["$.mixed[?(@.nested[?(@.x == 1)])].id", 1],
    ["$.mixed[?(@.id == $.list[2])].id", 2],
    ["$.mixed[?(@.tags == @.tags)].id", 1],
    ["$.mixed[?(@.id < 'a')].id", undefined],
    ["$.mixed[?('b' > 'a')].id", 1],
    ["$.store.bicycle[?(@ == 'red')]", "red"],
    ["$.mixed[?(@.id && @.note && @.nested)].id", undefined],
    ["$.mixed[?(@.id && @.on && @.tags)].id", 2],
    ["$.mixed[?(@.id == 9007199254740992)].big", undefined],
    ["$.mixed[?(@.nested[*].x == 1)].id", "broken"],
    ["$.mixed[?(@.tags == $.mixed[1].tags)].id", 2],
    ["$.mixed[?(!@.on == false)].id", "broken"],
    // names of any character
    ["$.mood😀.größe", "emoji"],
    ["$.content-type", "dashes"],
    // functions
    ["$.mixed[?length(@.tags) == 2].id", 2],
    ["$.store.book[?length(@.author)>15].title", "The Lord"],
    ["$.mixed[?count(@.nested[*]) > 0].id", 1],
    ["$.mixed[?value(@..x) == 1].id", 1],
    ["$.store.book[?match(@.isbn, '0-3.*')].title", "The Lord"],
    ["$.store.book[?match(@.isbn, '3')].title", undefined],
    ["$.store.book[?search(@.title, '^M|of')].title", "Sayings of the Century"],
    ["$.store.book[?!search(@.title, '^S')].title", "Moby Dick"],
    ["$.store.book[?search(@.title, @.isbn)].title", undefined],
    ["$.store.book[?match(@.title, '(')].title", "broken"],
    ["$.store.book[?match(@.title)].title", "broken"],
    ["$.store.book[?match(@.title, 'a') == true].title", "broken"],
    ["$.store.book[?length(@.*) > 1].title", "broken"],
    ["$.store.book[?length (@) > 1].title", "broken"],
    ["$.store.book[?size(@) > 1].title", "broken"],
  ])("%s", (path, value) => {
    if (value === "broken") expect(() => select(path)).toThrow(SyntaxError);
    else expect(select(path)).toEqual(value);
  });
});

describe("what is a step stays one:", () => {
  test.each<[path: string, steps: readonly (string | number)[]]>([
    ["$.store.book[0].title", ["store", "book", 0, "title"]],
    ["b.$.c", ["b", "c"]],
    ["b.*", ["b"]],
    ["$", []],
    ['b["$..x"]', ["b", "$..x"]],
  ])("%s", (path, steps) => {
    expect(parseTemplate(`{{a.${path}}}`).parts).toEqual([
      expect.not.objectContaining({ query: expect.anything() }),
    ]);
    expect(parseTemplate(`{{a.${path}}}`).parts).toMatchObject([{ steps }]);
  });
});

test("a JSONPath has the span and the text of its placeholder, and may hold braces", () => {
  const text = "x {{ a.mixed.$[?(@.note == '}}')].id }} y";
  const [, placeholder] = parseTemplate(text).parts;
  expect(placeholder).toMatchObject({
    steps: ["mixed"],
    query: "$[?(@.note == '}}')].id",
    text: "a.mixed.$[?(@.note == '}}')].id",
    span: { start: 2, end: 39 },
  });
  expect(interpolate("{{%a.$..author}}/{{a.$.list[-1:]}}", { a: a as never })).toBe(
    "Nigel%20Rees/6",
  );
});

test("a JSONPath that nothing fits is told, with what it was asked of", () => {
  expect(() => interpolate("{{a.mixed.$[?(@.id == 99)].id}}", { a: a as never })).toThrow(
    'Cannot resolve "{{a.mixed.$[?(@.id == 99)].id}}": nothing in "a.mixed" matches the JSONPath',
  );
  expect(() => interpolate("{{b.$..id}}", {})).toThrow('there is no variable "b"');
});

describe("a JSONPath that is broken says where, and what is known:", () => {
  test.each([
    ["{{a.$..}}", 'expected a property name or "*", found "}"'],
    ["{{a.$..b", 'expected ".", "[" or "}}", found nothing'],
    ["{{a.$..b:}}", 'expected ".", "[" or "}}", found ":"'],
    ["{{a.$..b\n}}", 'expected ".", "[" or "}}", found the end of the line'],
    ["{{a.$[?]}}", 'expected @, $, a quoted text, a number or a function, found "]"'],
    ["{{a.$[?(@.b}}", 'expected "&&", "||" or ")", found "}"'],
    ["{{a.$[?(@.b==)]}}", 'expected @, $, a quoted text, a number or a function, found ")"'],
    ["{{a.$[?'b']}}", 'expected a comparison, found "]"'],
    ["{{a.$[?@.b.match(/x/)]}}", 'expected "," or "]", found "("'],
    ["{{a.$[?length(@.b)]}}", 'expected a comparison, found "]"'],
    ["{{a.$[?size(@.b)>1]}}", "expected one of the functions length, count, value, match, search"],
    ["{{a.$[?length(@.b, 1)>1]}}", 'expected ")", found ","'],
    ["{{a.$[?count(1)>1]}}", 'expected a path from @ or $, found ")"'],
    ["{{a.$[?@.*==1]}}", 'expected a path to one value, of names and indexes, found "@"'],
    ["{{a.$[?1==match(@.a,'')]}}", 'expected a value, which match does not give, found "m"'],
    ["{{a.$[?search(@.b, '[')]}}", 'expected a regular expression (RFC 9485), found ")"'],
    ["{{a.$[9007199254740992]}}", "expected an index of at most 2^53 - 1"],
    ["{{a.$['\\x41']}}", 'expected a quoted key, an index, "*" or "?" with a filter'],
    ["{{a.$[*}}", 'expected "," or "]", found "}"'],
    ["{{a.$[(@.length-1)]}}", 'expected a quoted key, an index, "*" or "?" with a filter'],
    [`{{a.$[?${"(".repeat(40)}@.b]}}`, "expected fewer levels of parentheses"],
    [`{{a.$[?${"!(".repeat(100_000)}@.b]}}`, "expected fewer levels of parentheses"],
    [`{{a.$[?${"length(".repeat(100_000)}@.b]}}`, "expected fewer levels of parentheses"],
    [`{{a.$[?${"@[?".repeat(100_000)}@.b]}}`, "expected fewer levels of parentheses"],
  ])("%s", (template, message) => {
    expect(() => parseTemplate(template)).toThrow(message);
    expect(() => parseTemplate(template)).toThrow("JSONPath (RFC 9535) is read after a $");
  });
});

test("JSON that is nested deeply, and a long list, are looked through", () => {
  let deep: Value = { id: "deepest" };
  for (let level = 0; level < 20_000; level++) deep = [deep];
  const long = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  const variables = new Map<string, Value>([
    ["deep", deep],
    ["long", long],
  ]);
  expect(interpolate("{{deep.$..id}} {{long.$[?(@.id==199999)].id}}", variables)).toBe(
    "deepest 199999",
  );
});
