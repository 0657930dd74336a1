import {
  EVERY,
  JsonPathFault,
  type JsonPathSegment,
  type JsonPathSelector,
  type Path,
  parseJsonPath,
} from "../interpolation/mod.ts";

/** What is compared of a response, from lines `# @verify exact` and `# @ignore $.items[*].updatedAt`. */
export interface VerifyRule {
  /** Without one: the shape. */
  readonly mode?: "shape" | "exact" | "status" | "off" | undefined;
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
  return { mode, ignore };
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
  const ignore = [...new Set([...first.ignore, ...other.ignore])];
  return { mode: first.mode ?? other.mode, ignore };
}

/**
 * Parses a JSONPath (RFC 9535) that says which places of a body are meant, such as `$.items[*].updatedAt`.
 * It matches those places and everything within them. An index matches all items where the items of an
 * array have one shape; a negative one counts from the end of the list in the value that is given.
 *
 * @throws {SyntaxError} It is not a JSONPath, or it has a filter or a slice, which need values.
 */
export function parsePathPattern(text: string): (path: Path, root?: unknown) => boolean {
  const segments = parseSegments(text);
  return (path, root) => {
    // The segments that may apply to the next step.
    let open = new Set([0]);
    let value = root;
    for (const step of path) {
      if (open.has(segments.length)) break;
      const { length } = Array.isArray(value) ? value : [];
      open = new Set([...open].flatMap((at) => after(step, at, segments, length)));
      value = step === EVERY ? undefined : Reflect.get(Object(value), step);
    }
    return open.has(segments.length);
  };
}

function after(
  step: Path[number],
  at: number,
  segments: readonly JsonPathSegment[],
  length: number,
): number[] {
  const segment = segments[at] as JsonPathSegment;
  const next = segment.selectors.some((selector) => selects(selector, step, length))
    ? [at + 1]
    : [];
  return segment.deep ? [at, ...next] : next;
}

function selects(selector: JsonPathSelector, step: Path[number], length: number): boolean {
  if (selector.kind === "all") return true;
  if (selector.kind === "index") {
    const { index } = selector;
    return step === EVERY || step === (index < 0 ? length + index : index);
  }
  return selector.kind === "name" && (step === EVERY || step === selector.name);
}

function parseSegments(text: string): readonly JsonPathSegment[] {
  try {
    if (!text.startsWith("$")) throw new JsonPathFault(0, '"$"');
    const { path, end } = parseJsonPath(text, 0);
    if (end < text.length) throw new JsonPathFault(end, '".", "[" or the end');
    const needsValues = path.some(({ selectors }) => selectors.some(isConditional));
    if (!needsValues) return path;
  } catch (fault) {
    if (!(fault instanceof JsonPathFault)) throw fault;
    const message = `"${text}" is not a JSONPath: expected ${fault.expected} at character ${fault.at + 1}`;
    throw new SyntaxError(message);
  }
  throw new SyntaxError(`"${text}" has a filter or a slice; use names, indexes, "*" and ".."`);
}

function isConditional({ kind }: JsonPathSelector): boolean {
  return kind === "filter" || kind === "slice";
}
