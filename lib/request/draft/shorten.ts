/** A text as a message quotes it: its beginning, where it is long, without half a character. */
export function shorten(text: string, length = 60): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
