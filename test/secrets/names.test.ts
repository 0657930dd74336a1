import { describe, expect, test } from "vitest";
import { createSecretStore, SECRET_NAMES } from "../../lib/secrets/mod.ts";

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
