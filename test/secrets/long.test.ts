import fc from "fast-check";
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

describe("secrets that begin alike", () => {
  test("are looked for once in a text that begins like them from each of its places", () => {
    const store = createSecretStore();
    const tokens = Array.from({ length: 60 }, (_, at) => `${"abc".repeat(5_300)}${at}-end`);
    for (const [at, token] of tokens.entries()) store.setVariable(`v${at}`, token, true);
    const text = "abc".repeat(3_000_000);
    // Compared from each of its places it would not end before the test is given up.
    expect(store.mask(`${text} ${tokens[7]} ${SECRET}`)).toBe(`••• {{v7}} ${SECRET}`);
  });

  test("a large part of one is masked, and a small one is not", () => {
    const store = createSecretStore();
    const token = Array.from({ length: 80 }, (_, at) => `${at}-`).join("x");
    store.setVariable("token", token, true);
    expect(store.mask(`<${token}>`)).toBe("<{{token}}>");
    expect(store.mask(`<${token.slice(0, 200)}>`)).toBe("<•••>");
    expect(store.mask(`<${token.slice(0, 100)}>`)).toBe(`<${token.slice(0, 100)}>`);
  });

  test("each is masked wherever it stands, and little else", () => {
    const piece = fc.constantFrom("a", "ab", "abab".repeat(40), "b", "a".repeat(150), "-");
    const text = (maxLength: number): fc.Arbitrary<string> =>
      fc.array(piece, { minLength: 1, maxLength }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(fc.array(text(5), { minLength: 1, maxLength: 6 }), text(20), (secrets, shown) => {
        const store = createSecretStore();
        for (const secret of secrets) store.hideText(secret);
        const hidden = new Set<number>();
        for (const { start, end } of store.locate(shown)) {
          for (let at = start; at < end; at++) hidden.add(at);
        }
        for (const secret of secrets) {
          for (let at = shown.indexOf(secret); at >= 0; at = shown.indexOf(secret, at + 1)) {
            // One that begins within a long one is part of it as far as that reaches.
            const isBegun = secret.length <= 128 || !hidden.has(at);
            for (let inner = at; isBegun && inner < at + secret.length; inner++) {
              expect(hidden.has(inner), `${secret} at ${at} of ${shown}`).toBe(true);
            }
          }
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
