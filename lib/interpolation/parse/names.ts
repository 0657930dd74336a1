const START = 1;
const PART = 2;

/** What an ASCII character may be in a name, by its code. */
const ASCII = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code++) ASCII[code] = PART;
for (let code = 0x41; code <= 0x5a; code++) ASCII[code] = START | PART;
for (let code = 0x61; code <= 0x7a; code++) ASCII[code] = START | PART;
ASCII[0x2d] = PART;
ASCII[0x5f] = START | PART;

const LETTER = /^\p{L}$/u;
const LETTER_MARK_DIGIT = /^[\p{L}\p{M}\p{Nd}]$/u;

/**
 * Tells by its first UTF-16 unit alone whether a character might begin a placeholder's content: a
 * quick look that lets few others pass, which {@link nameStartWidth} then tells for certain.
 */
export function mayBeginContent(code: number): boolean {
  if (code >= 128) return true;
  return ((ASCII[code] as number) & START) !== 0 || code === 0x24 || code === 0x25;
}

/** How many UTF-16 units of a character that can begin a variable's name stand at `index`: 0 to 2. */
export function nameStartWidth(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return (ASCII[code] as number) & START;
  return widthOf(text, index, LETTER);
}

/** Where the run of characters that may stand in a name or property ends, from `index` on. */
export function nameEnd(text: string, index: number): number {
  let end = index;
  for (;;) {
    const code = text.charCodeAt(end);
    if (code < 128) {
      if (((ASCII[code] as number) & PART) === 0) return end;
      end++;
    } else {
      const width = widthOf(text, end, LETTER_MARK_DIGIT);
      if (width === 0) return end;
      end += width;
    }
  }
}

/**
 * Tells whether a placeholder could name this variable: a letter of any script or `_` first, then
 * letters, combining marks, digits, `_` and `-`.
 *
 * @param name The name as it would be given to `setVar`.
 */
export function isReachableName(name: string): boolean {
  const width = nameStartWidth(name, 0);
  return width > 0 && nameEnd(name, width) === name.length;
}

function widthOf(text: string, index: number, pattern: RegExp): number {
  const point = text.codePointAt(index);
  if (point === undefined) return 0;
  const character = String.fromCodePoint(point);
  return pattern.test(character) ? character.length : 0;
}
