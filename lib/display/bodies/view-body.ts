import { createContent, JSON_LINES } from "../../exchange/mod.ts";
import { JSON_TYPE } from "../../request/mod.ts";
import { type Block, formatBytes, type ViewContext, viewOrNote } from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewForm } from "./form-view.ts";
import { toHexDump } from "./hex-dump.ts";
import { viewJsonBody } from "./json-body.ts";
import { viewJsonLines } from "./json-lines.ts";
import { viewImage, viewMedia } from "./media-view.ts";
import { viewMultipart } from "./multipart-view.ts";
import { viewSeparated } from "./separated-view.ts";
import { viewEventStream } from "./stream-view.ts";
import { separatorOf } from "./table-rows.ts";
import { viewText } from "./text-view.ts";

type BodyView = (body: Body, context: ViewContext) => readonly Block[];

/** Views by media type; the first match counts. */
const VIEWS: readonly (readonly [mediaType: RegExp, view: BodyView])[] = [
  [/^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/, viewImage],
  [/^audio\/(?:mpeg|mp3|ogg|wav|x-wav|wave|webm|mp4|aac|flac|x-flac)$/, viewMedia("audio")],
  [/^video\/(?:mp4|webm|ogg)$/, viewMedia("video")],
  [/^application\/pdf$/, viewMedia("download")],
  [JSON_LINES, viewJsonLines],
  [/^text\/event-stream$/, viewEventStream],
  [JSON_TYPE, viewJsonBody],
  [/^text\/csv$/, (body, context) => viewSeparated(body, separatorOf(body.text()), context)],
  [/^text\/tab-separated-values$/, (body, context) => viewSeparated(body, "\t", context)],
  [/^application\/x-www-form-urlencoded$/, viewForm],
  [/^multipart\//, viewMultipart],
  [/^text\/html$|^application\/xhtml\+xml$/, textIn("html")],
  [/[/+]xml(?:-dtd)?$/, textIn("xml")],
  [/[/+]ya?ml$|^(?:text|application)\/x-yaml$/, textIn("yaml")],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/, textIn("javascript")],
  [/^text\/css$/, textIn("css")],
  [/^text\/(?:x-)?markdown$/, textIn("markdown")],
  [/^text\//, textIn(undefined)],
  [/^application\/(?:graphql|sql|toml|http|pem-.*)$/, textIn(undefined)],
  [/^$/, viewUnnamed],
];

/** Displays a body that is not empty, by its media type; as text if that view fails. */
export function viewBody(body: Body, context: ViewContext): readonly Block[] {
  const view = VIEWS.find(([mediaType]) => mediaType.test(body.mediaType))?.[1] ?? viewBinary;
  const blocks = viewOrNote(
    body.mediaType || "the body",
    context,
    () => view(body, context),
    () => viewUnnamed(beginningOf(body), context),
  );
  return body.cut ? [...blocks, cutNote(body)] : blocks;
}

/** The number of bytes that are decoded when the view of a body has failed. */
const BEGINNING = 1_048_576;

function beginningOf(body: Body): Body {
  const content = createContent([body.content.head(BEGINNING)]);
  return { ...body, content, text: () => new TextDecoder().decode(content.whole()) };
}

function cutNote({ content }: Body): Block {
  const text = `The body is incomplete: only its first ${formatBytes(content.length)} are available`;
  return { kind: "note", level: "warning", text };
}

function textIn(language: string | undefined): BodyView {
  return (body, context) => viewText(shownText(body, context), language, context);
}

function viewUnnamed(body: Body, context: ViewContext): readonly Block[] {
  const head = body.content.head(1024);
  const binary = head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return binary
    ? viewBinary(body, context)
    : viewText(shownText(body, context), undefined, context);
}

/** Displays a body as a hex dump. */
export function viewBinary({ content, mediaType }: Body, context: ViewContext): readonly Block[] {
  const type = mediaType === "" ? "unknown media type" : mediaType;
  const shown = content.head(context.limits.hex);
  // A secret would be readable beside the hex digits.
  const latin = String.fromCharCode(...shown);
  const dump: readonly Block[] =
    context.redact(latin) === latin
      ? [{ kind: "text", text: toHexDump(shown), isDrawing: true }]
      : [];
  const more =
    content.length > shown.length ? `; its first ${formatBytes(shown.length)} are shown` : "";
  const text = `Binary body: ${type}, ${formatBytes(content.length)}${more}`;
  return [{ kind: "note", level: "info", text }, ...dump];
}
