import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");

/**
 * What is done in one place: how it is written, and the folders in which it still stands. The first is where it
 * belongs; a commit takes the others away, and adds none.
 */
const ONE_OF_EACH: Readonly<Record<string, readonly [written: RegExp, folders: string]>> = {
  "the separator of requests": [
    /###/,
    "lib/request lib/curl kernel/cli kernel/import kernel/repl kernel/repl/editor kernel/repl/entry kernel/run kernel/session",
  ],
  "the words of a curl line": [
    /\^[^/\n]*\bcurl\b[^/\n]*\//,
    // Secrets are found in commands that nothing can parse, too.
    "lib/curl lib/secrets kernel/import kernel/repl/entry kernel/session",
  ],
  "the parser of request text": [
    /\bparse(?:Requests|Entries)\(/,
    "lib/request kernel/repl kernel/run lib/exchange lib/variables",
  ],
  "the rendering of a request": [
    /\brenderRequest\(/,
    "lib/request lib/client lib/exchange kernel/import",
  ],
  "the sending by ky": [/\bky(?:\.create)?\(/, "lib/http"],
  "the mask": [/•••/, "lib/secrets kernel/repl kernel/session lib/har"],
  "the masking of an exchange": [/\bmaskExchange\(/, "lib/exchange lib/display lib/har lib/verify"],
  "the learning of secrets": [
    /\.learn\(/,
    "lib/exchange kernel/jupyter kernel/repl kernel/run kernel/session kernel/terminal lib/display lib/har lib/http lib/secrets lib/variables lib/websocket",
  ],
  "the characters of a quoted string": [
    /\[\^"\\\\/,
    "lib/json kernel/demo kernel/import kernel/repl/editor kernel/session kernel/session/compiler lib/assertions lib/curl lib/display lib/exchange lib/http/auth lib/interpolation lib/request lib/secrets lib/variables",
  ],
  "the comparison of values": [
    /function (?:compareValues|equals|isSame\w*|deepEqual)\(/,
    "lib/json kernel/session lib/display lib/har",
  ],
  "a path into a value": [
    /function (?:valueAt|memberAt|pathText|stepText|readPath)\w*\(/,
    "lib/interpolation kernel/session lib/client lib/display lib/json lib/request lib/verify",
  ],
};

const sources = ["lib", "kernel"].flatMap((top) =>
  readdirSync(join(ROOT, top), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => {
      const text = readFileSync(join(ROOT, top, name), "utf8");
      const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
      return { path: join(top, name), folder: dirname(join(top, name)), code };
    }),
);

describe("there is one of each", () => {
  test.each(Object.entries(ONE_OF_EACH))("%s", (_, [written, folders]) => {
    const places = folders.split(" ");
    const elsewhere = sources.filter(
      ({ folder, code }) => written.test(code) && !places.includes(folder),
    );
    expect(elsewhere.map(({ path }) => path)).toEqual([]);
  });
});
