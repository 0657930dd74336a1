import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { isReachableName, snapshotValue, type Value } from "../../lib/interpolation/mod.ts";
import { parseRequests, type RenderedRequest, renderRequest } from "../../lib/request/mod.ts";
import { thrownBy } from "./thrown.ts";

interface Vector {
  readonly name: string;
  readonly rule: string;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly request?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly bodyJson?: unknown;
  readonly bodyMultiline?: boolean;
  readonly error?: string;
  readonly errorMentions?: readonly string[];
  readonly setVarError?: boolean;
}

const path = new URL("../vectors/rendering.json", import.meta.url);
const vectors: readonly Vector[] = JSON.parse(readFileSync(path, "utf8"));

const TAGS: Readonly<Record<string, (content: never) => unknown>> = {
  $date: (text: string) => new Date(text),
  $bigint: (digits: string) => BigInt(digits),
  $number: (text: string) => Number(text),
  $invalidDate: () => new Date(Number.NaN),
  $cycle: () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;
    return cycle;
  },
  $function: () => () => 1,
  $repeat: ([text, count]: [string, number]) => text.repeat(count),
};

function untag(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(untag);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const tag = entries.length === 1 ? TAGS[entries[0]?.[0] ?? ""] : undefined;
  if (tag !== undefined) return tag(entries[0]?.[1] as never);
  return Object.fromEntries(entries.map(([key, inner]) => [key, untag(inner)]));
}

/** What `setVar` does before it stores a value. */
function store(vars: Vector["vars"]): ReadonlyMap<string, Value> {
  const variables = new Map<string, Value>();
  for (const [name, value] of Object.entries(vars)) {
    if (!isReachableName(name)) throw new TypeError(`Cannot store "${name}"`);
    variables.set(name, snapshotValue(untag(value), name));
  }
  return variables;
}

function render(vector: Vector): RenderedRequest {
  const [draft] = parseRequests(vector.request ?? "");
  if (draft === undefined) throw new Error(`The vector "${vector.name}" holds no request`);
  return renderRequest(draft, store(vector.vars));
}

describe("parseRequests and renderRequest pass the acceptance vectors", () => {
  test("there are at least 72 vectors", () => expect(vectors.length).toBeGreaterThanOrEqual(72));

  test.each(vectors)("$rule: $name", (vector) => {
    if (vector.setVarError) {
      expect(thrownBy(() => store(vector.vars))).toBeInstanceOf(TypeError);
      return;
    }
    if (vector.error !== undefined) {
      const error = thrownBy(() => render(vector));
      expect(error.name).toBe(vector.error);
      for (const mention of vector.errorMentions ?? []) expect(error.message).toContain(mention);
      return;
    }
    const rendered = render(vector);
    if (vector.url !== undefined) expect(rendered.url).toBe(vector.url);
    const named = new Map(rendered.headers.map(([name, value]) => [name.toLowerCase(), value]));
    for (const [name, value] of Object.entries(vector.headers ?? {})) {
      expect(named.get(name.toLowerCase())).toBe(value);
    }
    if (vector.headers !== undefined) {
      expect(
        [...named.keys()].filter((name) => name !== "content-type").length,
      ).toBeLessThanOrEqual(Object.keys(vector.headers).length);
    }
    if (vector.body !== undefined) expect(rendered.body).toBe(untag(vector.body));
    if (vector.bodyJson !== undefined) {
      expect(JSON.parse(rendered.body as string)).toEqual(vector.bodyJson);
      expect(rendered.warnings).toEqual([]);
    }
    if (vector.bodyMultiline) expect(rendered.body).toMatch(/\n\s/);
  });
});
