import type { Content } from "../exchange/mod.ts";
import type { Block } from "./block.ts";
import type { Origin } from "./origin.ts";
import { groupDigits } from "./units.ts";
import { type Masker, maxText, type ViewContext } from "./view-context.ts";

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
  const note = `${groupDigits(text.length - shown.length)} of ${groupDigits(text.length)} characters are not shown`;
  return [block, { kind: "note", level: "info", text: note }];
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
  /** Learns the secrets in a value that is about to be shown. */
  readonly learn?: (value: unknown) => void;
  /** @throws {SyntaxError} It is not JSON. */
  json(): unknown;
  /** Masks its text and its data, and keeps what it has searched. */
  masker(context: ViewContext): Masker;
}

/** The text of a body as it is shown: masked, as far as it is shown at all. */
export function shownText(body: Body, context: ViewContext): string {
  return body.masker(context).body(body.text(), body.mediaType, maxText(context.limits));
}
