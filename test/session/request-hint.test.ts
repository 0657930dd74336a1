import { describe, expect, test } from "vitest";
import { requestHint } from "../../kernel/session/cell/mod.ts";

describe("requestHint", () => {
  test.each([
    ["GET", "a method and a URL: GET https://"],
    ["post", "a method and a URL: POST https://"],
    ["GET :8080/x", "a method and a URL: GET https://"],
    ["http POST {{base}}/users name=x", "written as it is sent: POST https://"],
    ["/users?a=1", "begins with its method: GET {{base}}/users?a=1"],
    ["curl", "has a URL: curl https://"],
  ])("%j: %s", (source, hint) => {
    expect(requestHint(source)).toContain(hint);
  });

  test.each([
    "const a: string = 1",
    "delete a.b",
    "get(1)",
    "GETS",
    "http.get(1)",
    "http",
    "//x",
    "/* GET */ a",
    "{ { base } }; b",
    "",
  ])("%j is not a request", (source) => {
    expect(requestHint(source)).toBeUndefined();
  });
});
