import type { Material } from "./find/mod.ts";
import type { Provenance } from "./known-texts.ts";
import type { SecretRange, StreamMasker } from "./search/mod.ts";

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
   * @param from Who wrote it. Most of what a program shows came from a server, and is forgotten like it.
   */
  learn(material: Material, from: Provenance): void;
  /** Grows with each change of what is secret: a text that was shown before may contain a secret now. */
  readonly revision: number;
  /** Takes the remarks since the last call: which secrets cannot be masked, and why. */
  takeRemarks(): readonly string[];
}
