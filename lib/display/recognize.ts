import { decodeText, isText, LOOKED_AT } from "../exchange/mod.ts";
import { parseSeparated, separatorOf } from "./parse-separated.ts";
import { signatureOf } from "./signatures.ts";
import type { Body } from "./text-view.ts";

/** A body as what it is. */
interface Recognized {
  /** The body with the media type that describes it. */
  readonly body: Body;
  /** What a person has to know if its Content-Type does not say so. */
  readonly note?: string;
}

/** The bytes that are looked at, and the records in them. */
const HEAD = 4096;
const MOST_RECORDS = 20;

const BINARY = "application/octet-stream";
const JSON_BODY = "application/json";
const LINES = "application/x-ndjson";

/** Types that are no text; SVG is. */
const MEDIA =
  /^(?:image\/(?!svg\+xml)|audio\/|video\/|font\/)|^application\/(?:pdf|zip|gzip|wasm|cbor|(?:x-|vnd\.)?msgpack)$/;

/** Types of text that have a view of their own, or none. */
const TEXT =
  /^(?:text|multipart)\/(?!plain$)|^application\/(?:json|x-www-form-urlencoded|graphql|sql|toml|http|pem-.*)$|^image\/svg\+xml$/;

/** What the names of other types and of files say; the first match counts. */
const NAMES: readonly (readonly [name: RegExp, mediaType: string])[] = [
  [/json-?(?:l|lines|seq)$|(?:nd|ld-|l)json$|jsonl$|stream\+json$|json-stream$/, LINES],
  [/(?:^|[/+._-])(?:geo)?json(?:$|[._-])/, JSON_BODY],
  [/[/._-]csv$|comma-separated-values$/, "text/csv"],
  [/[/._-]tsv$|tab-separated-values$/, "text/tab-separated-values"],
  [/[/._-]x?html?$/, "text/html"],
  [/[/+._-](?:xml(?:-dtd)?|xsd|xslt?|rss|atom|svg)$/, "application/xml"],
  [/[/+._-]ya?ml$/, "application/yaml"],
  [/[/._-](?:(?:java|ecma)script|m?js)$/, "text/javascript"],
];

/** A field of an event, or a comment. */
const EVENT_FIELD = /^(?:data|event|id|retry|)(?::|\r?$)/m;

/**
 * Finds out what a body is. Its media type is a suggestion, which is checked against its beginning: what is text is not
 * called binary, and bytes that are none are not shown as one.
 */
export function recognize(body: Body): Recognized {
  const { mediaType, content, charset } = body;
  const head = content.head(HEAD);
  const { text } = decodeText(head, { essence: mediaType, charset }, false);
  const isMedia = MEDIA.test(mediaType);
  // A document of letters alone is one nevertheless.
  const isReadable = isText(text) && !(isMedia && /^(?:%PDF|GIF8|RIFF|ID3|OggS)/.test(text));
  const named = TEXT.test(mediaType) ? mediaType : nameIn(mediaType);
  // The parts of a multipart body may be binary, and have charsets of their own.
  if (mediaType.startsWith("multipart/")) return { body };
  if (!isReadable) {
    if (isMedia || (named === undefined && mediaType !== "text/plain")) return { body };
    const hint = signatureOf(head) === "gzip" ? ", and no Content-Encoding names gzip" : "";
    const note = `The body is not text, although "content-type: ${mediaType}" says so${hint}`;
    return { body: { ...body, mediaType: BINARY }, note };
  }
  const isEmptyStream = mediaType === "text/event-stream" && !EVENT_FIELD.test(text);
  if (!isMedia && !isEmptyStream && named !== undefined)
    return { body: { ...body, mediaType: named } };
  const found = typeOfContent(body, text) ?? "text/plain";
  const seen = { ...body, mediaType: found };
  if (isEmptyStream)
    return { body: seen, note: "The body has no event, although it is text/event-stream" };
  if (isMedia)
    return { body: seen, note: `The body is text, although its Content-Type is ${mediaType}` };
  if (found === "text/plain" || mediaType === found) return { body: seen };
  const why = mediaType === "" ? "it has no Content-Type" : `its Content-Type is ${mediaType}`;
  return { body: seen, note: `The body is shown as ${found}, although ${why}` };
}

function nameIn(name: string): string | undefined {
  return NAMES.find(([pattern]) => pattern.test(name))?.[1];
}

/** What a text is by its content, or by the name of its file. */
function typeOfContent(body: Body, head: string): string | undefined {
  const start = head.trimStart();
  if (/^[[{]/.test(start) && isJson(body, start)) return JSON_BODY;
  if (body.mediaType === "text/plain") return undefined;
  if (/^<\?xml\s|^<(?:[\w-]+:)?Envelope[\s>]/.test(start)) return "application/xml";
  if (/^<(?:!doctype\s+html|html)[\s>]/i.test(start)) return "text/html";
  const [first = "", second = ""] = start.split("\n", 2);
  if (isObjectLine(first) && isObjectLine(second)) return LINES;
  const named = nameIn(body.fileName.toLowerCase());
  return named ?? (areRecords(head, body.content.length > HEAD) ? "text/csv" : undefined);
}

/** Whether the lines of a text are records of as many fields, as no text by chance is. */
function areRecords(head: string, isCut: boolean): boolean {
  const { records } = parseSeparated(head, separatorOf(head), MOST_RECORDS);
  const whole = isCut && records.length < MOST_RECORDS ? records.slice(0, -1) : records;
  const width = whole[0]?.length ?? 0;
  const isRecord = (fields: readonly string[]): boolean =>
    fields.length === width && fields.every((field) => !field.startsWith(" "));
  return whole.length >= 3 && width >= 2 && whole.every(isRecord);
}

function isJson(body: Body, start: string): boolean {
  if (body.content.length > LOOKED_AT) return /^[[{]\s*["{[]/.test(start);
  try {
    const value = body.json();
    return typeof value === "object" && value !== null;
  } catch {
    // It only begins like JSON: a text in brackets, or JSON Lines.
    return false;
  }
}

function isObjectLine(line: string): boolean {
  return /^\{.*\}\s*$/.test(line);
}
