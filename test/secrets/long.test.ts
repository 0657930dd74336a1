import { describe, expect, test } from "vitest";
import { createSecretStore } from "../../lib/secrets/mod.ts";

const SECRET = "a-very-secret-value-1";
const LENGTH = 6_000_000;
/** What a pattern may begin with, go on with or look into, without an end. */
const REPEATED = [
  ..."aA1\\\"'%&=:/{<>-.,; \n",
  "QUJD",
  '\\"',
  "%41",
  "&amp;",
  "&#65;",
  "\\u0041",
  "97, ",
  "61 ",
  "a=",
  "?a=b&",
  "://a:b@",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZn\n",
  "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNkZWZn\\n",
  "{{a}}",
  "'...",
];

describe("millions of one thing", () => {
  test.each(REPEATED)("%j leave a secret behind them masked", (piece) => {
    const store = createSecretStore();
    store.setVariable("key", SECRET, true);
    const text = `${piece.repeat(LENGTH / piece.length)} ${SECRET}`;
    expect(store.mask(text).slice(-8)).toBe(" {{key}}");
  });

  test.each([
    ["text/html", `<a ${"x".repeat(2 * LENGTH)}><input name="token" value="${SECRET}">`],
    ["text/html", `<a ${'x="1" '.repeat(LENGTH / 2)}><p><input name="token" value="${SECRET}">`],
    ["application/json", `["${"\\n".repeat(LENGTH / 2)}", {"token": "${SECRET}"}]`],
    ["application/x-yaml", `a: "${"\\n".repeat(LENGTH / 2)}"\ntoken: ${SECRET}\n`],
    ["application/x-www-form-urlencoded", `${"a=b&".repeat(LENGTH / 4)}token=${SECRET}`],
    ["text/plain", `${"/token:".repeat(LENGTH / 8)} x\ntoken: ${SECRET}\n`],
    ["text/plain", `${"#token:".repeat(LENGTH / 8)} x\ntoken: ${SECRET}\n`],
    ["text/plain", `${`${"/token:a1".repeat(1_800)}\n`.repeat(20)}\ntoken: ${SECRET}\n`],
    [
      "multipart/form-data",
      `${`Content-Disposition: form-data${"; name=x".repeat(200)}\r\n`.repeat(2_000)}\r\n\r\ntoken: ${SECRET}`,
    ],
  ])("in a body of %s keep no secret behind them from being learned", (type, body) => {
    const store = createSecretStore();
    store.learn({ kind: "body", text: () => body, mediaType: type }, "server");
    expect(store.mask(SECRET)).toBe("•••");
  });
});
