import { type Authorizer, type BasicCredentials, checkStrings } from "./authorizer/mod.ts";

/** Sends user name and password as UTF-8 in Base64. */
export function createBasic(credentials: BasicCredentials): Authorizer {
  checkStrings(credentials, ["username", "password"]);
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
