import { isRecord, shorten } from "../interpolation/mod.ts";
import type { ShapeDifference } from "./compare.ts";
import type { Path } from "./path.ts";

/** What is left out of a comparison. */
export interface ValueRules {
  /** Which places are not compared, with everything within them. */
  readonly isIgnored?: (path: Path) => boolean;
  /** Which strings equal any value, for example those that mask a secret. */
  readonly isUnknown?: (text: string) => boolean;
}

/** Deeper values are not compared: the stack has no room for them. */
const DEEPEST = 500;
const LONGEST = 80;

/**
 * Compares two values as `JSON.parse` returns them. The order of members does not matter.
 *
 * @returns The differences, in the order of the promised value; none of them is compatible.
 */
export function compareValues(
  promised: unknown,
  found: unknown,
  rules: ValueRules = {},
): readonly ShapeDifference[] {
  return [...compareLevel(promised, found, [], rules)];
}

function* compareLevel(
  promised: unknown,
  found: unknown,
  path: Path,
  rules: ValueRules,
): Generator<ShapeDifference> {
  const { isIgnored, isUnknown = () => false } = rules;
  if (path.length > DEEPEST || isIgnored?.(path) === true) return;
  if ([promised, found].some((one) => typeof one === "string" && isUnknown(one))) return;
  const isList = Array.isArray(promised) && Array.isArray(found);
  if (isList && promised.length !== found.length) {
    yield differ("value", path, countOf(promised), countOf(found));
    return;
  }
  if (isList || (isRecord(promised) && isRecord(found))) {
    yield* compareMembers(promised, found, path, rules);
  } else if (promised === undefined || found === undefined) {
    yield differ(found === undefined ? "gone" : "new", path, textOf(promised), textOf(found));
  } else if (JSON.stringify(promised) !== JSON.stringify(found)) {
    yield differ("value", path, textOf(promised), textOf(found));
  }
}

function* compareMembers(
  promised: object,
  found: object,
  path: Path,
  rules: ValueRules,
): Generator<ShapeDifference> {
  const before = new Map<string, unknown>(Object.entries(promised));
  const after = new Map<string, unknown>(Object.entries(found));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const step = Array.isArray(promised) ? Number(name) : name;
    yield* compareLevel(before.get(name), after.get(name), [...path, step], rules);
  }
}

function differ(
  kind: ShapeDifference["kind"],
  path: Path,
  promised: string,
  found: string,
): ShapeDifference {
  return { path, kind, promised, found, compatible: false };
}

function textOf(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "", LONGEST);
}

function countOf({ length }: readonly unknown[]): string {
  return `${length} item${length === 1 ? "" : "s"}`;
}
