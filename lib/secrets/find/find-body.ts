import { pairsInMarkup } from "./find-markup.ts";
import { type Pair, pairsIn } from "./find-pairs.ts";
import { pairsInForm } from "./find-url.ts";
import type { Found, NameRule } from "./names.ts";
import { findSecretValues } from "./secret-values.ts";

/** A body, and the path of a placeholder that refers to it, if there is one. */
interface Body {
  readonly text: string | (() => string);
  readonly mediaType: string;
  readonly path?: string | undefined;
}

/** Types of text in which secrets have names. */
const NAMING =
  /^$|^(?:text|multipart|message)\/|json|xml|form|ya?ml$|toml$|[/-]ini$|properties$|dotenv$|http$|script$|graphql|octet-stream$/;
/** In programs a value without quotes is a name. */
const QUOTING = /xml|html|script$|graphql/;
const FORM_LINE = /^[\w.%[\]-]{1,100}=\S*$/;
/** A longer text is not parsed just for its paths. */
const LONGEST_PARSED = 1_048_576;

/** The secrets of a body: fields of forms, members, lines, elements and attributes with secret names. */
export function findInBody(body: Body, isSecretName: NameRule, found: Found): void {
  const { mediaType, path } = body;
  if (!NAMING.test(mediaType)) return;
  const text = typeof body.text === "string" ? body.text : body.text();
  const secrets: string[] = [];
  let isNamed = false;
  for (const { value, isCut } of pairsInBody(text, mediaType, isSecretName)) {
    isNamed = true;
    if (isCut !== true) secrets.push(value);
  }
  if (isNamed && text.length <= LONGEST_PARSED) {
    try {
      findSecretValues(JSON.parse(text), { path, isSecretName }, found);
    } catch {
      // Without paths: the secrets were found in the text.
    }
  }
  // Reported last: the first report of a text decides its placeholder.
  for (const secret of secrets) found(secret);
}

/** The values below secret names in the text of a body, and where they stand. */
export function* pairsInBody(
  text: string,
  mediaType: string,
  isSecretName: NameRule,
): Generator<Pair> {
  if (!NAMING.test(mediaType)) return;
  const beginning = text.slice(0, 1_000).trimStart();
  if (mediaType.endsWith("x-www-form-urlencoded") || FORM_LINE.test(beginning)) {
    yield* pairsInForm(text, isSecretName);
    return;
  }
  if (text.includes("<")) yield* pairsInMarkup(text, isSecretName);
  if (mediaType.startsWith("multipart/")) yield* pairsInFields(text, isSecretName);
  const isJson = /json|event-stream/.test(mediaType) || /^[{[]/.test(beginning);
  const isQuoting = QUOTING.test(mediaType) || beginning.startsWith("<");
  yield* pairsIn(text, isSecretName, isJson ? "json" : isQuoting ? "quoted" : "bare");
}

/** `Content-Disposition: form-data; name="password"`, other headers, a blank line, and the value. */
const FIELD =
  /^content-disposition:([^\r\n]{0,4000})(?:\r?\n[^\r\n]{1,2000}){0,5}\r?\n\r?\n([^\r\n]+)/gim;
// Searched for by itself: in the pattern above, each place of a name would be tried with each value.
const FIELD_NAME = /[;\s]name="?([^"\r\n;]{1,200})/i;

// Stops the parts of `multipart/form-data` in requests that are shown, and in answers that echo them.
function* pairsInFields(text: string, isSecretName: NameRule): Generator<Pair> {
  for (const { index, 0: whole, 1: disposition = "", 2: value = "" } of text.matchAll(FIELD)) {
    const [, name = ""] = FIELD_NAME.exec(disposition) ?? [];
    const end = index + whole.length;
    if (isSecretName(name)) yield { start: end - value.length, end, value };
  }
}
