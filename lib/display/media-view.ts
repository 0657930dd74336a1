import type { Block, MediaBlock } from "./block.ts";
import type { Body } from "./body.ts";
import { toBase64 } from "./bytes.ts";
import type { Lens } from "./lens.ts";
import { formatBytes } from "./units.ts";

/** A picture, as far as it came whole and is not too large for a notebook. */
export function viewImage(body: Body, lens: Lens): readonly Block[] {
  const { mediaType } = body;
  const description = describe(body);
  if (!fits(body, lens)) return [tooLarge("An image", body, lens)];
  return [{ kind: "image", mediaType, base64: toBase64(maskDrawing(body, lens)), description }];
}

/** A drawing is text, and what stands in it can be read; pictures of dots are as they came. */
function maskDrawing({ mediaType, content, text }: Body, { hide }: Lens): Uint8Array {
  if (mediaType !== "image/svg+xml") return content.whole();
  const source = text();
  const masked = hide(source);
  return masked === source ? content.whole() : new TextEncoder().encode(masked);
}

/** A sound or a film in a player, or a document that can be saved. */
export function viewMedia(as: MediaBlock["as"]): (body: Body, lens: Lens) => readonly Block[] {
  return (body, lens) => {
    const { mediaType, content, fileName } = body;
    const description = describe(body);
    if (!fits(body, lens)) return [tooLarge(WORDS[as], body, lens)];
    return [
      { kind: "media", as, mediaType, base64: toBase64(content.whole()), description, fileName },
    ];
  };
}

const WORDS = { audio: "A sound", video: "A film", download: "A document" } as const;

function describe({ mediaType, content }: Body): string {
  return `${mediaType}, ${formatBytes(content.length)}`;
}

function fits({ content, cut }: Body, { limits }: Lens): boolean {
  return content.length <= limits.image && !cut;
}

function tooLarge(what: string, body: Body, { limits }: Lens): Block {
  const text = body.cut
    ? `${what} that did not come whole is not shown: ${describe(body)}`
    : `${what} of more than ${formatBytes(limits.image)} is not shown: ${describe(body)}`;
  return { kind: "note", level: "info", text };
}
