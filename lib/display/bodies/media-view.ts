import type { Block, MediaBlock, ViewContext } from "../blocks/mod.ts";
import { formatBytes } from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { holdSecret, toBase64 } from "./bytes.ts";
import { viewText } from "./text-view.ts";

/** A picture, as far as it can be shown. */
export function viewImage(body: Body, context: ViewContext): readonly Block[] {
  const { mediaType, content } = body;
  if (isDrawingWithSecret(body, context)) {
    const text = "The drawing contains a secret: its source is shown";
    return [
      { kind: "note", level: "info", text },
      ...viewText(shownText(body, context), "xml", context),
    ];
  }
  const reason = whyNotShown("An image", body, context);
  if (reason !== undefined) return [reason];
  const base64 = toBase64(content.whole());
  return [{ kind: "image", mediaType, base64, description: describe(body) }];
}

/** A drawing is text, and its source can be shown without the secret; pictures of dots cannot. */
function isDrawingWithSecret(body: Body, { limits, masking }: ViewContext): boolean {
  const { mediaType, content, cut } = body;
  if (mediaType !== "image/svg+xml" || cut || content.length > limits.image) return false;
  return masking.locate(body.text()).length > 0;
}

/** A sound or a film in a player, or a document that can be saved. */
export function viewMedia(
  as: MediaBlock["as"],
): (body: Body, context: ViewContext) => readonly Block[] {
  return (body, context) => {
    const { mediaType, content, fileName } = body;
    const reason = whyNotShown(WORDS[as], body, context);
    if (reason !== undefined) return [reason];
    const base64 = toBase64(content.whole());
    return [{ kind: "media", as, mediaType, base64, description: describe(body), fileName }];
  };
}

const WORDS = { audio: "A sound", video: "A film", download: "A document" } as const;

function describe({ mediaType, content }: Body): string {
  return `${mediaType}, ${formatBytes(content.length)}`;
}

/** Media are shown whole or not at all: nothing can be cut out of them. */
function whyNotShown(what: string, body: Body, context: ViewContext): Block | undefined {
  const because = (reason: string): Block => {
    return { kind: "note", level: "info", text: `${what} ${reason}: ${describe(body)}` };
  };
  const { content, cut } = body;
  if (cut) return because("that arrived incomplete is not shown");
  if (content.length > context.limits.image) {
    return because(`of more than ${formatBytes(context.limits.image)} is not shown`);
  }
  if (holdSecret(content.whole(), context.redact))
    return because("that contains a secret is not shown");
  return undefined;
}
