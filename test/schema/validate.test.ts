import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitTime } from "../../kernel/platform/mod.ts";
import { parseJson } from "../../lib/json/mod.ts";
import { type Dialect, Schemas, validate } from "../../lib/schema/mod.ts";

/** What is wrong with a value, as lines; both are JSON, whose numbers keep their digits. */
function check(schema: string, value: string, dialect: Dialect = 2020): readonly string[] {
  const schemas = new Schemas();
  const parsed = parseJson(schema);
  const resource = schemas.add("https://example.test/schema", parsed, dialect);
  const faults = validate({ schema: parsed, resource }, parseJson(value), schemas);
  return faults.map(({ path, message }) => `${["$", ...path].join(".")}: ${message}`);
}

describe("messages say what is true", () => {
  test.each<[schema: string, value: string, line: string]>([
    ['{"type": "string"}', "1", "$: Expected a string, found an integer"],
    ['{"type": ["null", "array"]}', "1.5", "$: Expected null or an array, found a number"],
    ['{"type": "integer"}', "1e-3", "$: Expected an integer, found 0.001"],
    ['{"enum": [1, "a", {"b": null}]}', "2", '$: Expected one of 1, "a", {"b":null}'],
    ['{"const": {"a": [1]}}', '{"a": [2]}', '$: Expected {"a":[1]}'],
    ['{"minimum": 0}', "-1", "$: -1 is less than 0"],
    ['{"maximum": 0}', "1", "$: 1 is greater than 0"],
    ['{"exclusiveMinimum": 0}', "0", "$: 0 is not greater than 0"],
    ['{"exclusiveMaximum": 0}', "0", "$: 0 is not less than 0"],
    ['{"multipleOf": 0.1}', "0.35", "$: 0.35 is not a multiple of 0.1"],
    ['{"minLength": 2}', '"😀"', "$: 1 character is fewer than 2"],
    ['{"maxLength": 2}', '"abc"', "$: 3 characters are more than 2"],
    ['{"minItems": 1}', "[]", "$: 0 items are fewer than 1"],
    ['{"maxItems": 1}', "[1, 2]", "$: 2 items are more than 1"],
    ['{"minProperties": 1}', "{}", "$: 0 members are fewer than 1"],
    ['{"maxProperties": 0}', '{"a": 1}', "$: 1 member is more than 0"],
    ['{"pattern": "^a"}', '"b"', '$: Does not match the pattern "^a"'],
    ['{"format": "uuid"}', '"b"', '$: Is not of the format "uuid"'],
    [
      '{"uniqueItems": true}',
      '[1, {"a": 1, "b": 2}, 3, {"b": 2, "a": 1.0}]',
      "$: Items 1 and 3 are equal",
    ],
    ['{"contains": {"type": "null"}}', "[1]", '$: 0 items match "contains", fewer than 1'],
    ['{"contains": true, "maxContains": 1}', "[1, 2]", '$: 2 items match "contains", more than 1'],
    ['{"required": ["a"]}', "{}", '$: Member "a" is missing'],
    [
      '{"dependentRequired": {"a": ["b"]}}',
      '{"a": 1}',
      '$: Member "b" is missing, which "a" needs',
    ],
    [
      '{"propertyNames": {"maxLength": 1}}',
      '{"ab": 1}',
      '$: Name "ab": 2 characters are more than 1',
    ],
    ['{"additionalProperties": false}', '{"1": 1}', '$.1: Member "1" is not allowed'],
    ['{"unevaluatedProperties": false}', '{"a": 1}', '$.a: Member "a" is not allowed'],
    ['{"items": false}', "[1]", "$.0: This item is not allowed"],
    ['{"not": {}}', "1", '$: Matches the schema of "not"'],
    ["false", "1", "$: Nothing is allowed here"],
    ['{"oneOf": [{}, true]}', "1", '$: Matches 2 of the 2 schemas of "oneOf", not one'],
    ['{"oneOf": [false]}', "1", '$: Matches none of the 1 schemas of "oneOf"'],
    ['{"anyOf": [false, false]}', "1", '$: Matches none of the 2 schemas of "anyOf"'],
    [
      '{"properties": {"a": {"items": {"type": "null"}}}}',
      '{"a": [null, 1]}',
      "$.a.1: Expected null, found an integer",
    ],
  ])("%s of %s", (schema, value, line) => {
    expect(check(schema, value)[0]).toBe(line);
  });
});

describe("numbers are compared exactly", () => {
  test.each<[schema: string, valid: readonly string[], invalid: readonly string[]]>([
    [
      '{"maximum": 9007199254740992}',
      ["9007199254740992", "-1e999"],
      ["9007199254740993", "1e999"],
    ],
    [
      '{"minimum": 0.1}',
      ["0.1", "0.10000000000000000001", "1e0"],
      ["0.09999999999999999999", "0", "-5"],
    ],
    [
      '{"exclusiveMinimum": -0.5}',
      ["-0.4999999999999999999999", "0"],
      ["-0.5", "-0.50", "-5e-1", "-1e99999999999"],
    ],
    [
      '{"const": 9007199254740993}',
      ["9007199254740993", "9007199254740993.0"],
      ["9007199254740992", '"9007199254740993"'],
    ],
    [
      '{"enum": [100000000000000000000]}',
      ["1e20", "100000000000000000000"],
      ["100000000000000000001"],
    ],
    [
      '{"multipleOf": 0.01}',
      ["19.99", "0.07", "4.35", "0", "12345678901234567890.01", "1e50"],
      ["19.999", "1e-99999999999"],
    ],
    [
      '{"multipleOf": 7}',
      ["700000000000000000000000", "7e99", "-14"],
      ["700000000000000000000001", "1e99", "7.5"],
    ],
    ['{"multipleOf": 1e-8}', ["1e-7", "12391239123"], ["1e-9"]],
    [
      '{"type": "integer"}',
      ["1.0", "1e2", "-0.0", "12345678901234567890", "1.5e1"],
      ["1.5", "0.1e0", "12345678901234567890.5"],
    ],
    [
      '{"format": "int64"}',
      ["9223372036854775807", "-9223372036854775808"],
      ["9223372036854775808", "1.5"],
    ],
    [
      '{"uniqueItems": true}',
      ["[9007199254740992, 9007199254740993]", '[1, "1"]'],
      ["[1, 1.0]", "[1e20, 100000000000000000000]"],
    ],
  ])("%s", (schema, valid, invalid) => {
    expect(valid.filter((value) => check(schema, value).length > 0)).toEqual([]);
    expect(invalid.filter((value) => check(schema, value).length === 0)).toEqual([]);
  });
});

describe("formats", () => {
  test.each<[format: string, valid: readonly string[], invalid: readonly string[]]>([
    [
      "date-time",
      ["2026-02-28T23:59:60Z", "2024-02-29t00:00:00.5+14:00"],
      [
        "2026-02-29T00:00:00Z",
        "2026-01-01",
        "2026-01-01 00:00:00Z",
        "2026-01-01T24:00:00Z",
        "2026-01-01T00:00:00",
      ],
    ],
    ["date", ["2000-02-29"], ["1900-02-29", "2026-13-01", "26-01-01", "2026-1-1"]],
    ["time", ["00:00:00Z", "12:30:00.123-05:30"], ["12:30", "12:60:00Z"]],
    ["duration", ["P1Y2M3DT4H5M6S", "PT0S", "P2W"], ["P", "PT", "1D", "P1S", "P1DT"]],
    [
      "email",
      ["ada+x@example.com", "a@b", '"a b"@c.d', "a@[127.0.0.1]"],
      ["a", "@b", "a@", "a b@c.d", "a@b@c", ".a@b.c"],
    ],
    ["hostname", ["example.com", "a-b.c"], ["-a.b", "a..b", "a_b", ""]],
    ["ipv4", ["127.0.0.1"], ["256.0.0.1", "1.2.3", "01.2.3.4"]],
    ["ipv6", ["::1", "fe80::1", "::ffff:1.2.3.4"], ["1::2::3", "12345::", "1.2.3.4", "[::1]"]],
    [
      "uri",
      ["https://a.b/c?d=%20#e", "urn:a:b", "mailto:a@b.c"],
      ["/a", "a b:c", "https://a.b/ü", "https://a/%zz"],
    ],
    ["uri-reference", ["/a?b", "", "#c"], ["a b", "\\a"]],
    ["uuid", ["123e4567-e89b-12d3-a456-426614174000"], ["123e4567e89b12d3a456426614174000"]],
    ["json-pointer", ["", "/a/~0~1"], ["a", "/~2"]],
    ["regex", ["^a+$"], ["(", "\\a"]],
    ["unknown", ["anything"], []],
  ])("%s", (format, valid, invalid) => {
    const isValid = (text: string): boolean =>
      check(JSON.stringify({ format }), JSON.stringify(text)).length === 0;
    expect(valid.filter((one) => !isValid(one))).toEqual([]);
    expect(invalid.filter(isValid)).toEqual([]);
  });
});

describe("schemas that cannot be used", () => {
  test.each<[schema: string, value: string, message: string]>([
    ['{"$ref": "#"}', "1", "it refers to itself without end"],
    [
      '{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}',
      "1",
      "it refers to itself without end",
    ],
    ['{"$ref": "#/$defs/none"}', "1", 'the "$ref" "#/$defs/none" does not exist in it'],
    ['{"$ref": "#/__proto__"}', "1", "does not exist in it"],
    ['{"$ref": "https://example.com/a.json"}', "1", "and other schemas are not loaded"],
    ['{"$ref": "file:///etc/passwd"}', "1", "and other schemas are not loaded"],
    ['{"pattern": "("}', '"a"', 'the pattern "(" is not a regular expression'],
    ['{"type": "strin"}', "1", 'the type "strin" is unknown'],
    ['{"required": true}', "{}", "true stands where a list is needed"],
    ['{"minimum": "1"}', "2", '"1" stands where a number is needed'],
    ['{"properties": {"a": 3}}', '{"a": 1}', "3 stands where a schema is needed"],
  ])("%s", (schema, value, message) => {
    expect(() => check(schema, value)).toThrow(message);
  });

  test("what repeats itself a million million times, or backtracks, is ended", () => {
    const levels = Array.from({ length: 40 }, (_one, at) => {
      const next = { $ref: `#/$defs/${at + 1}` };
      return [at, { allOf: [next, next] }];
    });
    const wide = { $defs: { ...Object.fromEntries(levels), 40: {} }, $ref: "#/$defs/0" };
    for (const [schema, value] of [
      [wide, 1],
      [{ pattern: "^(a+)+$" }, `${"a".repeat(40)}b`],
    ]) {
      const texts = [schema, value].map((one) => JSON.stringify(one)) as [string, string];
      expect(() => limitTime(() => check(...texts), 1)).toThrow("was ended");
    }
  });

  test("a list of a list of … is validated as deep as the stack is", () => {
    const deep = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(check('{"items": {"$ref": "#"}}', deep(400))).toEqual([]);
    expect(check('{"items": {"$ref": "#"}, "maxItems": 0}', deep(2))).toHaveLength(1);
  });
});

test.each<[dialect: Dialect, schema: string, valid: string, invalid: string]>([
  [4, '{"minimum": 1, "exclusiveMinimum": true}', "2", "1"],
  [
    4,
    '{"id": "https://a.test/b", "definitions": {"c": {"id": "#d", "type": "null"}}, "$ref": "#d"}',
    "null",
    "1",
  ],
  [
    7,
    '{"definitions": {"a": {"type": "null"}}, "$ref": "#/definitions/a", "maxLength": 0}',
    "null",
    '"a"',
  ],
  [7, '{"dependencies": {"a": ["b"]}}', '{"b": 1}', '{"a": 1}'],
  [7, '{"items": [{"type": "null"}], "additionalItems": false}', "[null]", "[null, 1]"],
  [
    2019,
    '{"$recursiveAnchor": true, "items": {"$recursiveRef": "#"}, "type": "array"}',
    "[[]]",
    "[1]",
  ],
  ["openapi-3.0", '{"type": "string", "nullable": true, "enum": ["a"]}', "null", '"b"'],
  ["openapi-3.0", '{"allOf": [{"nullable": true, "type": "object"}]}', "null", "1"],
  [2020, '{"nullable": true, "type": "string"}', '"a"', "null"],
  [
    2020,
    '{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}',
    '{"a": 1}',
    '{"b": 1}',
  ],
])("dialect %s: %s", (dialect, schema, valid, invalid) => {
  expect(check(schema, valid, dialect)).toEqual([]);
  expect(check(schema, invalid, dialect)).not.toEqual([]);
});

const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, 1.5, -0.5));
const word = fc.constantFrom("", "a", "b", "ab", "aa");
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    number,
    word,
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 3 }),
    // For ajv an object without a prototype equals no other.
    fc.dictionary(word, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));
const { schema } = fc.letrec<{ schema: object | boolean }>((tie) => {
  const inner = tie("schema");
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const size = fc.nat({ max: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      fc.record(
        {
          type: fc.constantFrom("integer", "number", "string", "array", "object", [
            "null",
            "boolean",
          ]),
          const: value,
          enum: fc.uniqueArray(value, {
            minLength: 1,
            maxLength: 3,
            selector: (one) => JSON.stringify(one),
          }),
          minimum: number,
          exclusiveMaximum: number,
          minLength: size,
          maxItems: size,
          uniqueItems: fc.boolean(),
          required: fc.uniqueArray(word, { maxLength: 2 }),
          properties: fc.dictionary(word, inner, { maxKeys: 2 }),
          patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), inner, { maxKeys: 2 }),
          additionalProperties: inner,
          unevaluatedProperties: inner,
          propertyNames: inner,
          prefixItems: list,
          items: inner,
          unevaluatedItems: inner,
          contains: inner,
          minContains: size,
          allOf: list,
          anyOf: list,
          oneOf: list,
          not: inner,
          if: inner,
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          then: inner,
          else: inner,
        },
        { requiredKeys: [] },
      ),
    ),
  };
});

test("random schemas allow what they allow by ajv", () => {
  fc.assert(
    fc.property(schema, value, (one, other) => {
      const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
      const texts = [one, other].map((part) => JSON.stringify(part)) as [string, string];
      expect(check(...texts).length === 0).toBe(ajv.validate(one, other));
    }),
    { numRuns: 60 },
  );
});
