import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import { RUNS_ALL, RUNTIME } from "../support/runtime.ts";
import { useDemoTerminals } from "./demo-terminals.ts";
import { makeFolder } from "./terminal.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_R = "\u0012";
const UP = "\u001b[A";
const LEFT = "\u001b[D";
const BACKSPACE = "\u007f";
const ALT_ENTER = "\u001b\r";
const COLOR = new RegExp(`${"\u001b"}\\[[\\d;]*m`);

/** TypeScript that waits until the test has made a file in the session's folder. */
const whenThere = (name: string): string =>
  `(async () => { const { existsSync } = await import("node:fs"); while (!existsSync("${name}")) await new Promise((go) => setTimeout(go, 20)); })()`;

/** What the prompt promises in a real pseudo-terminal, on one runtime. */
function describePrompt(runtime: RuntimeName): void {
  describe(`the prompt in a terminal on ${runtime}`, () => {
    const { open } = useDemoTerminals(runtime);

    test("Enter sends a GET, and continues a POST or incomplete TypeScript", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/users?limit=2${ENTER}`);
      await lab.shows("2 rows");
      await lab.prompts();
      expect(lab.screen.text()).toContain("200 OK · Successful");
      expect(lab.screen.text()).toContain("Ada Lovelace");
      lab.type(`POST {{base}}/echo${ENTER}Content-Type: application/json${ENTER}${ENTER}{${ENTER}`);
      lab.type(`"name": "日本😀"${ENTER}}${ENTER}`);
      await lab.shows(/method\s+POST/);
      await lab.prompts();
      lab.type(
        `const twice = (list: number[]) => {${ENTER}return list.map((n) => n * 2);${ENTER}}${ENTER}`,
      );
      lab.type(`twice([1, client.last.status])${ENTER}`);
      await lab.shows("[ 2, 400 ]");
      await lab.prompts();
      lab.type(CTRL_D);
      expect(await lab.ended).toBe(0);
    });

    test("Ctrl-C ends a request in flight, a wait and an entry, and keeps the session", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/slow?ms=60000${ENTER}`);
      await lab.shows(/GET http:\S+\/slow waiting \d/);
      lab.type(CTRL_C);
      await lab.shows("InterruptedError");
      await lab.prompts();
      lab.type(`let kept = 41;${ENTER}`);
      await lab.shows("kept = 41;\nrestlab>");
      lab.type(`console.log("waiting"); await new Promise(() => {})${ENTER}`);
      await lab.shows("\nwaiting");
      lab.type(CTRL_C);
      await lab.shows(/waiting\s+[\s\S]*InterruptedError/);
      await lab.prompts();
      lab.type(`unfinished( ${CTRL_C}`);
      await lab.shows("unfinished( ^C");
      lab.type(`kept + 1${ENTER}`);
      await lab.shows("\n42\n");
    });

    test("code of a cell asks, and waits for the answer", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`[prompt("Name? "), confirm("Sure?"), await 1, prompt("City", "Bern")]${ENTER}`);
      await lab.shows(/Name\?\s*$/);
      lab.type(`Adé${ENTER}`);
      await lab.shows("Sure? [y/N]");
      lab.type(`y${ENTER}`);
      await lab.shows("City [Bern]");
      lab.type(ENTER);
      await lab.shows("[ 'Adé', true, 1, 'Bern' ]");
      await lab.prompts();
      lab.type(`prompt.password("Key: ").length${ENTER}`);
      await lab.shows(/Key:\s*$/);
      lab.type(`hush-hush${ENTER}`);
      await lab.shows(/Key:\s*\n9\n/);
      await lab.prompts();
      lab.type(`prompt("Never? ")${ENTER}`);
      await lab.shows(/Never\?\s*$/);
      lab.type(CTRL_C);
      await lab.shows("InterruptedError");
      await lab.prompts();
      expect(lab.screen.text()).not.toContain("hush-hush");
      lab.type(CTRL_D);
      expect(await lab.ended).toBe(0);
    });

    test("Ctrl-C at once, while the first entry is read and compiled, ends it", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`while (true) {}${ENTER}${CTRL_C}`);
      await lab.shows(/\^C|InterruptedError/);
      await lab.prompts();
      lab.type(`40 + 2${ENTER}`);
      await lab.shows("42");
      lab.type(CTRL_D);
      expect(await lab.ended).toBe(0);
    });

    test("Ctrl-C ends an endless loop that computes, prints or awaits", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`console.log("round"); while (true) {}${ENTER}`);
      await lab.shows("\nround");
      lab.type(CTRL_C);
      await lab.shows("InterruptedError");
      await lab.prompts();
      // A terminal drops what was typed ahead when Ctrl-C is pressed: each waits for the prompt.
      for (const [index, loop] of ["for (;;) {}", "for (;;) await 0"].entries()) {
        lab.type(`await 0; console.log("again" + ${index}); ${loop}${ENTER}`);
        await lab.shows(`\nagain${index}`);
        lab.type(CTRL_C);
        await lab.shows(new RegExp(`again${index}\n[\\s\\S]*InterruptedError`));
        await lab.prompts();
      }
      // Each was for a loop, none for the prompt behind it.
      expect(lab.screen.text()).not.toContain(".quit leaves");
      lab.type(`for (;;) console.log("printed")${ENTER}`);
      await lab.shows("printed\nprinted");
      lab.type(CTRL_C);
      await lab.shows(/printed\n[\s\S]*InterruptedError/);
      await lab.prompts();
      lab.type(`6 * 7${ENTER}`);
      await lab.shows("\n42\n");
    });

    test("a resized terminal shows the entry once", async () => {
      const lab = open({ columns: 60 });
      await lab.prompts();
      const long = `GET {{base}}/echo?text=${"abcdefghij".repeat(6)}`;
      lab.type(long);
      // What is typed before the program knows of a resize is drawn for the old size: each state has
      // to be there whole before the next one is asked for.
      await lab.shows(/restlab> GET \{\{base\}\}\/echo\?text=(?:[a-j]*\n){1,2}[a-j]*ghij$/);
      await lab.resize(40, 20);
      await lab.shows(/echo\?text=abcdefgh\nijabcdefgh[a-j]*\n[a-j]*ghij$/);
      lab.type("Z");
      await lab.shows(/echo\?text=abcdefgh\nijabcdefgh[a-j]*\n[a-j]*Z$/);
      await lab.resize(120, 30);
      await lab.shows(`restlab> ${long}Z`);
      lab.type("Y");
      await lab.shows(`restlab> ${long}ZY`);
      expect(lab.screen.text().match(/restlab>/g)).toHaveLength(1);
      lab.type(ENTER);
      await lab.shows("200 OK");
    });

    test("loads a file, saves one that runs, and opens an editor", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "in.http"), "GET {{base}}/users/1\n\n###\nGET {{base}}/users/2\n");
      const editor = join(cwd, "editor.sh");
      writeFileSync(editor, `#!/bin/sh\necho 'client.history.length * 100' > "$1"\n`, {
        mode: 0o755,
      });
      const lab = open({ cwd, env: { EDITOR: editor } });
      await lab.prompts();
      lab.type(`.load in.http${ENTER}`);
      await lab.shows("Alan Turing");
      await lab.prompts();
      lab.type(`.edit${ENTER}`);
      await lab.shows("restlab> client.history.length * 100");
      lab.type(ENTER);
      await lab.shows("\n200\n");
      await lab.prompts();
      lab.type(`.write out.http${ENTER}`);
      await lab.shows("cells written to out.http");
      await lab.prompts();
      lab.type(`.write out.ipynb${ENTER}`);
      await lab.shows("cells written to out.ipynb");
      expect(readFileSync(join(cwd, "out.http"), "utf8")).toMatch(
        /^# 1 entry of TypeScript[\s\S]*GET \{\{base\}\}\/users\/1/,
      );
      expect(JSON.parse(readFileSync(join(cwd, "out.ipynb"), "utf8")).cells).toHaveLength(4);
    });

    test("a lost terminal ends the process", async () => {
      const lab = open();
      await lab.prompts();
      lab.kill("SIGHUP");
      expect(await lab.ended).not.toBe(0);
    });

    test("input typed while an entry runs is read after it, with Ctrl-D, and leaves nothing behind", async () => {
      const cwd = makeFolder();
      const lab = open({ cwd });
      await lab.prompts();
      lab.type(`console.log("round"); await ${whenThere("now")}${ENTER}`);
      await lab.shows(/\nround\nrunning \d/);
      lab.type(`"typed".length + 100${ENTER}${CTRL_D}`);
      const typedAt = lab.screen.raw().length;
      await expect.poll(() => lab.screen.raw().slice(typedAt)).toContain("running");
      writeFileSync(join(cwd, "now"), "");
      await lab.shows("\n105\n");
      expect(await lab.ended).toBe(0);
      expect(lab.screen.text().match(/running|"typed"/g)).toEqual(['"typed"']);
    });

    test("process.exit in an entry leaves with its status", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`process.exit(7)${ENTER}`);
      expect(await lab.ended).toBe(7);
    });

    // What follows is the same on every runtime, or the kernel's contract shows it on each.
    if (!RUNS_ALL) return;

    test("a regular expression without end fails its assertion, and the session goes on", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/echo?name=${"a".repeat(60)}!${ENTER}`);
      await lab.shows("200 OK · Successful");
      await lab.prompts();
      lab.type(`?? body query.name matches ^(a|a)*b$${ENTER}`);
      await lab.shows(/1 assertion failed|AssertionError/);
      await lab.prompts();
      lab.type(`6 * 7${ENTER}`);
      await lab.shows("\n42\n");
    });

    test("a dumb terminal shows the edited text, and Enter runs it", async () => {
      const cwd = makeFolder();
      const editor = join(cwd, "editor.sh");
      writeFileSync(editor, `#!/bin/sh\necho 'client.history.length + 300' > "$1"\n`, {
        mode: 0o755,
      });
      const lab = open({ cwd, env: { EDITOR: editor, TERM: "dumb" } });
      await lab.prompts();
      lab.type(`.edit${ENTER}`);
      await lab.shows("restlab> client.history.length + 300");
      lab.type(ENTER);
      await lab.shows("\n300\n");
    });

    test("the first TypeScript entry says that the compiler is being loaded", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`40 + 2${ENTER}`);
      await lab.shows(/40 \+ 2\nloading TypeScript/);
      await lab.shows(/40 \+ 2\n42\n/);
      await lab.prompts();
      expect(lab.screen.text()).not.toContain("loading");
    });

    test("an entry with several lines and wide characters can be edited", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`"日本😀e\u0301x"${LEFT}${LEFT}${BACKSPACE}${BACKSPACE}.`);
      await lab.shows('restlab> "日本.x"');
      expect(lab.screen.cursor.column).toBe("restlab> ".length + 6);
      lab.type(`${CTRL_C}GET {{base}}/echo${ALT_ENTER}X-One: 1${UP}?a=b`);
      await lab.shows("restlab> GET {{ba?a=bse}}/echo");
      lab.type(CTRL_C);
      await lab.prompts();
      lab.type(`GET {{base}}/echo \\${ENTER}X-Two: 2${ENTER}${ENTER}`);
      await lab.shows("200 OK");
    });

    test("keeps a history across sessions without private entries", async () => {
      const cwd = makeFolder();
      const first = open({ cwd });
      await first.prompts();
      first.type(`GET {{base}}/users/1${ENTER}`);
      await first.shows("Ada Lovelace");
      await first.prompts();
      first.type(` GET {{base}}/users/2${ENTER}`);
      await first.shows("Alan Turing");
      await first.prompts();
      first.type(`.set --secret word hunter2${ENTER}`);
      await first.shows("word is masked in all output");
      await first.prompts();
      first.type(CTRL_D);
      await first.ended;
      const path = join(cwd, "history");
      expect(readFileSync(path, "utf8")).toBe('"GET {{base}}/users/1"\n');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      const second = open({ cwd });
      await second.prompts();
      second.type(`${CTRL_R}users`);
      await second.shows(/restlab> GET \{\{base\}\}\/users\/1\n search: users_/);
      second.type(`${ENTER}${ENTER}`);
      await second.shows("Ada Lovelace");
    });

    test("a history that cannot be used causes one warning", async () => {
      const cwd = makeFolder();
      mkdirSync(join(cwd, "history"));
      const lab = open({ cwd });
      await lab.shows("Note: The history is not kept");
      lab.type(`.timeout${ENTER}.timeout 5${ENTER}`);
      await lab.shows("Time limit: 5 s");
      expect(lab.screen.text().match(/Note:/g)).toHaveLength(1);
    });

    test("late output is printed above the entry", async () => {
      const cwd = makeFolder();
      const lab = open({ cwd });
      await lab.prompts();
      lab.type(`void ${whenThere("now")}.then(() => console.log("late"))${ENTER}`);
      await lab.shows('"late"))\nrestlab>');
      lab.type("half an entry");
      await lab.shows(/\nrestlab> half an entry$/);
      writeFileSync(join(cwd, "now"), "");
      await lab.shows(/\nlate\nrestlab> half an entry$/);
    });

    test("a command in the place of a body is asked about", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}${ENTER}.vars${ENTER}${ENTER}`);
      await lab.shows('".vars" is a command of the prompt. Is it meant as the body? (y/n):');
      lab.type(`n${ENTER}`);
      await lab.shows(/1 row\n|base +string/);
      await lab.shows(/restlab> POST \{\{base\}\}\/echo\n +\.\.\.\n +\.\.\.$/);
      lab.type(`{"name": "Ada"}${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(`PUT {{base}}/echo${ENTER}.help me${ENTER}`);
      await lab.shows(/help me" is a command .*\(y\/n\):/);
      lab.type(`y${ENTER}`);
      await lab.shows('The line ".help me" is not a header');
    });

    test("environments are listed and chosen", async () => {
      const folder = makeFolder();
      const file = JSON.stringify({ dev: { place: "here" }, live: { place: "there" } });
      writeFileSync(join(folder, "http-client.env.json"), file);
      const lab = open({ cwd: folder });
      await lab.prompts();
      for (const [typed, shown] of [
        [".env", "None is in use: .env NAME uses one of dev, live"],
        [".env live", "In use: live, of dev, live"],
        ["{{place}}", "\nthere\n"],
        [".env nope", '"nope"'],
      ] as const) {
        lab.type(typed + ENTER);
        await lab.shows(shown);
        await lab.prompts();
      }
    });

    test("bare words leave or show help; extra arguments and unknown names are reported", async () => {
      const lab = open({ env: { EDITOR: "false" } });
      await lab.prompts();
      for (const [typed, shown] of [
        [".quit now", '".quit" takes no arguments: remove "now"'],
        [".help vras", "did you mean .vars?"],
        [".last", "Nothing has been answered yet"],
        [".show", "write .show NUMBER"],
        [".set 1a 1", /\nSetting a variable failed: The variable name "1a" [^│]*\nrestlab>$/],
        [".set --secret user.pin hunter2", "user is masked in all output"],
        [".vars user", "user is a secret: it is not shown"],
        [".edit", /\nEditing failed: "false" ended with status 1/],
        [".vars bsae", 'there is no variable "bsae", did you mean base?'],
        [".delete bsae", 'there is no variable "bsae", did you mean base?'],
        [".timeout", "Time limit: 30 s"],
        [".load nope.http", /nope\.http" failed: there is no such file\n(?!Caused)/],
        ["help", "Commands:"],
        ["help GET", "GET reads a resource."],
        [".help curl", /-X, --request METHOD +the method\n/],
        ["help http", /name:=json +a member that is not text/],
        ["GET", "= A request is a method and a URL: GET https://"],
        ["/users/1", "Ada Lovelace"],
        ["curl", "= A curl command has a URL: curl https://"],
        ["client.sned('x')", /on type 'Client'\. Did you mean 'send'\? \(TS2339\)/],
        ['{"a": 1}', "\n{ a: 1 }\n"],
        ["{{base}}", /\{\{base\}\}\nhttp:\/\/127\.0\.0\.1:\d+\n/],
        [".env", "There are no environments: write them in http-client.env.json"],
        ["http {{base}}/users/3", "Grace Hopper"],
        ["http {{base}}/users --foo", 'The option "--foo" of HTTPie is not supported'],
        ["GET /users/2", "Alan Turing"],
        ["curl {{base}}/users/2", "Alan Turing"],
        [".header Authorization: Bearer ab-secret-cd", /ab-secret-cd\nrestlab>/],
        ["GET {{base}}/users/1", "Ada Lovelace"],
        [".last body", /\n {2}"name": "Ada Lovelace",\n/],
        [".show 2 body more", 'Showing "body more" failed: the forms are full, json'],
        [".write out.http", "--var authorization=VALUE"],
        [".save .", 'Writing "." failed: it is a folder'],
        [".save -f out.http", '"-f" is not an option, the only one is --force'],
        [".save out.http", "the file exists; --force overwrites it"],
        ["GET {{base}}/image.png", "image/png"],
        [".last body", /\n\d+ bytes of image\/png: .save FILE keeps them\n/],
        ["GET {{base}}/status/204", "No Content"],
        // What .save writes is another answer by now.
        [".show -2 body", /\n\d+ bytes of image\/png\n/],
        [".last body", /last body\nEmpty body\n/],
        ["const quit = 41 + 1", /= 41 \+ 1\nrestlab>/],
        ["quit", "\n42\n"],
      ] as const) {
        lab.type(typed + ENTER);
        await lab.shows(shown);
        await lab.prompts();
      }
      lab.type(`exit${ENTER}`);
      expect(await lab.ended).toBe(0);
    });

    test("the empty line before a body may be left out; an invalid head is reported at once", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}{"name": "Ada"}${ENTER}`);
      await lab.shows(
        /restlab> POST \{\{base\}\}\/echo\n +\.\.\.\n +\.\.\. \{"name": "Ada"\}\n200 OK/,
      );
      await lab.shows("200 OK");
      await lab.prompts();
      lab.type(`PUT {{base}}/echo {}${ENTER}`);
      await lab.shows('Unexpected text after the URL: "{}"');
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}Accept text/plain${ENTER}`);
      await lab.shows('The line "Accept text/plain" is not a header');
      await lab.prompts();
      const plain = open({ env: { TERM: "dumb" } });
      await plain.prompts();
      plain.type(`POST {{base}}/echo${ENTER}{"name": "Grace"}${ENTER}`);
      await plain.shows("200 OK");
    });

    test("several pasted requests are one entry that waits for Enter", async () => {
      const lab = open();
      await lab.prompts();
      lab.paste(
        "GET {{base}}/users/1\r\nAccept: application/json\r\n\r\n###\r\nGET {{base}}/users/2",
      );
      await lab.shows("... GET {{base}}/users/2");
      expect(lab.screen.text()).not.toContain("200 OK");
      lab.type(ENTER);
      await lab.shows("Alan Turing");
      expect(lab.screen.text()).toContain("Ada Lovelace");
      await lab.prompts();
      lab.type(UP);
      await lab.shows(/Alan Turing[\s\S]*restlab> GET \{\{base\}\}\/users\/1\n\s+\.\.\. Accept/);
    });

    test("completes methods, variables and commands", async () => {
      const lab = open();
      await lab.prompts();
      lab.type("DEL\t");
      await lab.shows("restlab> DELETE");
      lab.type("{{ba\t");
      await lab.shows("DELETE {{base}}");
      lab.type(`${CTRL_C}.ti\t3${ENTER}`);
      await lab.shows("Time limit: 3 s");
    });

    test("a text that becomes a secret later is removed from the history", async () => {
      const cwd = makeFolder();
      const lab = open({ cwd });
      const kept = (): string => readFileSync(join(cwd, "history"), "utf8");
      await lab.prompts();
      lab.type(`GET {{base}}/echo?word=hunter2-later${ENTER}`);
      await lab.shows("200 OK");
      await lab.prompts();
      await expect.poll(kept).toContain("hunter2-later");
      lab.type(`.set --secret word hunter2-later${ENTER}`);
      await lab.shows("word is masked in all output");
      await lab.prompts();
      await expect.poll(kept).toMatch(/^ +\n$/);
    });

    test("after any input there is a new prompt", async () => {
      const lab = open();
      await lab.prompts();
      lab.paste("\u0000\u0001\u001b[31m\u009b2J\ufffd\ud800 %%nothing `");
      lab.type(`${ENTER}${ENTER}${ENTER}`);
      await lab.prompts();
      lab.type("\u001b[99~\u001b]0;title\u0007\u001bO\u001b[?1;2c");
      lab.type(`.vras${ENTER}`);
      await lab.shows('".vras" is not a command: did you mean .vars');
      lab.type(`%%what${ENTER}`);
      await lab.shows("UnknownMagicError");
      lab.type(`GET {{base}}/users/{{nobody}}${ENTER}`);
      await lab.shows("UnresolvedPlaceholderError");
      await lab.prompts();
    });

    test("a locale without Unicode gets ASCII of the same width; NO_COLOR turns colours off", async () => {
      const lab = open({ env: { LANG: "C", NO_COLOR: "1" } });
      await lab.prompts();
      lab.type(`POST {{base}}/echo${ENTER}${ENTER}{"日本": "é…"}${ENTER}`);
      await lab.shows("200 OK - Successful");
      await lab.prompts();
      expect(lab.screen.text()).toMatch(/^[\n -~]+$/);
      expect(lab.screen.raw()).not.toMatch(COLOR);
    });
  });
}

describePrompt(RUNTIME);
