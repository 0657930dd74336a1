import { isPlaceholder } from "../search/mod.ts";
import { findInBody } from "./find-body.ts";
import { findInSource } from "./find-source.ts";
import { findInUrl, findInUrls } from "./find-url.ts";
import { isCredentialHeader, secretsOfHeader } from "./headers.ts";
import type { Found, NameRule } from "./names.ts";
import { findSecretValues } from "./secret-values.ts";

/** Something that may contain secrets. */
export type Material =
  /** A cell or an entry of the prompt, as it was typed. */
  | { readonly kind: "source"; readonly text: string }
  | { readonly kind: "url"; readonly url: string }
  | {
      readonly kind: "headers";
      readonly headers: Iterable<readonly [name: string, value: string]>;
    }
  | {
      readonly kind: "body";
      /** The text, or a function that decodes it when a mask is first needed. */
      readonly text: string | (() => string);
      readonly mediaType: string;
      /** The path of a placeholder that refers to the body. */
      readonly path?: string | undefined;
    }
  /** A value of a program. */
  | { readonly kind: "value"; readonly value: unknown };

/** Reports every text that is secret because of its place: below a secret name, in a URL, in a header. */
export function findIn(material: Material, isSecretName: NameRule, found: Found): void {
  if (material.kind === "source") findInSource(material.text, isSecretName, found);
  else if (material.kind === "url") findInUrl(material.url, isSecretName, found);
  else if (material.kind === "headers") findInHeaders(material.headers, isSecretName, found);
  else if (material.kind === "body") findInBody(material, isSecretName, found);
  else findSecretValues(material.value, { isSecretName }, found);
}

// Stops `Authorization: Bearer …`, `Set-Cookie: sid=…` and `Location: /?token=…` in views and errors.
function findInHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  isSecretName: NameRule,
  found: Found,
): void {
  for (const [name, value] of headers) {
    if (isCredentialHeader(name, value) || isSecretName(name)) {
      for (const text of secretsOfHeader(name, value)) found(text);
    } else findInUrls(value, isSecretName, found);
  }
}

/**
 * Whether a material contains a secret, including texts that are too short or too common to be
 * masked: those must not be given away either.
 */
export function holdsSecret(material: Material, isSecretName: NameRule): boolean {
  let holds = false;
  findIn(material, isSecretName, (secret) => {
    if (secret.trim() !== "" && !isPlaceholder(secret)) holds = true;
  });
  return holds;
}
