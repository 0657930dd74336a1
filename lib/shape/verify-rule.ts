import { parsePathPattern } from "./path-pattern.ts";

/** What is compared of a response, from lines `# @verify exact` and `# @ignore $.items[*].updatedAt`. */
export interface VerifyRule {
  /** Without one: the shape. */
  readonly mode?: "shape" | "exact" | "status" | "off";
  /** JSONPaths of what is not compared. */
  readonly ignore: readonly string[];
}

const MODES = ["shape", "exact", "status", "off"] as const satisfies readonly VerifyRule["mode"][];

/**
 * Reads a rule.
 *
 * @param entries The keys `verify` and `ignore` with their values; others, and invalid values, are passed over.
 * @returns `undefined` if there is none.
 */
export function readVerifyRule(
  entries: readonly (readonly [key: string, value: unknown])[],
): VerifyRule | undefined {
  const valid = entries.filter(([key, value]) => verifyRuleFault(key, value) === undefined);
  const valuesOf = (key: string): readonly unknown[] =>
    valid.filter((entry) => entry[0] === key).map(([, value]) => value);
  const mode = MODES.find((one) => one === valuesOf("verify").at(-1));
  const ignore = valuesOf("ignore") as readonly string[];
  if (mode === undefined && ignore.length === 0) return undefined;
  return { ...(mode === undefined ? {} : { mode }), ignore };
}

/** Why a value cannot be used, and what to write. */
export function verifyRuleFault(
  key: string,
  value: unknown,
): { readonly message: string; readonly hint: string } | undefined {
  if (key === "verify") {
    if (MODES.some((mode) => mode === value)) return undefined;
    const hint = `Write ${MODES.join(", ")}`;
    return { message: `${JSON.stringify(value)} is unknown as a value of "verify"`, hint };
  }
  if (key !== "ignore") return undefined;
  const hint = "Write a JSONPath such as $.items[*].updatedAt";
  if (typeof value !== "string") return { message: 'A value of "ignore" is not a string', hint };
  try {
    parsePathPattern(value);
    return undefined;
  } catch (error) {
    return { message: (error as Error).message, hint };
  }
}

/** The rule of two of which the first takes precedence; the paths of both are left out. */
export function mergeVerifyRules(
  first: VerifyRule | undefined,
  other: VerifyRule | undefined,
): VerifyRule | undefined {
  if (first === undefined || other === undefined) return first ?? other;
  return { ...other, ...first, ignore: [...new Set([...first.ignore, ...other.ignore])] };
}
