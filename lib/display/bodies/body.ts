import type { Content } from "../../exchange/mod.ts";
import { type Masker, mostText, type Origin, type ViewContext } from "../blocks/mod.ts";

/** A body of a request or of an answer; its text and its JSON are worked out when they are asked for. */
export interface Body {
  /** `type/subtype` in lower case, or an empty string. */
  readonly mediaType: string;
  /** The whole Content-Type. */
  readonly contentType: string;
  readonly charset?: string | undefined;
  readonly content: Content;
  /** Whether it is only the beginning. */
  readonly cut: boolean;
  readonly origin: Origin;
  /** A name for the file that it may be saved as. */
  readonly fileName: string;
  text(): string;
  /** Learns the secrets of a part that is about to be shown. */
  readonly teach?: (value: unknown) => void;
  /** Throws where it does not parse; `undefined` where there is nothing. */
  json(): unknown;
  /** Masks its text and its data, and keeps what it has searched. */
  masker(context: ViewContext): Masker;
}

/** The text of a body as it is shown: masked, as far as it is shown at all. */
export function shownText(body: Body, context: ViewContext): string {
  return body.masker(context).body(body.text(), body.mediaType, mostText(context.limits));
}
