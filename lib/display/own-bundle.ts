import { JSON_TYPE } from "../request/mod.ts";
import { hideLong, type Masking, maskFound } from "../secrets/mod.ts";
import type { Block } from "./block.ts";
import { toHtml } from "./html.ts";
import { toMarkdown } from "./markdown.ts";
import { toVisibleText } from "./visible.ts";

/** Base64: a match with a secret would be chance, and replacing it would break the image. */
const BINARY = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|octet-stream))/;
/** Formats in which replacing a text can change what stands around it. */
const MARKUP = /[/+](?:html|xml|css|latex|(?:x-)?(?:markdown|javascript|ecmascript))$/;

const NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output is not shown: its markup contains a secret",
};

/**
 * Masks the formats that a value has created itself: texts as texts, data by its keys and values. Markup is its
 * author's word: it is shown as it is, or not at all if it contains a secret, and then a note says so.
 */
export function maskOwnBundle(
  bundle: Readonly<Record<string, unknown>>,
  masking: Masking,
): Readonly<Record<string, unknown>> {
  const forms = Object.entries(bundle);
  const shown = forms.filter(([type, content]) => !isHidden(type, content, masking));
  const masked: Readonly<Record<string, unknown>> = Object.fromEntries(
    shown.map(([type, content]) => [type, maskForm(type, content, masking)]),
  );
  if (shown.length === forms.length || masked["text/html"] !== undefined) return masked;
  return { ...masked, "text/html": toHtml([NOTE]), "text/markdown": toMarkdown([NOTE]) };
}

function isHidden(mediaType: string, content: unknown, { locate }: Masking): boolean {
  return MARKUP.test(mediaType) && typeof content === "string" && locate(content).length > 0;
}

function maskForm(mediaType: string, content: unknown, masking: Masking): unknown {
  if (typeof content !== "string") {
    return maskFound(hideLong(content, masking), masking);
  }
  if (BINARY.test(mediaType) || MARKUP.test(mediaType)) return content;
  if (JSON_TYPE.test(mediaType) && masking.locate(content).length > 0) {
    try {
      return JSON.stringify(maskFound(JSON.parse(content), masking));
    } catch {
      // Not JSON: masked like any other text.
    }
  }
  return masking.mask(content, toVisibleText);
}
