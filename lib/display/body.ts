import type { Exchange } from "../client/mod.ts";
import type { Block } from "./block.ts";
import { toBase64, toHexDump } from "./bytes.ts";
import { viewJson, viewJsonError } from "./json-view.ts";
import type { Lens } from "./lens.ts";
import { viewText } from "./text-view.ts";
import { formatBytes } from "./units.ts";

type BodyView = (exchange: Exchange, lens: Lens) => readonly Block[];

/** Which view a body gets, by its media type; the first that fits counts. */
const VIEWS: readonly (readonly [mediaType: RegExp, view: BodyView])[] = [
  [/^image\/(?:png|jpe?g|gif|webp|avif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/, viewImage],
  [/[/+]json$/, viewJsonBody],
  [/^text\/html$|^application\/xhtml\+xml$/, textIn("html")],
  [/[/+]xml(?:-dtd)?$/, textIn("xml")],
  [/[/+]ya?ml$|^(?:text|application)\/x-yaml$/, textIn("yaml")],
  [/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/, textIn("javascript")],
  [/^text\/css$/, textIn("css")],
  [/^text\//, textIn(undefined)],
  [
    /^application\/(?:x-www-form-urlencoded|x-ndjson|jsonl|json-seq|graphql|sql|toml|http|pem-.*)$/,
    textIn(undefined),
  ],
  [/^$/, viewUnnamed],
];

/** The body of an answer, by its media type. */
export function viewBody(exchange: Exchange, lens: Lens): readonly Block[] {
  if (exchange.bytes.length === 0)
    return [{ kind: "note", level: "info", text: emptiness(exchange) }];
  const view = VIEWS.find(([mediaType]) => mediaType.test(exchange.mediaType))?.[1] ?? viewBinary;
  const blocks = view(exchange, lens);
  return exchange.cut ? [...blocks, cutNote(exchange)] : blocks;
}

function emptiness(exchange: Exchange): string {
  return exchange.request.method === "HEAD" ? "No body: the answer to HEAD has none" : "Empty body";
}

function cutNote(exchange: Exchange): Block {
  const text = `The body was longer than the cap: only its first ${formatBytes(exchange.bytes.length)} were read`;
  return { kind: "note", level: "warning", text };
}

function viewJsonBody(exchange: Exchange, lens: Lens): readonly Block[] {
  let value: unknown;
  try {
    value = exchange.json;
  } catch (error) {
    return viewJsonError(exchange.text, error, lens);
  }
  return viewJson(value, lens);
}

function textIn(language: string | undefined): BodyView {
  return (exchange, lens) => viewText(exchange.text, language, lens);
}

function viewImage(exchange: Exchange, lens: Lens): readonly Block[] {
  const { mediaType, bytes } = exchange;
  const description = `${mediaType}, ${formatBytes(bytes.length)}`;
  if (bytes.length <= lens.limits.image && !exchange.cut) {
    return [{ kind: "image", mediaType, base64: toBase64(bytes), description }];
  }
  const most = formatBytes(lens.limits.image);
  const text = exchange.cut
    ? `An image that did not come whole is not shown: ${description}`
    : `An image of more than ${most} is not shown: ${description}`;
  return [{ kind: "note", level: "info", text }];
}

function viewUnnamed(exchange: Exchange, lens: Lens): readonly Block[] {
  const head = exchange.bytes.subarray(0, 1024);
  const binary = head.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27));
  return binary ? viewBinary(exchange, lens) : viewText(exchange.text, undefined, lens);
}

function viewBinary(exchange: Exchange, lens: Lens): readonly Block[] {
  const { bytes } = exchange;
  const type = exchange.mediaType === "" ? "unnamed media type" : exchange.mediaType;
  const shown = bytes.subarray(0, lens.limits.hex);
  // A secret among the bytes would be legible beside their digits.
  const latin = String.fromCharCode(...shown);
  const dump: readonly Block[] =
    lens.hide(latin) === latin ? [{ kind: "text", text: toHexDump(shown) }] : [];
  const more =
    bytes.length > shown.length ? `; its first ${formatBytes(shown.length)} are shown` : "";
  return [
    {
      kind: "note",
      level: "info",
      text: `Binary body: ${type}, ${formatBytes(bytes.length)}${more}`,
    },
    ...dump,
  ];
}
