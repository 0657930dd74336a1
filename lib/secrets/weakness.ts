/** Words that stand in most outputs: masking them would hide the page, and tell what is hidden. */
const COMMON: ReadonlySet<string> = new Set(
  (
    "true false null undefined none yes no on off ok test demo user users admin root guest name " +
    "value data json text html http https get post put patch delete head localhost example string " +
    "number object array boolean token secret password apikey basic bearer digest hidden redacted " +
    "masked default required optional invalid expired missing enabled disabled active status error " +
    "application content type date time message title body bytes header headers request response " +
    "requests responses successful informational redirection redirect unassigned client server cookie " +
    "cookies cell cells warning reason row rows column columns more empty binary location link accept " +
    "host connection close keep-alive chunked gzip identity utf-8 charset application/json text/html " +
    "text/plain restlab function symbol promise object base placeholder variable variables"
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
  const characters = [...text.trim()];
  const { length } = characters;
  if (length === 0) return "it is blank, and blanks stand everywhere";
  if (length < SHORTEST) {
    return `it has ${length} ${length === 1 ? "character" : "characters"}, and to mask so short a text would hide half of what is shown; at least ${SHORTEST} are needed`;
  }
  if (/^[-+.\s]*\d[-+.\d\s]*$/.test(text) && text.replace(/\D/g, "").length < SHORTEST_NUMBER) {
    return `it is a number of ${text.replace(/\D/g, "").length} digits, and sizes, ports and times look like it; at least ${SHORTEST_NUMBER} are needed`;
  }
  if (COMMON.has(text.trim().toLowerCase())) {
    return "it is a common word, which stands in most of what is shown";
  }
  if (new Set(characters).size < 3) {
    return "it repeats one or two characters, as rules and blanks do";
  }
  if (text.length > LONGEST) return `it has more than ${LONGEST} characters`;
  return undefined;
}
