import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder } from "./terminal.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";
/** Sets a colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals read it.
const SGR = /^\u001b\[\d+m$/;
const LONG = `for (let n = 100; n < 200; n++) client.setVar("v" + n, n)${ENTER}`;

/** What commands, the pager and interrupts say, on one runtime. */
function describeCommands(runtime: RuntimeName): void {
  describe(`commands of the prompt on ${runtime}`, () => {
    const { open } = useDemoTerminals(runtime);

    test(".set refuses what begins like JSON and is none, and sets nothing where it fails", async () => {
      const lab = open({ columns: 200 });
      await lab.prompts();
      for (const [typed, shown] of [
        ['.set a {"limit": 2', "begins like JSON and is not JSON, column 12: it ends unexpectedly"],
        [".set a [1, 2,]", "begins like JSON and is not JSON, column 7: expected a value"],
        ['.set a "x', "begins like JSON and is not JSON"],
        ['.set a {"n": {{base}}}', "begins like JSON and is not JSON"],
        [".vars a", 'there is no variable "a"'],
        [".set --secret pin ab", 'Cannot keep the variable "pin" secret'],
        [".vars pin", 'there is no variable "pin"'],
        [".set kept long-enough-1", /kept long-enough-1\nrestlab>/],
        [".set --secret kept ab", 'Cannot keep the variable "kept" secret'],
        [".vars kept", "\nlong-enough-1\n"],
        ['.set a {"base": "{{base}}"}', /base\}\}"\}\nrestlab>/],
        [".vars a", '"base": "http://127'],
        [".set b {{base}}/x", /\/x\nrestlab>/],
        [".vars b", /\nhttp:\/\/127\S+\/x\n/],
      ] as const) {
        lab.type(typed + ENTER);
        await lab.shows(shown);
        await lab.prompts();
      }
    });

    test(".set --secret NAME asks, and shows nothing of the answer", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`.set --secret word${ENTER}`);
      await lab.shows("Value of word:");
      lab.type(`{{not}}-a-"template${ENTER}`);
      await lab.shows("word is masked in all output");
      await lab.prompts();
      lab.type(`client.getVar("word").length${ENTER}`);
      await lab.shows("\n19\n");
      await lab.prompts();
      lab.type(`.set --secret other${ENTER}`);
      await lab.shows("Value of other:");
      lab.type(ENTER);
      await lab.shows("no value was given");
      await lab.prompts();
      lab.type(`.vars other${ENTER}`);
      await lab.shows('there is no variable "other"');
      expect(lab.screen.raw()).not.toContain("template");
    });

    test(".send 0 names no exchange", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`.send 0${ENTER}`);
      await lab.shows('Exchange "0" does not exist: there are 1 to 1; .history lists them');
    });

    test(".send sends what was sent, with added headers and without those set since", async () => {
      const lab = open({ columns: 200 });
      await lab.prompts();
      for (const typed of [
        ".header X-Before: 1",
        `POST {{base}}/echo${ENTER}Authorization: Basic ada lovelace${ENTER}${ENTER}{"a": 1}`,
        ".header X-Before:",
        ".header X-Later: 1",
        ".send",
      ]) {
        lab.type(typed + ENTER);
        await lab.prompts();
      }
      lab.type(
        "const [first, again] = client.history.map(({ request, json }) => " +
          `JSON.stringify([request.method, request.url, request.headers, json]))${ENTER}`,
      );
      await lab.prompts();
      lab.type(
        "[again === first, ...first.match(/X-Before|Content-Type|Authorization|X-Later/g)]" +
          `.join("-")${ENTER}`,
      );
      await lab.shows("\ntrue-Content-Type-X-Before-Authorization\n");
    });

    test(".send does not send a request without the body that was streamed", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "large.txt"), "x".repeat(2 ** 20 + 1));
      const lab = open({ cwd, columns: 200 });
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}${ENTER}< ./large.txt${ENTER}${ENTER}`);
      await lab.prompts();
      lab.type(`.send${ENTER}`);
      await lab.shows("Sending POST again failed: its body was streamed and is not kept");
    });

    test(".last body indents and colours the body", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      const before = lab.screen.raw().length;
      lab.type(`.last body${ENTER}`);
      await lab.shows(/\n {2}"name": "Ada Lovelace",\n/);
      const [, key, value] =
        /\n {2}(\S+)"name"\S+ (\S+)"Ada Lovelace"/.exec(lab.screen.raw().slice(before)) ?? [];
      expect([key, value]).toEqual([expect.stringMatching(SGR), expect.stringMatching(SGR)]);
      expect(value).not.toBe(key);
    });

    test("a wide table is shown downwards in full and by .view; no header is cut", async () => {
      const lab = open({ columns: 60 });
      await lab.prompts();
      const long = "long-value".repeat(20);
      lab.type(`GET {{base}}/users?limit=2 \\\rX-Long: ${long}\r\r`);
      await lab.shows(/more columns? not shown; \.view shows more/);
      await lab.prompts();
      lab.type(".last headers\r");
      await lab.shows("X-Long: long-value");
      await lab.prompts();
      // The entry, which is drawn row by row, does not have it in one piece.
      expect(lab.screen.raw()).toContain(long);
      const second = /\n1 \(\d+ keys\)\n {2}id +2\n {2}name +Alan Turing\n/g;
      for (const [at, command] of [".last full", ".view"].entries()) {
        lab.type(`${command}\r`);
        await lab.prompts();
        expect(lab.screen.text().match(second)).toHaveLength(at + 1);
      }
    });

    test(".view shows the last answer in each form, and a cut table says how to see the rest", async () => {
      const lab = open({ rows: 100 });
      await lab.prompts();
      lab.type(`GET {{base}}/listing?rows=60${ENTER}`);
      await lab.shows("50 of 60 rows shown; .view table shows more");
      await lab.prompts();
      for (const [form, shown] of [
        ["json", /\n {4}"id": 60,\n/],
        ["tree", /\n59 \(\d+ keys\)\n {2}id +60\n/],
        ["table", /\n60 +[^\n]+\n60 rows\n/],
        ["headers", /\nResponse headers \(\d+\)\n {2}/],
        ["timing", /\nheaders received after +\d+(?:\.\d)? ms\n/],
        ["nope", "the forms are full, json, headers, body, table, tree, timing"],
      ] as const) {
        lab.type(`.view ${form}${ENTER}`);
        await lab.shows(shown);
        await lab.prompts();
      }
    });

    test("curl -w follows the answer, and stands alone where that is saved", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`curl -s -w 'code %{http_code}\\n' {{base}}/users/1${ENTER}`);
      await lab.shows(/\ntags +\["math","engines"\]\ncode 200\nrestlab>$/);
      lab.type(
        `curl -s -o one.json -w '%{http_code} %{filename_effective}' {{base}}/users/1${ENTER}`,
      );
      await lab.shows(/users\/1\n200 one\.json\nrestlab>$/);
    });

    test(".curl prints the last request as a command", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`.curl${ENTER}`);
      await lab.shows("Nothing has been answered yet");
      await lab.prompts();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}${ENTER}{"a": 1}${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(`.curl${ENTER}`);
      await lab.shows(/\ncurl http:\S+\/echo \\\n[\s\S]*--data-raw '\{"a": 1\}'\nrestlab>/);
      await lab.prompts();
      lab.type(`.curl 1${ENTER}`);
      await lab.shows(/\ncurl http:\S+\/users\/1/);
    });

    test("Ctrl-C says which request it has interrupted", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/slow?ms=60000${ENTER}`);
      await lab.shows(/GET http:\S+\/slow waiting \d/);
      lab.type(CTRL_C);
      await lab.shows(/InterruptedError: Interrupted GET http:\S+\/slow after \d+\.\d s/);
    });

    test("the built-in pager searches and goes back", async () => {
      const lab = open({ rows: 20, env: { PAGER: "less-is-not-here" } });
      await lab.prompts();
      lab.type(LONG);
      await lab.prompts();
      lab.type(`.vars${ENTER}`);
      await lab.shows(/-- \d+ more lines: .*b back/);
      lab.type(`/V150${ENTER}`);
      await lab.shows('"V150" is not found below');
      lab.type(`/v150${ENTER}`);
      await lab.shows(/v150 [\s\S]*v16\d[\s\S]*-- \d+ more/);
      expect(lab.screen.text()).not.toContain("v149 ");
      lab.type("b");
      await lab.shows(/v131 [\s\S]*v149 /);
      lab.type(`/1${ENTER}nn`);
      await lab.shows(/v134 [^\n]*\n(?:v1[345]\d [^\n]*\n){18}-- /);
      lab.type("q");
      await lab.prompts();
    });

    test("long text wraps between words", async () => {
      const lab = open({ columns: 40 });
      await lab.prompts();
      lab.type(`"word ".repeat(20).trim()${ENTER}`);
      await lab.shows(/\n(?:word ){7}word\n(?:word ){7}word\n/);
      await lab.prompts();
      lab.type(`.set a [1${ENTER}`);
      await lab.shows("Setting a variable failed: the value\nbegins like JSON and is not JSON");
    });
  });
}

describeCommands(RUNTIME);
