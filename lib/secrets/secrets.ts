import type { SecretRange } from "./names/mod.ts";
import type { StreamMasker } from "./search/mod.ts";

/**
 * Where a text comes from. What a person has written is masked for good; of what servers send, only
 * the latest few thousand secrets are.
 */
export type Provenance = "written" | "received";

/**
 * What a client knows to be secret, so that nothing that is shown holds it. Values themselves stay
 * real: only what a person sees is masked.
 */
export interface Secrets {
  /**
   * Masks a text: each secret in it, in whatever form, becomes the placeholder that it came from, or
   * `•••`. A text without secrets comes back as it is.
   *
   * @param text What is to be shown.
   * @param write Writes a placeholder as the surrounding form needs it, for example as HTML.
   */
  mask(text: string, write?: (shown: string) => string): string;
  /** Where secrets stand in a text, in order. */
  locate(text: string): readonly SecretRange[];
  /** Whether the value of a property, variable or parameter of this name is a secret. */
  isSecretName(name: string): boolean;
  /** Masks a stream, whose pieces may part a secret. */
  openStream(): StreamMasker;
  /** Learns the secrets that a person has written into a cell. */
  learnSource(code: string): void;
  /** Learns what stands below secret names in a value of a program. */
  learnValue(value: unknown): void;
  /** Learns a URL's secrets; of one that was written unless told. */
  learnUrl(url: string, from?: Provenance): void;
  /** Learns the credentials of headers, once a text is to be masked; of written ones unless told. */
  learnHeaders(headers: Iterable<readonly [name: string, value: string]>, from?: Provenance): void;
  /**
   * Learns the secrets of a body, by its media type, once a text is to be masked.
   *
   * @param body The text that was sent, or a function that makes the text that has come: there a
   *   placeholder was not written by a person, and what looks like one may be a secret.
   * @param path How a placeholder names the body, if one does.
   */
  learnBody(body: string | (() => string), mediaType: string, path?: string): void;
  /** Grows with every text that becomes a secret: what was written before may hold one now. */
  readonly revision: number;
  /** What a person has to know since the last time: which secrets cannot be masked, and why. */
  takeRemarks(): readonly string[];
}
