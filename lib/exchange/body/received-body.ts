import { combineSecrets, type Secrets } from "../../secrets/mod.ts";
import { decodeText, isKnownCharset } from "./charset.ts";
import type { Content } from "./content.ts";
import { parseJson } from "./json.ts";
import { type MediaType, parseMediaType } from "./media-type.ts";

/** The number of bytes of a body that are searched for secrets before a program reads its text. */
export const LOOKED_AT = 1_048_576;

/** The body of a response. Its text and its JSON are decoded when they are first read. */
export class ReceivedBody {
  readonly content: Content;
  readonly type: MediaType;
  readonly #secrets: readonly Secrets[];
  #text: string | undefined;
  #json: { readonly value: unknown } | undefined;

  constructor(content: Content, contentType: string | null, secrets: readonly Secrets[]) {
    this.content = content;
    this.type = parseMediaType(contentType);
    this.#secrets = secrets;
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text;
    const { text } = decodeText(this.content.whole(), this.type.charset);
    this.#text = text;
    // Only the beginning of a long body was searched when it arrived.
    if (this.content.length > LOOKED_AT) {
      for (const secrets of this.#secrets) {
        secrets.learn({ kind: "body", text: () => text, mediaType: this.type.essence }, "server");
      }
    }
    return text;
  }

  get json(): unknown {
    this.#json ??= { value: this.text.trim() === "" ? undefined : this.#parse(this.text) };
    return this.#json.value;
  }

  /** What is wrong with the charset of the Content-Type, as a list. */
  get charsetWarnings(): readonly string[] {
    const { charset } = this.type;
    if (isKnownCharset(charset)) return [];
    // A byte order mark, within the first three bytes, takes precedence over the charset.
    const { warning } = decodeText(this.content.head(3), charset);
    return warning === undefined ? [] : [warning];
  }

  #parse(text: string): unknown {
    return parseJson(text, (it) => combineSecrets(this.#secrets).locate(it));
  }
}
