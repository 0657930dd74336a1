import { describe, expect, test } from "vitest";
import { isPrivate } from "../../kernel/session/mod.ts";
import { createClient, SECRET_NAMES } from "../../lib/mod.ts";

const { secrets } = createClient();

describe("isPrivate", () => {
  test.each([
    " GET /users",
    'client.setVar("x", "abc", { secret: true })',
    'client.setVar("token", "abc")',
    'client.setVar("apiKey", "abc")',
    ".set --secret x abc",
    ".set password abc",
    "@access_token = abc",
    "GET /users\nAuthorization: Bearer abc",
    "GET /users\nX-API-Key: abc",
    "GET /users\nCookie: a=b",
    ".header Authorization: Basic YTpi",
    "GET https://ada:secret@x.org/",
    "GET /users?api_key=abc",
    'POST /login\n\n{"user": "a", "password": "abc"}',
    'const password = "abc"',
    "POST /login\n\npassword=abc&user=a",
    "POST /login\nX-My-Token: abc",
    ".header X-My-Token: abc",
    "curl --bogus -u ada:abc https://x.org/",
    "curl -uada:abc 'https://bad url/'",
    "curl --user 'ada:a c' https://x.org/",
    "curl --proxy-user=ada:abc https://x.org/",
    "curl https://x.org/ \\\n  -d password=abc",
    "curl -F 'password=abc' https://x.org/",
    "curl --oauth2-bearer abc https://x.org/",
    "curl --url-query token=abc https://x.org/",
    "$ curl -H 'X-Api-Key: abc' https://x.org/",
    "$ curl -H 'X-My-Token: Bearer abc' https://x.org/",
    "GET https://x.org/ -u ada:abc",
    "http --bogus -a ada:abc x.org",
    "http x.org X-Api-Key:abc",
    "http x.org password=abc",
    "http x.org token==abc",
    "https x.org pin=1 otp:=1234",
    'const password: string = "abc"',
    'let apiKey: string | undefined = "abc"',
    'secret ??= "abc"',
    'const tokens = ["abc", "abd"]',
    'client.setVar("x", 1234, { secret: true })',
    'POST /login\n\n{"otp": 1234}',
  ])("%j is not kept", (entry) => {
    expect(isPrivate(entry, secrets)).toBe(true);
  });

  test.each([
    "GET /users",
    "GET /users\nAuthorization: Bearer {{token}}",
    "GET /users\nX-API-Key: {{key}}",
    ".header Authorization: Bearer {{token}}",
    "GET /users?token={{token}}",
    'POST /login\n\n{"password": "{{password}}"}',
    "@token = {{login.token}}",
    "curl -u {{user}}:{{password}} https://x.org/",
    "curl -u ada https://x.org/",
    "curl https://x.org/ -H 'X-Token: Bearer {{token}}'",
    "http x.org token=={{token}} X-Api-Key:{{key}}",
    "curl -d name=abc -o token https://x.org/",
    "const token: string = client.last.json.token",
    'const tokens = client.last.json.tokens["abc"]',
    'const isToken = kind === "abc"',
    "client.last.json.token",
    "GET http://127.0.0.1:8080/a@b",
    "GET https://{{user}}:{{password}}@x.org/",
    'client.setVar("token", client.last.json.token)',
    "const token = client.last.json.token",
    "POST /graphql\n\nmutation Login($password: String!) {\n  login(password: $password)\n}",
  ])("%j is kept", (entry) => {
    expect(isPrivate(entry, secrets)).toBe(false);
  });

  test("hostile text takes no time", () => {
    for (const piece of ["token", "a-", "://a:", '"', "@x = ", "\n "]) {
      expect(typeof isPrivate(`x${piece.repeat(20_000)}`, secrets)).toBe("boolean");
    }
  });
});

test("the names are those of the client", () => {
  const own = createClient({ secretNames: [...SECRET_NAMES, "pin"] });
  const none = createClient({ secretNames: [] });
  expect(isPrivate("@pin = 1234", secrets)).toBe(false);
  expect(isPrivate("@pin = 1234", own.secrets)).toBe(true);
  expect(isPrivate("@token = 1234", none.secrets)).toBe(false);
  expect(isPrivate("GET /\nAuthorization: Bearer abc", none.secrets)).toBe(true);
});
