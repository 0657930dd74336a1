import { describe, expect, test } from "vitest";
import { WRITE_RESULT } from "../../../kernel/repl/write-result.ts";
import { createTerminalPrinter } from "../../../kernel/terminal/mod.ts";
import { secretsOf } from "../../display/markup-tokens.ts";
import { sampleExchange } from "../../display/sample.ts";

const SECRET = "hush-hush-42";
const BODY = `{"id":12345678901234567890,"a":["${SECRET}",1.50],"${SECRET}":"\u009b2J\u202e"}`;

function written(form: "json" | "body" | "headers", value: unknown, isTerminal: boolean): string {
  let text = "";
  const write = (data: string | Uint8Array): void => {
    text += typeof data === "string" ? data : new TextDecoder().decode(data);
  };
  const printer = createTerminalPrinter({ write, columns: () => 80, color: false });
  const style = { format: false, color: false };
  WRITE_RESULT[form](value, { printer, isTerminal, style, secrets: secretsOf(SECRET), write });
  return text;
}

describe("what is written at a terminal", () => {
  test.each(["json", "body", "headers"] as const)("as %s is masked, then made visible", (form) => {
    const exchange = sampleExchange(BODY, "application/json", {
      headers: new Headers({ "x-echo": SECRET }),
    });
    for (const value of [exchange, { [SECRET]: SECRET }]) {
      const text = written(form, value, true);
      expect(text).not.toContain(SECRET);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    }
  });

  test("as JSON stays JSON with all digits, with any placeholder of a secret", () => {
    const text = written("json", { id: 12345678901234567890n, a: [SECRET], [SECRET]: 1 }, true);
    expect(() => JSON.parse(text)).not.toThrow();
    expect(text).toContain("12345678901234567890");
  });

  test("goes into a pipe unchanged", () => {
    const exchange = sampleExchange(BODY, "application/json");
    expect(written("body", exchange, false)).toBe(BODY);
    expect(JSON.parse(written("json", exchange, false)).json.a[0]).toBe(SECRET);
  });
});
