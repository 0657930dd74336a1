/** Shortens a text for a message, without splitting a surrogate pair. */
export function shorten(text: string, length = 60): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
