import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretStore, SECRET_NAMES } from "../../lib/secrets/mod.ts";
import { createNameRule } from "../../lib/secrets/names.ts";

const { isSecretName } = createSecretStore();

describe("names that say so", () => {
  test.each([
    ...SECRET_NAMES,
    ..."token accessToken ACCESS_TOKEN refresh-token id_token x-api-key apikey apiKey APIKey".split(
      " ",
    ),
    ..."password2 userPassword DB_PASSWORD passwd pwd clientSecret client_secret secrets".split(
      " ",
    ),
    ..."sessionId sessionid session-id cookies authorization Proxy-Authorization tokenValue".split(
      " ",
    ),
    ..."X-Amz-Signature privateKey githubToken credentials csrf-token".split(" "),
  ])("%s", (name) => expect(isSecretName(name)).toBe(true));
});

describe("names that only speak of secrets, or look like them", () => {
  test.each(
    (
      "tokenType token_type nextPageToken next_page_token continuationToken maxTokens max_tokens " +
      "passwordPolicy hasPassword isToken author authority keyboard compass passport bypass key id " +
      "session monkey assignature secretary tokenize cookieBanner"
    ).split(" "),
  )("%s", (name) => expect(isSecretName(name)).toBe(false));
});

describe("a text is searched for values only if a secret name may stand in it", () => {
  const { mayStandIn = () => true } = createNameRule();
  const words = fc.constantFrom(
    ...SECRET_NAMES.flatMap((name) => name.split(" ")),
    ...["user", "page", "x", "author", "passport"],
  );
  const spelling = fc.constantFrom(
    (word: string) => word,
    (word: string) => word.toUpperCase(),
    (word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  );
  const word = fc
    .tuple(words, spelling, fc.constantFrom("", "s", "2"))
    .map(([text, spell, end]) => spell(text) + end);
  const name = fc
    .tuple(
      fc.array(word, { minLength: 1, maxLength: 4 }),
      fc.constantFrom("", " ", "_", "--", "é", "\t", "&"),
    )
    .map(([all, separator]) => all.join(separator));

  test("whatever the rule takes for secret is seen", () => {
    fc.assert(
      fc.property(name, (text) => {
        fc.pre(isSecretName(text));
        const texts = [
          JSON.stringify({ [text]: 1 }),
          `a=1&${encodeURIComponent(text)}=1`,
          `<input name="${text.replaceAll("&", "&amp;")}" value="x">`,
        ];
        expect(texts.filter((one) => !mayStandIn(one))).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(["\\u0074oken", "\\u{74}oken", "\\x74oken", "%74oken", "&#116;oken", "p%41ss"])(
    "%s has an escaped letter",
    (name) => expect(mayStandIn(`{"${name}": 1}`)).toBe(true),
  );

  test.each([
    "author",
    "passport",
    "keyboard",
    "session",
    "authority",
    "tokenize",
    "caf\\u00e9",
    "a%20b",
  ])("%s has none", (name) => expect(mayStandIn(`{"${name}": 1}`)).toBe(false));
});

describe("the list", () => {
  test("can be changed", () => {
    const store = createSecretStore([...SECRET_NAMES, "social security number", "PIN"]);
    for (const name of ["pin", "cardPin", "socialSecurityNumber", "token"]) {
      expect(store.isSecretName(name)).toBe(true);
    }
    expect(store.isSecretName("spin")).toBe(false);
  });

  test("can be empty: then only what is told is secret", () => {
    const store = createSecretStore([]);
    store.setVariable("password", "hunter2", undefined);
    expect(store.mask("hunter2 http://h/?token=abcdef")).toBe("hunter2 http://h/?token=abcdef");
    store.setVariable("password", "hunter2", true);
    expect(store.mask("hunter2")).toBe("{{password}}");
  });
});
