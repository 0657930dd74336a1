import type { StreamLine } from "./items.ts";
import type { ParseJson, TextSplitter } from "./text-splitter.ts";

/** The maximum number of characters of a line. */
const LONGEST_LINE = 64 * 1024 * 1024;
const RECORD_SEPARATOR = "\u001e";

/**
 * Splits JSON Lines and JSON text sequences (RFC 7464); blank lines are dropped.
 *
 * @param longest Cuts lines after this number of characters; by default, far longer ones are an error.
 */
export function splitLines(
  parseJson: ParseJson,
  longest: number | undefined,
): TextSplitter<StreamLine> {
  const most = longest ?? LONGEST_LINE;
  // A list of chunks: appending to a long string would copy it for each of them.
  let pieces: string[] = [];
  let length = 0;
  let cut = 0;
  const add = (text: string): void => {
    if (length < most) pieces.push(text.slice(0, most - length));
    if (length <= most && length + text.length > most) {
      if (longest === undefined) {
        throw new RangeError(`Cannot read JSON Lines: a line exceeds ${most} characters`);
      }
      cut += 1;
    }
    length += text.length;
  };
  const take = (lines: StreamLine[]): void => {
    const line = pieces.join("").replace(/\r$/, "");
    pieces = [];
    length = 0;
    const text = line.startsWith(RECORD_SEPARATOR) ? line.slice(1) : line;
    if (text.trim() !== "") lines.push(createLine(text, parseJson));
  };
  return {
    push(text) {
      const lines: StreamLine[] = [];
      let from = 0;
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
        add(text.slice(from, at));
        take(lines);
        from = at + 1;
      }
      if (from < text.length) add(text.slice(from));
      return lines;
    },
    get cut() {
      return cut;
    },
    end() {
      const lines: StreamLine[] = [];
      take(lines);
      return lines;
    },
  };
}

function createLine(text: string, parseJson: ParseJson): StreamLine {
  return {
    kind: "line",
    text,
    get json() {
      return parseJson(text);
    },
  };
}
