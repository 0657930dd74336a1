import { describe, expect, test } from "vitest";
import { z } from "zod";
import { toMatchSchema } from "../../../kernel/session/schema-matcher.ts";

const check = (value: unknown, schema: unknown) =>
  toMatchSchema.call({ isNot: false }, value, schema);

const User = z.object({ id: z.number(), tags: z.array(z.string()) });

describe("the matcher of schemas", () => {
  test("takes a schema of zod", async () => {
    expect(await check({ id: 1, tags: ["a"] }, User)).toMatchObject({ pass: true });
    const verdict = await check({ id: 1, tags: ["a", 2] }, User);
    expect(verdict).toMatchObject({ pass: false, actual: 2, meta: { path: "$.tags[1]" } });
    expect(verdict.message()).toContain("expected string");
  });

  test("takes an asynchronous schema of zod", async () => {
    const schema = User.refine(async ({ id }) => id === 1, { message: "is not one", path: ["id"] });
    expect(await check({ id: 1, tags: [] }, schema)).toMatchObject({ pass: true });
    const verdict = await check({ id: 2, tags: [] }, schema);
    expect(verdict).toMatchObject({ pass: false, meta: { path: "$.id" } });
    expect(verdict.message()).toContain("is not one");
  });

  test("takes a JSON Schema that zod has written", async () => {
    const schema = z.toJSONSchema(User);
    expect(await check({ id: 1, tags: ["a"] }, schema)).toMatchObject({ pass: true });
    expect(await check({ id: "1", tags: [] }, schema)).toMatchObject({
      pass: false,
      actual: "1",
      meta: { path: "$.id" },
    });
  });

  test("does not change the schema, and evaluates none of it", async () => {
    const schema = Object.freeze({
      $defs: Object.freeze({ a: { type: "string" } }),
      $ref: "#/$defs/a",
    });
    const before = JSON.stringify(schema);
    expect(await check("a", schema)).toMatchObject({ pass: true });
    expect(JSON.stringify(schema)).toBe(before);
    expect(Reflect.ownKeys(schema.$defs.a)).toEqual(["type"]);
  });

  test.each<[unknown, RegExp]>([
    [{ type: "strin" }, /at #\/type is "strin": Expected one of "null"/],
    [{ type: [] }, /at #\/type is \[\]: 0 items are fewer than 1/],
    [{ items: 3 }, /at #\/items is 3: Expected an object or a boolean, found an integer/],
    [{ anyOf: [] }, /at #\/anyOf is \[\]: 0 items are fewer than 1/],
    [{ prefixItems: {} }, /at #\/prefixItems is \{\}: Expected an array, found an object/],
    [
      { properties: { a: { minLength: -1 } } },
      /at #\/properties\/a\/minLength is -1: -1 is less than 0/,
    ],
    [
      { patternProperties: { "(": {} } },
      /at #\/patternProperties is \{"\(":\{\}\}: Name "\(": Is not of the format "regex"/,
    ],
    [{ not: { multipleOf: 0 } }, /at #\/not\/multipleOf is 0: 0 is not greater than 0/],
    [{ enum: "a" }, /at #\/enum is "a": Expected an array, found a string/],
    [{ $ref: "other.json" }, /"other.json" does not exist in it/],
    [{ $schema: "http://json-schema.org/draft-03/schema#" }, /draft-03\/schema#" is not supported/],
    ["string", /neither a JSON Schema, which is an object, nor a Standard Schema/],
    [[], /neither a JSON Schema/],
  ])("says what is wrong with %j", (schema, message) => {
    expect(() => check({}, schema)).toThrow(message);
  });

  test.each([
    [9007199254740993n, { maximum: 9007199254740992 }, false],
    [9007199254740993n, { exclusiveMinimum: 9007199254740992, type: "integer" }, true],
    [{ n: [12345678901234567890n] }, { properties: { n: { items: { multipleOf: 10 } } } }, true],
    [19.99, { multipleOf: 0.01 }, true],
  ])("numbers keep their digits: %s by %j", async (value, schema, pass) => {
    expect(await check(value, schema)).toMatchObject({ pass });
  });

  test("leaves keywords that it does not know alone", async () => {
    const schema = {
      example: { type: 5 },
      "x-note": { properties: 3 },
      default: { type: "strin" },
    };
    expect(await check({}, schema)).toMatchObject({ pass: true });
  });
});
