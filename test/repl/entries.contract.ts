import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { startDemo } from "../../kernel/demo/mod.ts";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import {
  endTerminals,
  openRestlab,
  removeFolders,
  type TerminalOptions,
  type TerminalSession,
} from "./terminal.ts";

const ENTER = "\r";
const UP = "\u001b[A";

/** What becomes of several entries at once, and of lines that come too late, on one runtime. */
function describeEntries(runtime: RuntimeName): void {
  describe(`entries of the prompt on ${runtime}`, () => {
    let demo: Awaited<ReturnType<typeof startDemo>>;
    beforeAll(async () => {
      demo = await startDemo({ port: 0 });
    });
    afterEach(endTerminals);
    afterAll(async () => {
      removeFolders();
      await demo.close();
    });
    const open = async (options?: TerminalOptions): Promise<TerminalSession> => {
      const lab = openRestlab(runtime, ["--var", `base=${demo.url}`], options);
      await lab.prompts();
      return lab;
    };

    test("a paste is entries one after another, and what fails says which", async () => {
      const lab = await open();
      lab.paste(
        "const id = 2\r\nGET {{base}}/users/{{id}}\r\nAccept: */*\r\n\r\n`is ${client.last.json.name}`\r\n.timeout 7\r\nGET {{nobody}}/\r\n1 + 1",
      );
      await lab.shows("... 1 + 1");
      expect(lab.screen.text()).not.toContain("200 OK");
      lab.type(ENTER);
      await lab.shows("Entry 5 of 6 (line 7) failed; 1 after it was not run");
      for (const part of ["is Alan Turing", "Time limit: 7 s", 'no variable "nobody"'])
        expect(lab.screen.text()).toContain(part);
      await lab.prompts();
      lab.type(UP);
      await lab.shows(/restlab> const id = 2\n\s+\.\.\. GET/);
    });

    test("an assertion alone is about the last answer", async () => {
      const lab = await open();
      lab.type(`?? status == 404${ENTER}`);
      await lab.shows("no request has been answered yet");
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("200 OK");
      lab.type(`?? status == 404${ENTER}`);
      await lab.shows("1 of 1 assertion failed");
      await lab.shows("status == 404 failed: expected 404, found 200");
    });

    test("an entry that is taller than the screen is left as a whole", async () => {
      const lab = await open({ rows: 8 });
      const lines = Array.from({ length: 20 }, (_, index) => `const x${index} = ${index}`);
      lab.paste(lines.join("\n"));
      await lab.shows("... const x19 = 19");
      lab.type(ENTER);
      await lab.prompts();
      const shown = lab.screen.text();
      for (const line of lines) expect(shown.split(`${line}\n`), line).toHaveLength(2);
    });

    test.each(["xterm-256color", "dumb"])(
      "headers of a paste without brackets are the request's, at %s",
      async (term) => {
        const lab = await open({ env: { TERM: term } });
        lab.type(`GET {{base}}/echo${ENTER}Accept: text/x-mine${ENTER}X-Id: 7${ENTER}${ENTER}`);
        await lab.shows("200 OK");
        await lab.shows("text/x-mine");
        expect(lab.screen.text()).not.toContain("looks like a header");
      },
    );

    test("a call shows its signature, members come by use, and names are explained", async () => {
      const lab = await open({ columns: 80, rows: 24 });
      lab.type("client.setVar(\t");
      await lab.shows(/setVar\(\n setVar\(name: string, value: unknown/);
      lab.type("\u0003client.\t");
      await lab.shows(/ send +sends a request text[\s\S]* 1 to 21 of \d+$/);
      lab.type("\u001b[6~\u001b[6~\u001b[6~");
      await lab.shows(/restlab> client\.toString\n[\s\S]* \d+ to (\d+) of \1$/);
      lab.type("\u001b[5~");
      await lab.shows(/restlab> client\.(?!toString)\w+\n[\s\S]* \d+ to \d+ of \d+$/);
      lab.type("\u001b[5~\u001b[5~");
      await lab.shows(/restlab> client\.send\n[\s\S]* 1 to 21 of \d+$/);
      lab.type(`\u0003.pageless\u0003client.send?${ENTER}`);
      await lab.shows(
        /send<Body = any>\(request: RequestInput[\s\S]*Sends a request and returns its exchange/,
      );
      await lab.prompts();
      for (const typed of ["client?", ".help client"]) {
        const before = lab.screen.text().length;
        lab.type(typed + ENTER);
        await lab.shows(new RegExp(`[^]{${before}}[^]*client\\.send\\? explains a member`));
        await lab.prompts();
      }
      lab.type(`.help getVar${ENTER}`);
      await lab.shows(/getVar<T = any>\(name: string\)[\s\S]*Returns a copy of a variable/);
      await lab.prompts();
      lab.type(`nobody?${ENTER}`);
      await lab.shows('There is no "nobody" to explain');
    });

    test("a header after a GET that was sent is told to be late", async () => {
      const lab = await open();
      lab.type(`GET {{base}}/users/1${ENTER}`);
      await lab.shows("Ada Lovelace");
      await lab.prompts();
      lab.type(`Accept: text/csv${ENTER}`);
      await lab.shows(
        '"Accept: text/csv" looks like a header, but the request above has been sent',
      );
      await lab.prompts();
      expect(lab.screen.text()).not.toMatch(/Error/);
    });
  });
}

describeEntries(RUNTIME);
