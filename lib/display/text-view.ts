import { type Content, createContent, decodeText, LOOKED_AT } from "../exchange/mod.ts";
import type { Block } from "./block.ts";
import type { Origin } from "./origin.ts";
import { groupDigits } from "./units.ts";
import { maxText, type ViewContext } from "./view-context.ts";

/** Displays a text; a note says how much of a long one is not shown. */
export function viewText(
  text: string,
  language: string | undefined,
  { limits }: ViewContext,
): readonly Block[] {
  const shown = text.slice(0, limits.text);
  const block: Block =
    language === undefined
      ? { kind: "text", text: shown }
      : { kind: "text", text: shown, language };
  if (shown.length === text.length) return [block];
  return [block, noteHidden(text.length - shown.length, text.length)];
}

/** How many characters of a text are not shown. */
export function noteHidden(hidden: number, total: number): Block {
  const text = `${groupDigits(hidden)} of ${groupDigits(total)} characters are not shown`;
  return { kind: "note", level: "info", text };
}

/** A body of a request or a response; its text and its JSON are decoded when they are needed. */
export interface Body {
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
  /** The whole Content-Type. */
  readonly contentType: string;
  readonly charset?: string | undefined;
  readonly content: Content;
  /** Whether it is incomplete. */
  readonly cut: boolean;
  readonly origin: Origin;
  /** The name of the file when it is saved. */
  readonly fileName: string;
  text(): string;
  /** Learns the secrets in a value that is about to be shown, whose members have these names. */
  readonly learn?: (value: object, names: readonly string[]) => void;
  /** @throws {SyntaxError} It is not JSON. */
  json(): unknown;
}

/** The decoded beginnings of bodies, kept as long as the bodies. */
const BEGINNINGS = new WeakMap<Content, string>();

/** The beginning of a body, which is as much as was searched for secrets when it arrived. */
export function beginningOf(body: Body): Body {
  const content = createContent([body.content.head(LOOKED_AT)]);
  const text = (): string => {
    const decoded =
      BEGINNINGS.get(body.content) ??
      decodeText(content.whole(), { essence: body.mediaType, charset: body.charset }).text;
    BEGINNINGS.set(body.content, decoded);
    return decoded;
  };
  return { ...body, content, text };
}

/** The text of a body as it is shown: masked, as far as it is shown at all. */
export function shownText(body: Body, context: ViewContext): string {
  return context.masker.body(body.text(), body.mediaType, maxText(context.limits));
}
