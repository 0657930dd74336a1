import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createTerminalPrinter } from "../../kernel/terminal/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { createSecretStore, type SecretStore } from "../../lib/secrets/mod.ts";
import { HOSTILE } from "../display/hostile.cases.ts";
import { secretsOf } from "../display/markup-tokens.ts";
import { parsedExchange, sampleExchange } from "../display/sample.ts";

const ESCAPE = "\u001b";

function createPage(
  color: boolean,
  columns = 80,
  secrets = createSecretStore(),
  isTerminal = false,
) {
  let text = "";
  const write = (part: string): void => {
    text += part;
  };
  const printer = createTerminalPrinter(
    { write, columns: () => columns, color, isTerminal },
    { secrets },
  );
  return { printer, text: () => text };
}

/** What a text does besides showing characters: colours are taken away first. */
function acting(text: string): string {
  const shown = text.replaceAll(new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g"), "");
  return [...shown]
    .filter(
      (character) =>
        /[\p{Cc}\p{Bidi_Control}]/u.test(character) && character !== "\n" && character !== "\t",
    )
    .join("");
}

describe("createTerminalPrinter", () => {
  it.each([
    [80, " · 12 ms · 2 bytes"],
    [72, " · 12 ms\n2 bytes"],
    [62, "\n12 ms · 2 bytes"],
    // The terminal breaks the URL after 50 columns.
    [50, " · 12 ms · 2 bytes"],
  ])("breaks a status line of %i columns between its facts", (width, facts) => {
    const page = createPage(true, width, createSecretStore(), true);
    page.printer.value(sampleExchange("{}"));
    const plain = page.text().replaceAll(new RegExp(`${ESCAPE}\\[[\\d;]*m`, "g"), "");
    expect(plain).toContain(`GET http://127.0.0.1:8787/users?limit=2${facts}\n`);
  });

  it.each([true, false])("hides a secret, colours or not: %s", (color) => {
    const secrets = createSecretStore();
    secrets.setVariable("key", "hush-hush-42", true);
    const page = createPage(color, 80, secrets);
    for (const value of ["hush-hush-42", ["hush-hush-42"], { a: "hush-hush-42" }, [1, 2, 3]]) {
      page.printer.value(value);
    }
    expect(page.text().match(/\{\{key\}\}/g)).toHaveLength(3);
    expect(page.text()).not.toMatch(/hush/);
    expect(page.text().includes(ESCAPE)).toBe(color);
  });

  it("hides a secret in a text before it makes the text visible", () => {
    const hostile = secretsOf("hush-hush-42");
    const text = "the hush-hush-42";
    for (const color of [true, false]) {
      const page = createPage(color, 80, hostile as SecretStore);
      const { printer } = page;
      printer.line(text, "Successful");
      printer.heading(text);
      printer.markdown(`# ${text}`);
      printer.source(text, text);
      printer.error({ name: text, message: text, traceback: [text] });
      printer.error({ name: "Error", message: text, traceback: [] });
      printer.value(text);
      printer.value({ [text]: text });
      printer.value({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": text }) });
      printer.blocks([{ kind: "note", level: "info", text: hostile.mask(text) }]);
      expect(page.text()).not.toContain("hush");
      expect(page.text().match(/‹U\+009B›2J‹U\+202E›/g)?.length).toBeGreaterThan(10);
      expect(acting(page.text())).toBe("");
    }
  });

  it("omits headers if there are none", () => {
    const page = createPage(false);
    const none = { kind: "headers", title: "Request headers", headers: [], total: 0 } as const;
    const one = { ...none, title: "Response headers", headers: [["a", "b"]], total: 1 } as const;
    page.printer.blocks([none, one]);
    expect(page.text()).toBe("Response headers (1): a\n");
  });

  it("wraps the message of an error beside the bar of its source, and not the source", () => {
    const page = createPage(false, 30, createSecretStore(), true);
    const source = "1 │ GET {{base}}/users/{{first.name}}/x";
    const caret = `  │ ${" ".repeat(18)}${"^".repeat(14)}`;
    const message = [
      "TypeError: line 1",
      source,
      caret,
      "  │ Cannot resolve it: there is no variable",
    ];
    page.printer.error({ name: "TypeError", message: message.join("\n"), traceback: message });
    const wrapped = ["  │ Cannot resolve it: there", "  │ is no variable"];
    expect(page.text().trim().split("\n").slice(-4)).toEqual([source, caret, ...wrapped]);
  });

  it("prints an answer within 20 columns", () => {
    const page = createPage(false, 20);
    page.printer.value(parsedExchange([{ id: 1, text: "long ".repeat(40), other: "more" }]));
    const [, ...lines] = page.text().split("\n");
    expect(lines.filter((line) => line.length > 20)).toEqual([]);
  });

  it("prints an answer within the columns, headers folded", () => {
    const page = createPage(false, 60);
    page.printer.value(parsedExchange([{ id: 1, text: "long ".repeat(40) }]));
    const lines = page.text().split("\n");
    expect(lines.slice(0, 3)).toEqual([
      "200 OK · Successful · GET http://127.0.0.1:8787/users?limit=2 · 12 ms · 3 bytes",
      "Request headers (1): accept",
      "Response headers (1): content-type",
    ]);
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(60);
  });

  it.each([
    [200, "Successful", 32],
    [302, "Redirection", 36],
    [404, "Client error", 33],
    [500, "Server error", 31],
  ] as const)("colours the status %i, and says its class", (status, statusClass, code) => {
    const exchange = sampleExchange("", "", { status, statusText: "", statusClass });
    const page = createPage(true);
    page.printer.value(exchange);
    expect(page.text()).toContain(`${ESCAPE}[${code}m${status} · ${statusClass}`);
    const plain = createPage(false);
    plain.printer.value(exchange);
    expect(plain.text()).toContain(`${status} · ${statusClass}`);
    expect(plain.text()).not.toContain(ESCAPE);
  });

  it("prints values as a console does, texts unchanged, and nothing for undefined", () => {
    const page = createPage(false);
    page.printer.value({ a: [1, 2n] });
    page.printer.value("two\nlines");
    page.printer.value(undefined);
    expect(page.text()).toBe(`${inspect({ a: [1, 2n] })}\ntwo\nlines\n`);
  });

  it.each([
    [true, '"5"\n5\n"null"\nnull\n""\nAda\n'],
    [false, "5\n5\nnull\nnull\n\nAda\n"],
  ])("tells strings from other results at a terminal: %s", (isTerminal, shown) => {
    const page = createPage(false, 80, createSecretStore(), isTerminal);
    for (const value of ["5", 5, "null", null, "", "Ada"]) page.printer.value(value);
    expect(page.text()).toBe(shown);
  });

  it("prints the display of a value", () => {
    const page = createPage(false);
    page.printer.value({ [Symbol.for("Jupyter.display")]: () => ({ "text/plain": "me" }) });
    expect(page.text()).toBe("me\n");
  });

  it("breaks a display between words at a terminal", () => {
    const client = createClient();
    for (const name of ["first", "second", "third"]) client.setVar(name, { limit: 5, offset: 0 });
    for (const [isTerminal, count] of [
      [true, 3],
      [false, 1],
    ] as const) {
      const page = createPage(false, 40, createSecretStore(), isTerminal);
      page.printer.value(client.vars);
      const lines = page.text().trimEnd().split("\n");
      expect(lines).toHaveLength(count);
      expect(lines.join(" ")).toMatch(/"offset": 0}, "second": {"limit": 5/);
    }
  });

  it("prints an error once, its name in red", () => {
    const page = createPage(true);
    page.printer.error({
      name: "TypeError",
      message: "no",
      traceback: ["TypeError: no", "    at x"],
    });
    page.printer.error({ name: "Error", message: "bare", traceback: [] });
    const plain = page.text().replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, "g"), "");
    expect(plain).toBe("TypeError: no\n    at x\nError: bare\n");
    expect(page.text()).toContain(`${ESCAPE}[31mTypeError`);
  });

  it("keeps the colours of printed text, and ends them", () => {
    expect(createPage(true).printer.visible(`${ESCAPE}[1;32mgreen`)).toBe(
      `${ESCAPE}[1;32mgreen${ESCAPE}[0m`,
    );
    expect(createPage(true).printer.visible(`${ESCAPE}[8mhidden${ESCAPE}[2J`)).toBe(
      "␛[8mhidden␛[2J",
    );
    expect(createPage(false).printer.visible(`${ESCAPE}[32mgreen`)).toBe("␛[32mgreen");
  });

  it.each([
    ["10 %\r20 %\r", "10 %\r20 %\r"],
    ["one\r\ntwo\r\n", "one\ntwo\n"],
    ["a\bb\u001b[2Kc\rd", "a␈b␛[2Kc\rd"],
    [
      `${ESCAPE}[32m##${ESCAPE}[0m\r${ESCAPE}[32m###\n`,
      `${ESCAPE}[32m##${ESCAPE}[0m\r${ESCAPE}[32m###${ESCAPE}[0m\n`,
    ],
  ])("begins a printed line anew at a carriage return: %j", (text, shown) => {
    expect(createPage(true).printer.visible(text)).toBe(shown);
  });

  it("prevents hostile text from acting on the terminal", () => {
    for (const color of [true, false]) {
      for (const text of HOSTILE) {
        const page = createPage(color, 50);
        const { printer } = page;
        printer.value(parsedExchange([{ [text]: text }]));
        printer.value(sampleExchange(text, "text/plain", { statusText: text, warnings: [text] }));
        printer.value({ [text]: text, [Symbol(text)]: new Error(text) });
        printer.value(text);
        printer.value(new Error(text));
        printer.error({ name: text, message: text, traceback: [text] });
        printer.line(text, "Successful");
        printer.heading(text);
        printer.markdown(`# ${text}`);
        printer.source(text, text);
        // What is printed begins its own line anew.
        const printed = printer.visible(text).replaceAll("\r", "");
        expect(acting(page.text() + printed)).toBe("");
      }
    }
  });
});
