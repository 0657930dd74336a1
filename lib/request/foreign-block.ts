import { type Span, shorten } from "../interpolation/mod.ts";
import { type Line, lineAt, trimLine } from "./line.ts";
import { scriptAt, startsPreRequestScript, unsupportedScript } from "./scripts.ts";

/** Lines that stand where a request is expected but are not one, and what to do about them. */
interface ForeignBlock {
  readonly message: string;
  readonly hint: string;
  /** The first line. */
  readonly span: Span;
  /** The start of the line after the block. */
  readonly next: number;
}

const SCRIPT_HINT =
  "Remove it, and do its work in a TypeScript cell of a notebook or as @name = value";

/** What scripts and assertions begin with. */
const SCRIPTS: readonly (readonly [start: RegExp, message: string])[] = [
  [/^(?:\?\?|HTTP)/, "An assertion without a request above it is not run"],
  [/^>/, "A response handler without a request above it is not run"],
];

/** What request files of other tools contain, and what belongs in other files. */
const OTHERS: readonly (readonly [start: RegExp, what: string, hint: string])[] = [
  [/^>/, "a script line of resterm", SCRIPT_HINT],
  [
    /^gql\b/,
    "a GraphQL block of httpYac",
    "Write a fragment as gql Name < ./file.graphql, or begin it with fragment Name on Type",
  ],
  [
    /^(?:query|mutation|subscription)\b.*[({]/,
    "a GraphQL query",
    'Write "GRAPHQL" and a URL above it, and a blank line between them',
  ],
  [/^proto\s+</, "an import of a proto file", "Remove it: gRPC is not supported"],
  [
    /^HTTP\/\d(?:\.\d)?\s+\d{3}\b/,
    "a kept response",
    'Remove it, or the line "###" between it and its request',
  ],
  [
    /^(?:%%ts\b|(?:const|let|var|function|class|async|await|import|export|return)\s|(?:if|for|while)\s*\(|(?:console|client)\.)/,
    "code",
    "Write code into a cell of a notebook, or run it with restlab -e",
  ],
  [
    /^(?:\{(?!\{)|\[(?![\da-f:.]*:)|"[^"]*"\s*:)/i,
    "a body without a request",
    "Write a method and a URL above it, and a blank line",
  ],
];

/**
 * Recognizes a block of another tool, or of another language, by its first line.
 *
 * @returns `undefined` if the line may be a request line.
 */
export function foreignBlockAt(source: string, line: Line): ForeignBlock | undefined {
  const span = trimLine(line);
  const text = source.slice(span.start, span.end);
  if (startsPreRequestScript(line.text)) {
    const [, message = ""] = SCRIPTS.find(([start]) => start.test(text)) ?? [];
    const reason = unsupportedScript(text) ?? { message, hint: SCRIPT_HINT };
    return { ...reason, span, next: scriptAt(source, line).next };
  }
  const found = OTHERS.find(([start]) => start.test(text));
  if (found === undefined) return undefined;
  const [, what, hint] = found;
  const message = `Expected a request line, found ${what}: "${shorten(text)}"`;
  // The body of a response may be anything, up to the next separator.
  const isResponse = what === "a kept response";
  return { message, hint, span, next: endOfBlock(source, line, !isResponse) };
}

/** The end of a paragraph: a blank line outside of braces, unless it does not end there, or a separator. */
export function endOfBlock(source: string, first: Line, endsAtBlank = true): number {
  let depth = 0;
  let line = first;
  for (;;) {
    depth += count(line.text, "{") - count(line.text, "}");
    if (line.next >= source.length) return source.length;
    line = lineAt(source, line.next);
    if (line.text.startsWith("###")) return line.start;
    if (endsAtBlank && depth <= 0 && line.text.trim() === "") return line.next;
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}
