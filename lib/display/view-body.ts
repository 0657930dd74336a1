import { dataFormat, holdSecret, JSON_LINES, toStrictText } from "../exchange/mod.ts";
import { messageOf } from "../interpolation/mod.ts";
import { JSON_TYPE } from "../request/mod.ts";
import type { Block } from "./block.ts";
import { shortCell } from "./cell.ts";
import { cutText } from "./compact.ts";
import { indentXml } from "./indent-xml.ts";
import { viewJson, viewJsonBody, viewJsonLines } from "./json-view.ts";
import { toHexDump, viewImage, viewMedia } from "./media-view.ts";
import { viewMultipart } from "./multipart-view.ts";
import { recognize } from "./recognize.ts";
import { viewSeparated } from "./separated.ts";
import { signatureOf } from "./signatures.ts";
import { viewEventStream } from "./stream-view.ts";
import { type Body, beginningOf, shownText, viewText } from "./text-view.ts";
import { formatBytes } from "./units.ts";
import { type ViewContext, viewOrNote } from "./view-context.ts";

type BodyView = (body: Body, context: ViewContext) => readonly Block[];

const MAX_FORM = 1_000_000;

/** Views by media type; the first match counts. */
const VIEWS: readonly (readonly [mediaType: RegExp, view: BodyView])[] = [
  [/^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/, viewImage],
  [/^audio\/(?:mpeg|mp3|ogg|wav|x-wav|wave|webm|mp4|aac|flac|x-flac)$/, viewMedia("audio")],
  [/^video\/(?:mp4|webm|ogg)$/, viewMedia("video")],
  [/^application\/pdf$/, viewMedia("download")],
  [JSON_LINES, viewJsonLines],
  [/^text\/event-stream$/, viewEventStream],
  [JSON_TYPE, viewJsonBody],
  [/^text\/(?:csv|tab-separated-values)$/, viewSeparated],
  [/^application\/x-www-form-urlencoded$/, viewForm],
  [/^multipart\//, viewMultipart],
  [/^text\/html$|^application\/xhtml\+xml$/, textIn("html")],
  [/[/+]xml(?:-dtd)?$/, viewXml],
  [/[/+]ya?ml$|^(?:text|application)\/x-yaml$/, textIn("yaml")],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/, textIn("javascript")],
  [/^text\/css$/, textIn("css")],
  [/^text\/(?:x-)?markdown$/, textIn("markdown")],
  [/^text\/|^application\/(?:graphql|sql|toml|http|pem-.*)$/, textIn(undefined)],
];

/**
 * Displays a body that is not empty as what it is; as text if that view fails.
 *
 * @param isCutNoted Whether a note says that the body is incomplete.
 */
export function viewBody(
  body: Body,
  context: ViewContext,
  isCutNoted: boolean = body.cut,
): readonly Block[] {
  const decoded = viewDecoded(body, context);
  const blocks = decoded ?? viewRecognized(body, context);
  return [...blocks, ...(isCutNoted ? [cutNote(body)] : [])];
}

/** Displays data that are no text, decoded; `undefined` for other bodies. */
function viewDecoded(body: Body, context: ViewContext): readonly Block[] | undefined {
  const format = dataFormat(body.mediaType, body.content);
  if (format === undefined) return undefined;
  let value: unknown;
  try {
    value = body.json();
  } catch (error) {
    const text = cutText(context.redactor.text(messageOf(error)), context.limits.line);
    const isText = toStrictText(body.content.head(4096)) !== undefined;
    const blocks = isText ? viewRecognized(body, context) : viewBinary(body, context);
    return [{ kind: "note", level: "warning", text }, ...blocks];
  }
  const title = `${format} (${formatBytes(body.content.length)})`;
  const source: Block = { kind: "fold", title, blocks: viewBinary(body, context), isExtra: true };
  return [...viewJson(value, context, body.origin), source];
}

function viewRecognized(body: Body, context: ViewContext): readonly Block[] {
  const { body: seen, note } = recognize(body);
  const { mediaType } = seen;
  const view = VIEWS.find(([type]) => type.test(mediaType))?.[1] ?? viewBinary;
  const blocks = viewOrNote(
    mediaType === "" ? "the body" : context.redactor.text(mediaType),
    context,
    () => view(seen, context),
    () => viewText(shownText(beginningOf(seen), context), undefined, context),
  );
  const remark: readonly Block[] =
    note === undefined ? [] : [{ kind: "note", level: "info", text: context.redactor.text(note) }];
  return [...remark, ...blocks];
}

function cutNote({ content }: Body): Block {
  const text = `The body is incomplete: only its first ${formatBytes(content.length)} are available`;
  return { kind: "note", level: "warning", text };
}

function textIn(language: string | undefined): BodyView {
  return (body, context) => viewText(shownText(body, context), language, context);
}

/** Displays XML indented, and as it came in a section of its own. */
function viewXml(body: Body, context: ViewContext): readonly Block[] {
  const text = shownText(body, context);
  // Indenting hardly makes a text shorter.
  const indented = indentXml(text.slice(0, context.limits.text));
  const source = viewText(text.slice(0, context.limits.source), "xml", context);
  const title = `XML (${formatBytes(body.content.length)})`;
  return [
    ...viewText(indented + text.slice(context.limits.text), "xml", context),
    { kind: "fold", title, blocks: source, isExtra: true },
  ];
}

/** Displays a body as a hex dump, with what it is by its first bytes. */
export function viewBinary({ content, mediaType }: Body, context: ViewContext): readonly Block[] {
  const type = mediaType === "" ? "unknown media type" : context.redactor.text(mediaType);
  const signature = signatureOf(content.head(4096));
  const what = signature === undefined ? type : `${signature} (${type})`;
  const text = `Binary body: ${what}, ${formatBytes(content.length)}`;
  const shown = content.head(context.limits.hex);
  const note = (rest: string): Block => ({ kind: "note", level: "info", text: `${text}${rest}` });
  // A secret would be readable beside the hex digits.
  if (holdSecret(shown, context.redactor.text)) {
    return [note("; it is hidden because it contains a secret")];
  }
  const more =
    content.length > shown.length ? `; its first ${formatBytes(shown.length)} are shown` : "";
  return [note(more), { kind: "text", text: toHexDump(shown), isDrawing: true }];
}

/** Displays the decoded fields of an HTML form (`application/x-www-form-urlencoded`). */
function viewForm(body: Body, context: ViewContext): readonly Block[] {
  const { limits, redactor } = context;
  const text = body.text();
  const pairs = [...new URLSearchParams(text.slice(0, MAX_FORM).trim())];
  if (text.length > MAX_FORM || pairs.length === 0) {
    return viewText(shownText(body, context), undefined, context);
  }
  const fields = pairs.slice(0, limits.fields).map(([key, value]) => ({
    key: cutText(redactor.key(key), limits.cell),
    value: shortCell("text", redactor.at(key).text(value), limits.cell * 4),
  }));
  return [{ kind: "fields", of: "object", fields, total: pairs.length }];
}
