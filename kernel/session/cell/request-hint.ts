import { METHODS } from "./words.ts";

const EXAMPLE = "https://api.example.com/users";

/**
 * Explains what to do with code that does not compile and was probably meant as a request.
 *
 * @returns Nothing if it does not look like a request.
 * @example `GET` gets "A request is a method and a URL: GET https://api.example.com/users"
 */
export function requestHint(source: string): string | undefined {
  const [, word = "", rest = ""] = /^\s*([A-Za-z]+)(?=\s|$)\s*(.*)/.exec(source) ?? [];
  const method = word.toUpperCase();
  // `delete` and `options` may begin code.
  const isMethod = Object.hasOwn(METHODS, method) && (word === method || rest === "");
  if (isMethod) return `A request is a method and a URL: ${method} ${EXAMPLE}`;
  if (/^https?$/.test(word) && rest !== "") {
    return `A request is written as it is sent: POST ${EXAMPLE}, headers below it, an empty line, the body`;
  }
  if (word === "curl" && rest === "") return `A curl command has a URL: curl ${EXAMPLE}`;
  const [, path] = /^\s*(\/[\w{]\S*)/.exec(source) ?? [];
  return path && `A request begins with its method: GET {{base}}${path}`;
}
