import { CredentialError, type Credentials, readAuthorization } from "../http/auth/mod.ts";
import {
  createLookup,
  renderTemplate,
  shapeOf,
  sliceTemplate,
  type Template,
  type Variables,
} from "../interpolation/mod.ts";

/**
 * Reads the credentials in the value of an `Authorization` header as it is written, before anything is filled in: a blank
 * or colon in a value divides nothing.
 *
 * @returns `undefined` for a complete header; an error if something is missing.
 * @example `Basic {{user}} {{password}}` has the user name `ada lovelace` if that is the value of `user`
 */
export function readCredentials(
  value: Template,
  variables: Variables,
): Credentials | CredentialError | undefined {
  const text = (start: number, end: number): string =>
    renderTemplate(sliceTemplate(value, start, end), variables, "header", { missing: "keep" });
  try {
    return readAuthorization({ shape: shapeOf(value), text }, createLookup(variables));
  } catch (error) {
    if (error instanceof CredentialError) return error;
    throw error;
  }
}
