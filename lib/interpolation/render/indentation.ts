/**
 * Makes a function that tells the blanks that a line begins with, up to an offset in that line.
 * Asked for ascending offsets it passes over the text once in all, however long its lines are.
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
    while (end < offset && isBlank(source.charCodeAt(end))) end++;
    return source.slice(lineStart, end);
  };
}

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end === -1 ? source.length : end;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
