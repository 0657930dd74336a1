import { JSON_TYPE } from "../../request/mod.ts";
import { type Masking, maskFound } from "../../secrets/mod.ts";
import type { Block } from "../blocks/mod.ts";
import { toHtml, toMarkdown } from "../formats/mod.ts";
import { toVisibleText } from "../text/mod.ts";
import { type MarkupParser, maskOwnMarkup, toPlainMark } from "./own-markup.ts";

type Parser = () => MarkupParser | undefined;
type MaskForm = (content: string, masking: Masking, parser: Parser) => unknown;

const MARKUP = /[/+](?:html|xml)$/;

/** How a textual format is masked, by its media type; `undefined` if it must not be shown. */
const FORMS: readonly (readonly [mediaType: RegExp, mask: MaskForm])[] = [
  // Base64: a match with a secret would be chance, and replacing it would break the image.
  [
    /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|octet-stream))/,
    (content) => content,
  ],
  [MARKUP, maskOwnMarkup],
  [/^text\/(?:x-)?markdown$/, maskMarkdown],
  [JSON_TYPE, maskJsonText],
  [
    /[/+](?:x-)?(?:java|ecma)script$|[/+](?:css|latex)$/,
    (content, { locate }) => (locate(content).length === 0 ? content : undefined),
  ],
  [/^/, (content, { mask }) => mask(content, toVisibleText)],
];

const NOTE: Block = {
  kind: "note",
  level: "warning",
  text: "This output is not shown: its markup contains a secret",
};

/**
 * Masks the formats that a value has created itself: texts as texts, data by its keys and values, markup by
 * its texts and attributes. What cannot be masked without changing the meaning of the markup around it is
 * not shown, and a note says so. A format without secrets is unchanged.
 *
 * @param parser Parses markup; without it, markup with a secret is not shown.
 */
export function maskOwnBundle(
  bundle: Readonly<Record<string, unknown>>,
  masking: Masking,
  parser: Parser = () => undefined,
): Readonly<Record<string, unknown>> {
  const forms = Object.entries(bundle).map(([type, content]): readonly [string, unknown] => {
    if (typeof content !== "string") return [type, maskFound(content, masking)];
    const maskForm = FORMS.find(([mediaType]) => mediaType.test(type))?.[1];
    return [type, maskForm?.(content, masking, parser)];
  });
  const shown = forms.filter(([, content]) => content !== undefined);
  const masked: Readonly<Record<string, unknown>> = Object.fromEntries(shown);
  if (shown.length === forms.length || masked["text/html"] !== undefined) return masked;
  return { ...masked, "text/html": toHtml([NOTE]), "text/markdown": toMarkdown([NOTE]) };
}

/** Whether a bundle has markup that contains a secret. */
export function needsParser(
  bundle: Readonly<Record<string, unknown>>,
  { locate }: Masking,
): boolean {
  return Object.entries(bundle).some(
    ([type, content]) =>
      MARKUP.test(type) && typeof content === "string" && locate(content).length > 0,
  );
}

// Letters, digits and the punctuation of tokens and addresses: no character that begins or ends a
// fence, a link or a tag, and no leading blank.
const PLAIN = /^[\p{L}\p{M}\p{N}_.:/+=@,%~-][\p{L}\p{M}\p{N}_.:/+=@,%~ -]*$/u;

function maskMarkdown(source: string, { locate }: Masking): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, shown } of locate(source)) {
    if (!PLAIN.test(source.slice(start, end))) return undefined;
    parts.push(source.slice(from, start), toPlainMark(shown));
    from = end;
  }
  return parts.join("") + source.slice(from);
}

/** JSON as text. */
function maskJsonText(content: string, masking: Masking): unknown {
  if (masking.locate(content).length === 0) return content;
  try {
    return JSON.stringify(maskFound(JSON.parse(content), masking));
  } catch {
    // Not JSON: masked like any other text.
    return masking.mask(content, toVisibleText);
  }
}
