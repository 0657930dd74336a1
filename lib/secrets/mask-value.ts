import type { Masking } from "./combine.ts";
import { createMasker, type Masker } from "./masker.ts";
import { HIDDEN } from "./names/mod.ts";
import { createRedactor, type Redactor } from "./redactor.ts";

/** What is nested deeper is hidden: no view shows it, and recursion has its limits. */
const DEEPEST = 1_000;

/**
 * A copy of data without secrets: keys, texts and numbers in which one is found are masked, and so
 * are members whose names say that they are secret, even if their texts are too common to be searched
 * for. An object that is neither a list nor plain, a Date for example, is left as it is.
 *
 * @param masker Keeps what was searched; one for this value alone unless told.
 */
export function maskValue(
  value: unknown,
  masking: Masking,
  masker: Masker = createMasker(masking),
): unknown {
  masker.searchAll(textsOf(value, 0));
  return copy(
    value,
    createRedactor((text) => masker.mask(text), masking.isSecretName),
    0,
  );
}

/**
 * The same by search alone. The names in data that a program made, a chart for example, need not mean
 * what they say.
 */
export function maskFound(value: unknown, masking: Masking): unknown {
  return maskValue(value, { ...masking, isSecretName: () => false });
}

function* textsOf(value: unknown, depth: number): Generator<string> {
  if (isLeaf(value)) yield String(value);
  if (!isContainer(value) || depth > DEEPEST) return;
  for (const [key, item] of Object.entries(value)) {
    if (!Array.isArray(value)) yield key;
    yield* textsOf(item, depth + 1);
  }
}

function copy(value: unknown, redactor: Redactor, depth: number): unknown {
  if (isLeaf(value)) {
    const text = String(value);
    const masked = typeof value === "string" ? redactor.text(text) : redactor.number(text);
    return masked === text ? value : masked;
  }
  if (!isContainer(value)) return value;
  if (depth > DEEPEST) return HIDDEN;
  if (Array.isArray(value)) return value.map((item) => copy(item, redactor, depth + 1));
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) {
    result[freeName(redactor.key(key), result)] = copy(item, redactor.at(key), depth + 1);
  }
  return { ...result };
}

/** Two keys may be masked alike. */
function freeName(name: string, taken: object): string {
  let free = name;
  for (let count = 2; free in taken; count++) free = `${name} (${count})`;
  return free;
}

/** Texts and numbers, including those that are kept as their text. */
function isLeaf(item: unknown): boolean {
  if (typeof item === "object") return item !== null && "isLosslessNumber" in item;
  return typeof item === "string" || typeof item === "number" || typeof item === "bigint";
}

function isContainer(item: unknown): item is object {
  if (typeof item !== "object" || item === null) return false;
  if (Array.isArray(item)) return true;
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
