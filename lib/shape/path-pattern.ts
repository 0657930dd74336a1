import {
  JsonPathFault,
  type JsonPathSegment,
  type JsonPathSelector,
  parseJsonPath,
} from "../interpolation/mod.ts";
import { EVERY, type Path } from "./path.ts";

/**
 * Parses a JSONPath (RFC 9535) that says which places of a body are meant, such as `$.items[*].updatedAt`.
 * It matches those places and everything within them. An index matches all items where the items of an
 * array have one shape.
 *
 * @throws {SyntaxError} It is not a JSONPath, or it has a filter or a slice, which need values.
 */
export function parsePathPattern(text: string): (path: Path) => boolean {
  const segments = parseSegments(text);
  return (path) => {
    // The segments that may apply to the next step.
    let open = new Set([0]);
    for (const step of path) {
      if (open.has(segments.length)) break;
      open = new Set([...open].flatMap((at) => after(step, at, segments)));
    }
    return open.has(segments.length);
  };
}

function after(step: Path[number], at: number, segments: readonly JsonPathSegment[]): number[] {
  const segment = segments[at] as JsonPathSegment;
  const next = segment.selectors.some((selector) => selects(selector, step)) ? [at + 1] : [];
  return segment.deep ? [at, ...next] : next;
}

function selects(selector: JsonPathSelector, step: Path[number]): boolean {
  if (selector.kind === "all") return true;
  if (selector.kind === "index") return step === EVERY || step === selector.index;
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
