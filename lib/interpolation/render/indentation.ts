/**
 * Creates a function that gives the indentation of the line that an offset lies in. For ascending
 * offsets it reads the text once, however long its lines are.
 */
export function createIndentation(source: string): (offset: number) => string {
  let lineStart = 0;
  let lineEnd = -1;
  return (offset) => {
    if (offset < lineStart) [lineStart, lineEnd] = [0, -1];
    for (;;) {
      if (lineEnd < lineStart) lineEnd = endOfLine(source, lineStart);
      if (lineEnd >= offset) break;
      lineStart = lineEnd + 1;
    }
    let end = lineStart;
    while (end < offset && (source[end] === " " || source[end] === "\t")) end += 1;
    return source.slice(lineStart, end);
  };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}
