/** Cuts long events of an event stream that comes in pieces. */
export interface EventCutter {
  /** What is left of a piece. */
  take(text: string): string;
  /** How many events were cut, one that has not ended among them. */
  readonly count: number;
}

/**
 * Creates what keeps so many characters of each event and drops the rest of it up to its blank line, so
 * that nobody behind it holds more of one. Comments go as well: a stream may have nothing else for hours.
 *
 * @param most How many characters of an event are kept.
 */
export function createEventCutter(most: number): EventCutter {
  let left = most;
  let count = 0;
  let isCut = false;
  /** Of the line that has begun: how much has come, how much was kept, whether it is a comment. */
  let line = { length: 0, kept: 0, isComment: false };
  /** What was left of a return that a piece ends with; the line feed behind it belongs to it. */
  let lastReturn: string | undefined;

  function takePart(text: string): string {
    if (line.length === 0) line.isComment = text.startsWith(":");
    line.length += text.length;
    if (line.isComment) return "";
    const kept = text.slice(0, left);
    if (kept.length < text.length) isCut = true;
    left -= kept.length;
    line.kept += kept.length;
    return kept;
  }

  function takeEnd(end: string): string {
    const { length, kept } = line;
    line = { length: 0, kept: 0, isComment: false };
    if (length > 0) return kept > 0 ? end : "";
    if (isCut) count += 1;
    isCut = false;
    left = most;
    return end;
  }

  return {
    get count() {
      return count + (isCut ? 1 : 0);
    },
    take: (text) => {
      const parts: string[] = [];
      let from = 0;
      if (lastReturn !== undefined && text.startsWith("\n")) {
        if (lastReturn !== "") parts.push("\n");
        from = 1;
      }
      if (text !== "") lastReturn = undefined;
      const ends = /\r\n?|\n/g;
      ends.lastIndex = from;
      for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
        const kept = takePart(text.slice(from, end.index));
        const keptEnd = takeEnd(end[0]);
        parts.push(kept, keptEnd);
        from = ends.lastIndex;
        if (end[0] === "\r" && from === text.length) lastReturn = keptEnd;
      }
      parts.push(takePart(text.slice(from)));
      return parts.join("");
    },
  };
}
