import { describe, expect, test } from "vitest";
import type { AssertionResult } from "../../lib/assertions/mod.ts";
import { renderBundle } from "../../lib/display/mod.ts";
import { createSecretStore } from "../../lib/secrets/mod.ts";
import { textOfHtml } from "./judge.ts";
import { parsedExchange } from "./sample.ts";

const passed: AssertionResult = {
  text: "status == 200",
  passed: true,
  expected: "200",
  actual: "200",
  location: { line: 3, column: 1 },
};
const failed: AssertionResult = {
  text: "body name == <b>",
  passed: false,
  expected: "<b>",
  actual: "a | b",
  location: { file: "users.http", line: 4, column: 1 },
};
const tested: AssertionResult = {
  text: "has a name",
  name: "has a name",
  passed: false,
  message: "No name",
  location: { line: 9, column: 3 },
};

const formsOf = (assertions: readonly AssertionResult[], secrets = createSecretStore()) => {
  const exchange = parsedExchange({ id: 1 }, { assertions, secrets: [secrets] });
  const bundle = renderBundle(exchange);
  return {
    text: bundle["text/plain"],
    html: String(bundle["text/html"]),
    markdown: String(bundle["text/markdown"]),
  };
};

describe("the results of assertions", () => {
  test("are not shown where there are none", () => {
    expect(formsOf([]).text).not.toContain("assertion");
  });

  test("that were skipped have neither passed nor failed", () => {
    const skipped: AssertionResult = { ...passed, passed: false, skipped: true };
    expect(formsOf([passed, skipped]).text).toContain("1 assertion passed, 1 skipped");
    const { text } = formsOf([skipped, failed]);
    expect(text).toContain("1 of 2 assertions failed");
    expect(text).toMatch(/^skipped /m);
  });

  test("are one line below the body if all passed", () => {
    const { text, html, markdown } = formsOf([passed, passed]);
    expect(text.trimEnd().split("\n").at(-1)).toBe("2 assertions passed");
    expect(textOfHtml(html)).toContain("2 assertions passed");
    expect(markdown).toContain("2 assertions passed");
  });

  test("are a table in every form if one failed", () => {
    const { text, html, markdown } = formsOf([passed, failed]);
    expect(text).toContain("1 of 2 assertions failed");
    expect(text).toMatch(/failed {2}body name == <b> {2}<b> +a \| b +users\.http:4/);
    expect(text).toMatch(/passed {2}status == 200 +200 +200 +line 3/);
    expect(textOfHtml(html)).toContain("1 of 2 assertions failed");
    expect(html).toContain("&lt;b&gt;");
    expect(html).not.toContain("<b>");
    expect(markdown).toContain("users.http:4");
    expect(markdown).toContain("| `<b>` |");
  });

  test("have a column for paths if there is one", () => {
    const { text } = formsOf([{ ...failed, path: "$.items[0].id" }]);
    expect(text).toMatch(/found +path +at\n/);
    expect(text).toContain("$.items[0].id");
  });

  test("have a column for messages if there is one", () => {
    const { text } = formsOf([tested]);
    expect(text).toMatch(/assertion +message +at\n/);
    expect(text).toMatch(/failed {2}has a name +No name +line 9/);
  });

  test("are those that failed if there are many", () => {
    const { text } = formsOf([...Array.from({ length: 5_000 }, () => passed), failed]);
    expect(text).toContain("1 of 5,001 assertions failed");
    expect(text).toContain("users.http:4");
    expect(text).not.toContain("line 3");
  });

  test("show no secret", () => {
    const secrets = createSecretStore();
    secrets.hide("hush-hush-42");
    const forms = formsOf(
      [
        { ...failed, actual: "hush-hush-42", expected: "x hush-hush-42" },
        { ...tested, message: "is hush-hush-42", text: "hush-hush-42" },
      ],
      secrets,
    );
    expect(JSON.stringify(forms)).not.toContain("hush-hush-42");
  });
});
