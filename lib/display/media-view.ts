import { holdSecret, toBase64 } from "../exchange/mod.ts";
import type { Block, MediaBlock } from "./block.ts";
import { NO_ORIGIN } from "./origin.ts";
import { type Body, shownText, viewText } from "./text-view.ts";
import { formatBytes } from "./units.ts";
import type { ViewContext } from "./view-context.ts";

/** Displays an image, or why it is not shown. */
export function viewImage(body: Body, context: ViewContext): readonly Block[] {
  const { mediaType, content } = body;
  if (isSvgWithSecret(body, context)) {
    const text = "The image contains a secret: its source is shown";
    return [
      { kind: "note", level: "info", text },
      ...viewText(shownText(body, context), "xml", context),
    ];
  }
  const reason = whyNotShown("An image", body, context, context.limits.image);
  if (reason !== undefined) return [reason];
  const base64 = toBase64(content.whole());
  return [{ kind: "image", mediaType, base64, description: describe(body, context) }];
}

/** SVG is text: its source can be shown with the secret masked. */
function isSvgWithSecret(body: Body, { limits, masking }: ViewContext): boolean {
  const { mediaType, content, cut } = body;
  if (mediaType !== "image/svg+xml" || cut || content.length > limits.image) return false;
  return masking.locate(body.text()).length > 0;
}

/** Displays audio or video in a player, or a document as a download. */
export function viewMedia(
  as: MediaBlock["as"],
): (body: Body, context: ViewContext) => readonly Block[] {
  return (body, context) => {
    const { redactor } = context;
    const { mediaType, content, fileName } = body;
    const reason = whyNotShown(WORDS[as], body, context, context.limits.media);
    if (reason !== undefined) return [reason];
    const base64 = toBase64(content.whole());
    return [
      {
        kind: "media",
        as,
        mediaType,
        base64,
        description: describe(body, context),
        fileName: redactor.text(fileName),
      },
    ];
  };
}

const WORDS = { audio: "An audio file", video: "A video", download: "A document" } as const;

function describe({ mediaType, content }: Body, { redactor }: ViewContext): string {
  return `${redactor.text(mediaType)}, ${formatBytes(content.length)}`;
}

/** Media are shown whole or not at all, since nothing can be cut from them. */
function whyNotShown(
  what: string,
  body: Body,
  context: ViewContext,
  most: number,
): Block | undefined {
  const because = (reason: string, advice = ""): Block => {
    const text = `${what} ${reason}: ${describe(body, context)}${advice}`;
    return { kind: "note", level: "info", text };
  };
  const { content, cut } = body;
  if (cut) return because("that is incomplete is not shown");
  if (content.length > most) {
    const fileName = context.redactor.text(body.fileName);
    const advice = `; to save it as a file, write ">> ${fileName}" after the request`;
    return because(
      `of more than ${formatBytes(most)} is not shown`,
      body.origin === NO_ORIGIN ? "" : advice,
    );
  }
  if (holdSecret(content.whole(), context.masking.mask))
    return because("that contains a secret is not shown");
  return undefined;
}

/** Writes a hex dump: offset, sixteen bytes, and their printable ASCII characters. */
export function toHexDump(bytes: Uint8Array): string {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length; start += 16) {
    const row = [...bytes.subarray(start, start + 16)];
    const digits = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const letters = row.map((byte) =>
      byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".",
    );
    lines.push(`${start.toString(16).padStart(8, "0")}  ${digits.padEnd(47)}  ${letters.join("")}`);
  }
  return lines.join("\n");
}
