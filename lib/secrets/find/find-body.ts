import type { Found, NameRule } from "../names/mod.ts";
import { findInMarkup } from "./find-markup.ts";
import { findInLines, findInPairs, findInStrings } from "./find-pairs.ts";
import { findInHeaderLines } from "./find-source.ts";
import { findInForm } from "./find-url.ts";
import { findSecretValues } from "./secret-values.ts";

/** A body, and the path of a placeholder that refers to it, if there is one. */
export interface Body {
  readonly text: string;
  readonly path: string | undefined;
}

type Finder = (body: Body, isSecretName: NameRule, found: Found) => void;

/** A longer text is not parsed just for its paths. */
const LONGEST_PARSED = 1_048_576;

const form: Finder = ({ text }, isSecretName, found) => findInForm(text, isSecretName, found);

/** With the paths of the secrets if the text can be parsed. */
const json: Finder = ({ text, path }, isSecretName, found) => {
  const secrets: string[] = [];
  const take: Found = (secret) => void secrets.push(secret);
  const isInside = findInStrings(text, isSecretName, take);
  const isNamed = findInPairs(text, isSecretName, take) || isInside;
  if (isNamed && text.length <= LONGEST_PARSED) {
    try {
      const value: unknown = JSON.parse(text);
      findSecretValues(value, { path, state: "open", isSecretName }, found);
    } catch {
      // Without paths: the secrets were found in the text.
    }
  }
  // Reported last: the first report of a text decides its placeholder.
  for (const secret of secrets) found(secret);
};

const markup =
  (isHtml: boolean): Finder =>
  (body, isSecretName, found) => {
    findInMarkup(body.text, isHtml, isSecretName, found);
    // Scripts of a page contain JSON and assignments.
    if (isHtml) json(body, isSecretName, found);
  };

const lines =
  (isProse: boolean): Finder =>
  (body, isSecretName, found) => {
    findInLines(body.text, isProse, isSecretName, found);
    json(body, isSecretName, found);
  };

const messages: Finder = (body, isSecretName, found) => {
  findInHeaderLines(body.text, found);
  lines(true)(body, isSecretName, found);
};

/** `Content-Disposition: form-data; name="password"`, a blank line, and the value. */
const FIELD =
  /^content-disposition:[^\r\n]{0,2000}?[;\s]name="?([^"\r\n;]{1,200})"?[^\r\n]{0,2000}(?:\r?\n[^\r\n]{1,2000}){0,5}\r?\n\r?\n([^\r\n]{1,16384})/gim;

const fields: Finder = (body, isSecretName, found) => {
  for (const [, name = "", value = ""] of body.text.matchAll(FIELD)) {
    if (isSecretName(name)) found(value);
  }
  messages(body, isSecretName, found);
};

/** A body whose type says too little is recognized by its beginning. */
const unnamed: Finder = (body, isSecretName, found) => {
  const begin = body.text.slice(0, 1_000).trimStart();
  if (/^[\w.%[\]-]{1,100}=[^\s]*$/.test(begin)) form(body, isSecretName, found);
  const page = /^<(!doctype html|html|head|body|[!?a-z])/i.exec(begin)?.[1];
  if (page !== undefined) markup(page.length > 1)(body, isSecretName, found);
  else if (/^[{[]/.test(begin)) json(body, isSecretName, found);
  else lines(true)(body, isSecretName, found);
};

const bytes: Finder = (body, isSecretName, found) => {
  if (/^\s{0,100}[{[<]/.test(body.text)) unnamed(body, isSecretName, found);
};

/** The finders by media type; the first that matches counts. */
const FINDERS: readonly (readonly [mediaType: RegExp, finder: Finder])[] = [
  [/x-www-form-urlencoded$/, form],
  [/^multipart\//, fields],
  [/json|event-stream|graphql|(?:java|ecma)script$/, json],
  [/^text\/html$|xhtml\+xml$/, markup(true)],
  [/[/+]xml(?:-|$)/, markup(false)],
  [/ya?ml$|toml$|[/-]ini$|properties$|dotenv$/, lines(false)],
  [/^(?:application|message)\/http$/, messages],
  [/^$|^text\//, unnamed],
  [/^(?:application|binary)\/octet-stream$/, bytes],
];

/** The finder for bodies of a media type, if anything can be found in them. */
export function finderOf(mediaType: string): Finder | undefined {
  return FINDERS.find(([pattern]) => pattern.test(mediaType))?.[1];
}
