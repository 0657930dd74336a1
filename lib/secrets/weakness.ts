/** Words that stand in most outputs: masking them would hide the page, and tell what is hidden. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "true false null undefined none yes no on off ok test demo user users admin root guest name " +
    "value data json text html http https get post put patch delete head localhost example string " +
    "number object array boolean token secret password apikey basic bearer digest hidden redacted " +
    "masked default required optional invalid expired missing enabled disabled active status error " +
    "application content type date time message title"
  ).split(" "),
);

const SHORTEST = 4;
const SHORTEST_NUMBER = 6;
const LONGEST = 65_536;

/**
 * Says why a text cannot be masked safely, or nothing where it can. The reason does not hold the
 * text.
 */
export function whyUnsafe(text: string): string | undefined {
  const { length } = text.trim();
  if (length < SHORTEST) {
    return `it has ${length} ${length === 1 ? "character" : "characters"}, and to mask so short a text would hide half of what is shown; at least ${SHORTEST} are needed`;
  }
  if (/^[-+.\d\s]+$/.test(text) && length < SHORTEST_NUMBER) {
    return `it is a number of ${length} digits, and sizes, ports and times look like it; at least ${SHORTEST_NUMBER} are needed`;
  }
  if (COMMON.has(text.trim().toLowerCase())) {
    return "it is a common word, which stands in most of what is shown";
  }
  if (new Set(text.trim()).size < 3) {
    return "it repeats one or two characters, as rules and blanks do";
  }
  if (text.length > LONGEST) return `it has more than ${LONGEST} characters`;
  return undefined;
}
