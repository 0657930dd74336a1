/** A character, or a text of several. */
type Part =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "set"; readonly set: RegExp };

/** The pattern between two stars: all its matches have the same number of characters. */
interface Segment {
  readonly parts: readonly Part[];
  readonly length: number;
}

/** Bounds the time of a search, which is at most the product of the lengths of pattern and text. */
const LONGEST = 1000;

/**
 * Compiles a glob of SQLite, which IPython searches with: `*`, `?` and sets in brackets.
 *
 * No star is matched twice: the first match of the segment after it is as good as any later one. A
 * regular expression would try them all, for each star.
 *
 * @returns Whether a whole text matches.
 * @throws {RangeError} The glob is longer than 1,000 characters.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  if (glob.length > LONGEST) {
    throw new RangeError(
      `Searching the history failed: the pattern has ${glob.length} characters, more than ${LONGEST}`,
    );
  }
  const [first = EMPTY, ...others] = parseSegments(glob);
  const last = others.pop();

  return (text) => {
    let position = matchAt(text, 0, first);
    if (last === undefined) return position === text.length;
    for (const segment of others) {
      if (position === undefined) return false;
      position = findAfter(text, position, segment);
    }
    const start = stepBack(text, last.length);
    if (position === undefined || start === undefined || start < position) return false;
    return matchAt(text, start, last) === text.length;
  };
}

const EMPTY: Segment = { parts: [], length: 0 };

function parseSegments(glob: string): readonly Segment[] {
  const segments: Part[][] = [[]];
  for (const [part] of glob.matchAll(/\*+|\?|\[\^?\]?[^\]]*\]|[^*?[]+|\[/g)) {
    if (part.startsWith("*")) segments.push([]);
    else segments.at(-1)?.push(toPart(part));
  }
  return segments.map((parts) => ({
    parts,
    length: parts.reduce(
      (sum, part) => sum + (part.kind === "text" ? [...part.text].length : 1),
      0,
    ),
  }));
}

function toPart(part: string): Part {
  if (part === "?") return { kind: "any" };
  if (part.length > 2 && part.startsWith("[")) return { kind: "set", set: toSet(part) };
  return { kind: "text", text: part };
}

function toSet(part: string): RegExp {
  const isNegated = part[1] === "^";
  const members = part.slice(isNegated ? 2 : 1, -1).replace(/[\\\][^]/g, "\\$&");
  try {
    return new RegExp(`^[${isNegated ? "^" : ""}${members}]$`, "u");
  } catch {
    // An invalid set such as `[z-a]` matches nothing.
    return /(?!)/;
  }
}

/** Where the segment ends if it matches here. */
function matchAt(text: string, start: number, { parts }: Segment): number | undefined {
  let position = start;
  for (const part of parts) {
    if (part.kind === "text") {
      if (!text.startsWith(part.text, position)) return undefined;
      position += part.text.length;
      continue;
    }
    const character = characterAt(text, position);
    if (character === "" || (part.kind === "set" && !part.set.test(character))) return undefined;
    position += character.length;
  }
  return position;
}

/** Where the first match of the segment from here on ends. */
function findAfter(text: string, from: number, segment: Segment): number | undefined {
  const [first] = segment.parts;
  let start = from;
  while (start <= text.length) {
    if (first?.kind === "text") start = text.indexOf(first.text, start);
    if (start < 0) return undefined;
    const end = matchAt(text, start, segment);
    if (end !== undefined) return end;
    start += characterAt(text, start).length || 1;
  }
  return undefined;
}

/** Where the last `count` characters of a text begin. */
function stepBack(text: string, count: number): number | undefined {
  let position = text.length;
  for (let step = 0; step < count; step++) {
    if (position === 0) return undefined;
    const isPair = position > 1 && characterAt(text, position - 2).length === 2;
    position -= isPair ? 2 : 1;
  }
  return position;
}

function characterAt(text: string, position: number): string {
  const point = text.codePointAt(position);
  return point === undefined ? "" : String.fromCodePoint(point);
}
