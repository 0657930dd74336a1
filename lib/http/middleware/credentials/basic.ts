import type { Authorizer, BasicCredentials } from "./authorizer/mod.ts";
import { checkTexts } from "./authorizer/mod.ts";

/** Name and password in Base64, as UTF-8. */
export function createBasic(credentials: BasicCredentials): Authorizer {
  checkTexts(credentials, ["username", "password"]);
  const { username, password } = credentials;
  if (username.includes(":")) {
    throw new TypeError(
      `Cannot use "${username}" as the user name of basic credentials: it contains a colon`,
    );
  }
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  const value = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return { authorize: () => ({ headers: [["Authorization", `Basic ${value}`]] }) };
}
