import { type Found, findInForm, findInHeaderLines, findInPairs } from "./find.ts";
import { findInJson } from "./find-json.ts";
import { findInLines } from "./find-lines.ts";
import { findInMarkup } from "./find-markup.ts";
import { findInMultipart } from "./find-multipart.ts";
import { findInSeparated } from "./find-separated.ts";
import { isPlaceholder } from "./hidden.ts";
import type { NameRule } from "./names.ts";

/** What looks through a body; JSON is looked for by whoever knows the way to its members. */
type Finder = (text: string, isSecretName: NameRule, found: Found, json: LookAtJson) => void;
type LookAtJson = (text: string) => void;

const form: Finder = (text, isSecretName, found) => findInForm(text, isSecretName, found);
const separated: Finder = (text, isSecretName, found) => findInSeparated(text, isSecretName, found);
const markup =
  (isHtml: boolean): Finder =>
  (text, isSecretName, found, json) => {
    findInMarkup(text, isHtml, isSecretName, found);
    // Pages carry JSON and assignments in their scripts.
    if (isHtml) code(text, isSecretName, found, json);
  };
const lines: Finder = (text, isSecretName, found, json) => {
  findInLines(text, false, isSecretName, found);
  json(text);
};
const code: Finder = (text, isSecretName, found, json) => {
  findInPairs(text, isSecretName, found);
  json(text);
};
const parts: Finder = (text, isSecretName, found, json) =>
  findInMultipart(text, isSecretName, found, (content, type) => {
    // Parts in parts are rare, and a body could nest them without an end.
    if (!type.startsWith("multipart/")) findInBody(content, type, isSecretName, found, json);
  });
const messages: Finder = (text, _isSecretName, found, json) => {
  findInHeaderLines(text, found);
  json(text);
};
const members: Finder = (text, isSecretName, found, json) => {
  json(text);
  // GraphQL has its arguments in a text: `login(password: \"…\")`.
  if (/:\s{0,20}\\"/.test(text)) findInPairs(text.replaceAll('\\"', '"'), isSecretName, found);
};

/** What cannot be told by its type is told by how it begins. */
const unnamed: Finder = (text, isSecretName, found, json) => {
  const begin = text.slice(0, 1_000).trimStart();
  if (/^[\w.%[\]-]{1,100}=[^\s]*$/.test(begin)) findInForm(text, isSecretName, found);
  else if (/^<[!?a-z]/i.test(begin)) findInMarkup(text, isPage(begin), isSecretName, found);
  else if (!/^[{[]/.test(begin)) findInLines(text, true, isSecretName, found);
  members(text, isSecretName, found, json);
};
const bytes: Finder = (text, isSecretName, found, json) => {
  if (/^\s{0,100}[{[<]/.test(text)) unnamed(text, isSecretName, found, json);
};

function isPage(begin: string): boolean {
  return /^<(?:!doctype html|html|head|body)/i.test(begin);
}

/** How the secrets of a body are found, by its media type; the first that fits counts. */
const FINDERS: readonly (readonly [mediaType: RegExp, finder: Finder])[] = [
  [/x-www-form-urlencoded$/, form],
  [/^multipart\//, parts],
  [/json|event-stream|graphql-response/, members],
  [/^text\/html$|xhtml\+xml$/, markup(true)],
  [/[/+]xml(?:-|$)/, markup(false)],
  [/csv$|separated-values$/, separated],
  [/ya?ml$|toml$|[/-]ini$|properties$|dotenv$/, lines],
  [/javascript|ecmascript|graphql|\/(?:x-)?(?:css|markdown|sh|python)$/, code],
  [/^(?:application|message)\/http$/, messages],
  [/^$|^text\//, unnamed],
  [/^(?:application|binary)\/octet-stream$/, bytes],
];

/** What looks through bodies of a media type, if anything can be found in them. */
export function finderOf(mediaType: string): Finder | undefined {
  return FINDERS.find(([pattern]) => pattern.test(mediaType))?.[1];
}

/**
 * The secrets of a body.
 *
 * @param json Looks through a text that may hold JSON.
 */
export function findInBody(
  text: string,
  mediaType: string,
  isSecretName: NameRule,
  found: Found,
  json: LookAtJson,
): void {
  finderOf(mediaType)?.(text, isSecretName, found, json);
}

/**
 * Whether a body holds something under a secret name, short words and numbers as well: those cannot be
 * masked, and are not to be given away either.
 */
export function holdsNamedSecret(text: string, mediaType: string, isSecretName: NameRule): boolean {
  let holds = false;
  const found: Found = (secret) => {
    if (secret.trim() !== "" && !isPlaceholder(secret)) holds = true;
  };
  findInBody(text, mediaType, isSecretName, found, (json) =>
    findInJson(json, undefined, isSecretName, found),
  );
  return holds;
}
