import { describe, expect, test } from "vitest";
import { inferShape, type VerifyRule } from "../../lib/json/mod.ts";
import { compareResponses, type ResponseSummary, readSummary } from "../../lib/verify/mod.ts";

const USER = { id: 1, name: "Ada" };

function json(body: unknown, others: Partial<ResponseSummary> = {}): ResponseSummary {
  const type = "application/json";
  const shape = inferShape(body);
  return { method: "GET", url: "http://localhost/", status: 200, type, shape, body, ...others };
}

const EXACT: VerifyRule = { mode: "exact", ignore: [] };

describe("compareResponses", () => {
  test.each<
    [
      name: string,
      found: ResponseSummary,
      rule: VerifyRule | undefined,
      verdict: string,
      lines: string[],
    ]
  >([
    ["other values", json({ id: 2, name: "Bob" }), undefined, "same", []],
    [
      "a new member",
      json({ ...USER, age: 36 }),
      undefined,
      "compatible",
      ["$.age new: none → number"],
    ],
    [
      "a member that is gone",
      json({ id: 1 }),
      undefined,
      "drifted",
      ["$.name gone: string → none"],
    ],
    [
      "another type",
      json({ ...USER, id: "1" }),
      undefined,
      "drifted",
      ["$.id type: number → string"],
    ],
    [
      "another status",
      json(USER, { status: 500 }),
      undefined,
      "drifted",
      ["status value: 200 → 500"],
    ],
    [
      "another media type",
      json(USER, { type: "text/html" }),
      undefined,
      "drifted",
      ["type value: application/json → text/html"],
    ],
    ["an ignored path", json({ id: 1 }), { ignore: ["$.name"] }, "same", []],
    [
      "only the status, which is the same",
      json(1, { type: "" }),
      { mode: "status", ignore: [] },
      "same",
      [],
    ],
    [
      "only the status, which is another",
      json(USER, { status: 404 }),
      { mode: "status", ignore: [] },
      "drifted",
      ["status value: 200 → 404"],
    ],
    ["nothing", json(USER, { status: 500 }), { mode: "off", ignore: [] }, "skipped", []],
    ["values that are the same", json({ ...USER }), EXACT, "same", []],
    [
      "other values, exactly",
      json({ id: 2, name: "Ada" }),
      EXACT,
      "drifted",
      ["$.id value: 1 → 2"],
    ],
    [
      "other values, of which one is ignored",
      json({ id: 2, name: "Ada" }),
      { mode: "exact", ignore: ["$.id"] },
      "same",
      [],
    ],
  ])("%s", (_name, found, rule, verdict, lines) => {
    const comparison = compareResponses(json(USER), found, rule);
    const shown = comparison.differences.map(
      (one) => `${one.path} ${one.kind}: ${one.promised || "none"} → ${one.found || "none"}`,
    );
    expect({ verdict: comparison.verdict, lines: shown }).toEqual({ verdict, lines });
  });

  test("an empty body is not the JSON that was promised", () => {
    const { body: _body, shape: _shape, ...empty } = json(USER);
    expect(compareResponses(json(USER), empty).differences).toMatchObject([
      { path: "body", kind: "gone", promised: "JSON" },
    ]);
  });

  test("values that were not stored are a difference, which says so", () => {
    const { body: _body, ...promised } = json(USER);
    expect(compareResponses(promised, json(USER), EXACT).differences).toMatchObject([
      { path: "body", promised: "not stored" },
    ]);
    expect(
      compareResponses({ ...promised, omitted: ["body"] }, json(USER), EXACT).differences,
    ).toMatchObject([{ path: "body", promised: "too large to store" }]);
  });
});

describe("readSummary", () => {
  const response = { method: "GET", url: "http://localhost/", status: 200, type: "text/plain" };

  test("reads what was stored", () => {
    const stored = { ...response, name: "login", body: "x", omitted: ["shape"] };
    expect(readSummary({ restlab: { response: stored } })).toEqual(stored);
  });

  test.each([
    null,
    3,
    "restlab",
    [],
    {},
    { restlab: null },
    { restlab: { response: [] } },
    { restlab: { response: { ...response, status: "200" } } },
    { restlab: { response: { ...response, status: 1.5 } } },
    { restlab: { response: { ...response, url: null } } },
  ])("of %j it reads nothing", (metadata) => {
    expect(readSummary(metadata)).toBeUndefined();
  });

  test("passes over members of a wrong type", () => {
    const stored = { ...response, type: 3, name: {}, shape: [], omitted: "body" };
    expect(readSummary({ restlab: { response: stored } })).toEqual({ ...response, type: "" });
  });
});
