import { unescapeText } from "./escapes.ts";
import {
  CREDENTIAL_HEADERS,
  type Found,
  findSecretValues,
  isCredentialHeader,
  type NameRule,
  secretsOfHeader,
} from "./names.ts";
import {
  findInForm,
  findInPairs,
  findInUrl,
  findInUrls,
  looksSecret,
  type Pair,
  pairsIn,
  pairsInForm,
  plainTextOf,
} from "./pairs.ts";
import { isHidden, isPlaceholder } from "./placeholders.ts";

/** Something that may contain secrets. */
export type Material =
  /** A cell or an entry of the prompt, as it was typed. */
  | { readonly kind: "source"; readonly text: string }
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "headers";
      readonly headers: Iterable<readonly [name: string, value: string]>;
    }
  | {
      readonly kind: "body";
      /** The text, or a function that decodes it when a mask is first needed. */
      readonly text: string | (() => string);
      readonly mediaType: string;
      /** The path of a placeholder that refers to the body. */
      readonly path?: string | undefined;
    }
  /** A value of a program. */
  | { readonly kind: "value"; readonly value: unknown };

/** Reports every text that is secret because of its place: below a secret name, in a URL, in a header. */
export function findIn(material: Material, isSecretName: NameRule, found: Found): void {
  if (material.kind === "source") findInSource(material.text, isSecretName, found);
  else if (material.kind === "url") findInUrl(material.url, isSecretName, found);
  else if (material.kind === "headers") findInHeaders(material.headers, isSecretName, found);
  else if (material.kind === "body") findInBody(material, isSecretName, found);
  else findSecretValues(material.value, { isSecretName }, found);
}

// Stops `Authorization: Bearer …`, `Set-Cookie: sid=…` and `Location: /?token=…` in views and errors.
function findInHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  isSecretName: NameRule,
  found: Found,
): void {
  for (const [name, value] of headers) {
    if (isCredentialHeader(name, value) || isSecretName(name)) {
      for (const text of secretsOfHeader(name, value)) found(text);
    } else findInUrls(value, isSecretName, found);
  }
}

/**
 * Whether a material contains a secret, including texts that are too short or too common to be
 * masked: those must not be given away either.
 */
export function holdsSecret(
  material: Material,
  isSecretName: NameRule,
  isReference: (text: string) => boolean = () => false,
): boolean {
  let holds = false;
  findIn(material, isSecretName, (secret) => {
    if (secret.trim() !== "" && !isPlaceholder(secret) && !isReference(secret)) holds = true;
  });
  return holds;
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
function findInBody(
  body: Extract<Material, { readonly kind: "body" }>,
  isSecretName: NameRule,
  found: Found,
): void {
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
  if (!NAMING.test(mediaType) || isSecretName.mayStandIn?.(text) === false) return;
  const beginning = text.slice(0, 1_000).trimStart();
  if (mediaType.endsWith("x-www-form-urlencoded") || FORM_LINE.test(beginning)) {
    yield* pairsInForm(text, isSecretName);
    return;
  }
  if (text.includes("<")) yield* pairsInMarkup(text, isSecretName);
  if (mediaType.startsWith("multipart/")) yield* pairsInFields(text, isSecretName);
  yield* pairsIn(text, isSecretName, valuesOf(mediaType, beginning));
}

function valuesOf(mediaType: string, beginning: string): Parameters<typeof pairsIn>[2] {
  if (/json/.test(mediaType)) return "members";
  if (mediaType === "text/event-stream" || /^[{[]/.test(beginning)) return "json";
  return QUOTING.test(mediaType) || beginning.startsWith("<") ? "quoted" : "bare";
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

// Stops `<access_token>…</access_token>` of SOAP, `<add key="ApiKey" value="…"/>` of configurations,
// `<meta name="csrf-token" content="…">` and hidden `<input name="csrf_token" value="…">` of pages.

/** Attributes that name a value in another attribute, or in the content of the element. */
const NAMING_ATTRIBUTE = /^(?:name|key|id|property|itemprop|data-name)$/i;
const VALUED = /^(?:value|content|val|data-value)$/i;

const ATTRIBUTE =
  /([A-Za-z_:@][\w.:-]{0,120})\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+))/g;
// A tag ends before the next `<`, so that a text of nothing else is read once. Its length is bounded:
// a regular expression remembers each repetition for backtracking, and fails after some millions.
const TAG = /<([A-Za-z_][\w.:-]{0,120})((?:[^<>"']|"[^"<]*"|'[^'<]*'){0,100000})>([^<]*)/g;

/**
 * The secrets of XML and HTML: contents of elements and values of attributes with secret names, and
 * values that another attribute names. The text is not parsed, so that a broken page costs one pass.
 */
function* pairsInMarkup(text: string, isSecretName: NameRule): Generator<Pair> {
  for (const match of text.matchAll(TAG)) {
    const [whole, element = "", attributes = "", raw = ""] = match;
    const end = match.index + whole.trimEnd().length;
    const content = pairAt(raw.trim(), end);
    if (isSecretName(element)) yield content;
    if (!attributes.includes("=")) continue;
    let isNamed = false;
    // A label is made of words.
    const values = looksSecret(content.value) ? [content] : [];
    const from = match.index + 1 + element.length;
    for (const attribute of attributes.matchAll(ATTRIBUTE)) {
      const [written, name = "", double, single, bare = ""] = attribute;
      const quote = double === undefined && single === undefined ? 0 : 1;
      const pair = pairAt(
        double ?? single ?? bare,
        from + attribute.index + written.length - quote,
      );
      if (NAMING_ATTRIBUTE.test(name)) isNamed ||= isSecretName(pair.value);
      else if (VALUED.test(name) && !pair.value.includes(" ")) values.push(pair);
    }
    if (isNamed) yield* values;
  }
}

function pairAt(written: string, end: number): Pair {
  return { start: end - written.length, end, value: plain(written) };
}

/** Replaces character references by their characters. */
function plain(text: string): string {
  return text.includes("&") ? unescapeText(text) : text;
}

// Stops `setVar("k", "…", { secret: true })`, `.set token …`, `@token = …`, `Authorization: …` and
// `auth: { type: "apiKey", value: "…" }` in cells that are saved or shown.

const HEADER_NAMES = CREDENTIAL_HEADERS.join("|");
const QUOTED = String.raw`(["'\x60])((?:\\.|(?!\QUOTE)[^\\\r\n]){1,4000})\QUOTE`;
const quoted = (group: number): string => QUOTED.replaceAll("QUOTE", String(group));

const SET_VARIABLE = new RegExp(
  String.raw`\bsetVar\(\s*${quoted(1)}\s*,\s*${quoted(3)}(\s*,\s*\{[^{}]{0,200}\bsecret\s*:\s*true)?`,
  "g",
);
const SET_SECRET = /\bsetVar\(((?:(?!setVar\()[\s\S]){0,4000}?)\{[^{}]{0,200}?\bsecret\s*:\s*true/g;
const LITERAL = new RegExp(String.raw`${quoted(1)}|\b(\d[\d.]*)\b`, "g");
const VARIABLE_LINE =
  /^[ \t]*(?:@|\.set[ \t]+(--secret[ \t]+)?)([\w-]+)[ \t]*[=\s][ \t]*(\S[^\r\n]*)$/gm;
const HEADER_LINE = /^[ \t]*(\.header[ \t]+)?([\w-]{1,80})[ \t]*:[ \t]*(\S.*)$/;
const REQUEST_LINE = /^[ \t]*[A-Z][A-Z-]{1,20}[ \t]+\S/;
const FORM_SOURCE_LINE = /^[ \t]*[\w.%[\]-]{1,64}=[^\s"'`(){};,]*$/;
const HEADER_PAIR = new RegExp(
  String.raw`\b(${HEADER_NAMES})["'\x60]?\s*[:,]\s*${quoted(2)}`,
  "gi",
);
/** `auth: { type: "apiKey", name: "X-Key", value: "…" }`: only the object has a secret name. */
const VALUE = new RegExp(
  String.raw`(?<![\w-])([\w-]{1,200})["'\x60]?\s*[:=]\s*\{(?:\{\{[^{}]{0,200}\}\}|[^{}]){0,2000}?\bvalue["'\x60]?\s*:\s*${quoted(2)}`,
  "g",
);

/** What was found in the last source: a front end, its history and the session look at the same one. */
let last: {
  readonly code: string;
  readonly isSecretName: NameRule;
  readonly found: (readonly [text: string, placeholder: string | undefined])[];
} = { code: "", isSecretName: () => false, found: [] };

/** A command of curl or HTTPie, or a request with options of curl, and the credentials in its words. */
const COMMAND_LINE = /^[ \t]*(?:\$[ \t]+)?(?:(?:curl|https?)[ \t]|[A-Z]{3,20}[ \t]+\S+[ \t]+-)/;
const CREDENTIAL_OPTION =
  /(?<=\s)(-[uUaE]|--(?:proxy-)?(?:user|pass|cert)|--auth|--oauth2-bearer)(?:=|\s{0,20})(?:(["'])((?:(?!\2)[^\r\n]){1,4000})\2|([^\s"']\S{0,4000}))/g;
const COMMAND_FIELD = /(?<=[\s"'&?])([\w.%[\]-]{1,64})(?:==|:=|[=:])([^\s"'&]{1,4000})/g;
const COMMAND_HEADER = /["']([\w-]{1,64}):[ \t]{1,20}([^"'\r\n]{1,4000})["']/g;

/** `X-ClientCert: pfx: ./me.p12 passphrase: …` of httpYac. */
const CERTIFICATE_LINE = /^[ \t]*[\w-]*clientcert[ \t]*:.*[ \t]passphrase:[ \t]*(\S+)/i;

/** The secrets that a person has written into a cell, before it has been run. */
function findInSource(code: string, isSecretName: NameRule, found: Found): void {
  if (last.code !== code || last.isSecretName !== isSecretName) {
    last = { code, isSecretName, found: [] };
    searchSource(code, isSecretName, (text, placeholder) => last.found.push([text, placeholder]));
  }
  for (const [text, placeholder] of last.found) found(text, placeholder);
}

function searchSource(code: string, isSecretName: NameRule, found: Found): void {
  const literal: Found = (text, placeholder) => {
    if (isHidden(text) || text.includes("${")) return;
    found(plainTextOf(text), placeholder);
  };
  const header = (name: string, value: string): void => {
    if (isHidden(value)) return;
    for (const text of secretsOfHeader(name, value)) literal(text);
  };
  // Most requests contain neither a literal nor a variable line, and every cell is searched.
  if (/["'`]/.test(code)) {
    findInSetVar(code, isSecretName, literal);
    for (const [, name = "", , value = ""] of code.matchAll(HEADER_PAIR)) header(name, value);
    for (const [, name = "", , value = ""] of code.matchAll(VALUE)) {
      if (isSecretName(name)) literal(value);
    }
    findInPairs(code, isSecretName, literal);
  }
  if (/^[ \t]*[@.]/m.test(code)) {
    for (const [, flag, name = "", value = ""] of code.matchAll(VARIABLE_LINE)) {
      if (flag !== undefined || isSecretName(name)) literal(value.trim(), `{{${name}}}`);
    }
  }
  let isHead = false;
  let isCommand = false;
  for (const line of code.split(/\r?\n/)) {
    if (isCommand || COMMAND_LINE.test(line)) {
      findInCommand(line, isSecretName, literal);
      for (const [, name = "", value = ""] of line.matchAll(COMMAND_HEADER)) {
        if (isSecretName(name) || isCredentialHeader(name, value)) header(name, value.trim());
      }
      isCommand = /[\\^`]\s*$/.test(line);
    }
    if (REQUEST_LINE.test(line)) isHead = true;
    else if (line.trim() === "") isHead = false;
    const [, command, name = "", value = ""] = HEADER_LINE.exec(line) ?? [];
    // Elsewhere `token: String!` is a type, and `token: response.token` a member.
    const isHeader = command !== undefined || isHead;
    const isCredential = isCredentialHeader(name, isHeader ? value : "");
    if (isCredential || (isHeader && isSecretName(name))) header(name, value.trim());
    const passphrase = CERTIFICATE_LINE.exec(line)?.[1];
    if (isHead && passphrase !== undefined) literal(passphrase);
    findInUrls(line, isSecretName, literal);
    if (FORM_SOURCE_LINE.test(line)) findInForm(line, isSecretName, literal);
  }
}

/** The secrets in a line of a command, which may be one that nothing can read. */
function findInCommand(line: string, isSecretName: NameRule, literal: Found): void {
  for (const [, option = "", , quoted, value = quoted ?? ""] of line.matchAll(CREDENTIAL_OPTION)) {
    const isToken = /bearer|pass$/.test(option);
    const secret = isToken ? value : value.slice(value.indexOf(":") + 1);
    if (isToken || value.includes(":")) literal(secret);
  }
  for (const [, name = "", value = ""] of line.matchAll(COMMAND_FIELD)) {
    if (isSecretName(name) || isCredentialHeader(name)) literal(value);
  }
}

function findInSetVar(code: string, isSecretName: NameRule, literal: Found): void {
  for (const [, , name = "", , value = "", flag] of code.matchAll(SET_VARIABLE)) {
    if (flag !== undefined || isSecretName(name)) literal(value, `{{${name}}}`);
  }
  for (const [, inside = ""] of code.matchAll(SET_SECRET)) {
    const [, ...values] = inside.matchAll(LITERAL);
    for (const [, , value, digits = ""] of values) literal(value ?? digits);
  }
}
