/** Cuts long events of an event stream that arrives in chunks. */
interface EventCutter {
  /** Returns what is kept of a chunk. */
  take(text: string): string;
  /** The number of events cut, including one that has not ended. */
  readonly count: number;
}

/**
 * Creates a cutter that limits the characters of each event, so that the parser after it does not buffer
 * more. It also drops comments, since a stream may contain nothing else for hours.
 *
 * @param most The number of characters of an event that are kept.
 */
export function createEventCutter(most: number): EventCutter {
  let left = most;
  let count = 0;
  let isCut = false;
  /** The current line: its length so far, how much of it was kept, whether it is a comment. */
  let line = { length: 0, kept: 0, isComment: false };
  /** What was kept of a CR at the end of a chunk; an LF at the start of the next belongs to it. */
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
