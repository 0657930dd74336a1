import type { Material } from "./find/mod.ts";
import type { SecretRange } from "./names/mod.ts";
import type { StreamMasker } from "./search/mod.ts";

/**
 * Who wrote a material. What a person wrote is masked for the whole session; of what servers send,
 * only the latest few thousand secrets are.
 */
export type Provenance = "person" | "server";

/**
 * The secrets that a client knows, so that no output contains them. Values themselves stay real:
 * only what a person sees is masked.
 */
export interface Secrets {
  /**
   * Masks a text: each secret in it, in whatever form, becomes the placeholder that it came from, or
   * `•••`. A text without secrets is returned as it is.
   *
   * @param text The text to show.
   * @param write Writes a placeholder as the surrounding form needs it, for example as HTML.
   */
  mask(text: string, write?: (shown: string) => string): string;
  /** The ranges of secrets in a text, in order. */
  locate(text: string): readonly SecretRange[];
  /** Whether the value of a property, variable or parameter of this name is a secret. */
  isSecretName(name: string): boolean;
  /** Masks a stream, whose pieces may split a secret. */
  openStream(): StreamMasker;
  /**
   * Learns the secrets of a material by their place: below a secret name, in a URL, in a header.
   *
   * @param material Source code, a URL, headers, a body or a value of a program.
   * @param from Who wrote it. A placeholder that a person wrote is not a secret; a text from a server
   *   that looks like one may be.
   */
  learn(material: Material, from: Provenance): void;
  /** Grows with each change of what is secret: a text that was shown before may contain a secret now. */
  readonly revision: number;
  /** Takes the remarks since the last call: which secrets cannot be masked, and why. */
  takeRemarks(): readonly string[];
}
