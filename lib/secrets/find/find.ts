import {
  type Found,
  isAddressHeader,
  isCredentialHeader,
  isPlaceholder,
  type NameRule,
  secretsOfHeader,
} from "../names/mod.ts";
import { finderOf } from "./find-body.ts";
import { findInSource } from "./find-source.ts";
import { findInUrl } from "./find-url.ts";
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

/**
 * Reports every text that is secret because of its place: below a secret name, in a URL, in a header.
 *
 * @param shortestCookie The length from which on the value of a cookie is a secret.
 */
export function findIn(
  material: Material,
  isSecretName: NameRule,
  found: Found,
  shortestCookie?: number,
): void {
  switch (material.kind) {
    case "source":
      findInSource(material.text, isSecretName, found, shortestCookie);
      break;
    case "url":
      findInUrl(material.url, isSecretName, found);
      break;
    case "headers":
      findInHeaders(material.headers, isSecretName, found, shortestCookie);
      break;
    case "body":
      findInBody(material, isSecretName, found);
      break;
    case "value":
      findSecretValues(material.value, { path: undefined, state: "open", isSecretName }, found);
      break;
  }
}

function findInBody(
  { text, mediaType, path }: Extract<Material, { kind: "body" }>,
  isSecretName: NameRule,
  found: Found,
): void {
  const find = finderOf(mediaType);
  find?.({ text: typeof text === "string" ? text : text(), path }, isSecretName, found);
}

function findInHeaders(
  headers: Iterable<readonly [name: string, value: string]>,
  isSecretName: NameRule,
  found: Found,
  shortestCookie: number | undefined,
): void {
  for (const [name, value] of headers) {
    if (isCredentialHeader(name) || isSecretName(name)) {
      for (const text of secretsOfHeader(name, value, shortestCookie)) found(text);
    } else if (isAddressHeader(name)) findInUrl(value, isSecretName, found);
  }
}

/**
 * Whether a material contains a secret, including texts that are too short or too common to be
 * masked: those must not be given away either.
 */
export function holdsSecret(material: Material, isSecretName: NameRule): boolean {
  let holds = false;
  const found: Found = (secret) => {
    if (secret.trim() !== "" && !isPlaceholder(secret)) holds = true;
  };
  findIn(material, isSecretName, found, 1);
  return holds;
}
