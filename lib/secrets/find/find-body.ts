import { findInMarkup } from "./find-markup.ts";
import { findInPairs } from "./find-pairs.ts";
import { findInForm } from "./find-url.ts";
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
const QUOTING = /json|xml|html|script$|graphql|event-stream/;
const FORM_LINE = /^[\w.%[\]-]{1,100}=\S*$/;
/** A longer text is not parsed just for its paths. */
const LONGEST_PARSED = 1_048_576;

/** The secrets of a body: fields of forms, members, lines, elements and attributes with secret names. */
export function findInBody(body: Body, isSecretName: NameRule, found: Found): void {
  const { mediaType, path } = body;
  if (!NAMING.test(mediaType)) return;
  const text = typeof body.text === "string" ? body.text : body.text();
  const beginning = text.slice(0, 1_000).trimStart();
  if (mediaType.endsWith("x-www-form-urlencoded") || FORM_LINE.test(beginning)) {
    findInForm(text, isSecretName, found);
    return;
  }
  if (text.includes("<")) findInMarkup(text, isSecretName, found);
  if (mediaType.startsWith("multipart/")) findInFields(text, isSecretName, found);
  const isQuoting = QUOTING.test(mediaType) || /^[{[<]/.test(beginning);
  const secrets: string[] = [];
  const collect: Found = (secret) => void secrets.push(secret);
  const isNamed = findInPairs(text, isSecretName, collect, isQuoting ? "quoted" : "bare");
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

/** `Content-Disposition: form-data; name="password"`, other headers, a blank line, and the value. */
const FIELD =
  /^content-disposition:([^\r\n]{0,4000})(?:\r?\n[^\r\n]{1,2000}){0,5}\r?\n\r?\n([^\r\n]{1,16384})/gim;
// Searched for by itself: in the pattern above, each place of a name would be tried with each value.
const FIELD_NAME = /[;\s]name="?([^"\r\n;]{1,200})/i;

// Stops the parts of `multipart/form-data` in requests that are shown, and in answers that echo them.
function findInFields(text: string, isSecretName: NameRule, found: Found): void {
  for (const [, disposition = "", value = ""] of text.matchAll(FIELD)) {
    const [, name = ""] = FIELD_NAME.exec(disposition) ?? [];
    if (isSecretName(name)) found(value);
  }
}
