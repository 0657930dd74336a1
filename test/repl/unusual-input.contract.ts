import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { RuntimeName } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { endTerminals, makeFolder, openRestlab, removeFolders } from "./terminal.ts";

const ENTER = "\r";
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
const DEEP = 100_000;

/** What the prompt promises where things go wrong, on one runtime. */
function describeHardship(runtime: RuntimeName): void {
  describe(`unusual input in a terminal on ${runtime}`, () => {
    let server: Server;
    let base: string;
    beforeAll(async () => {
      server = createServer((request, response) => {
        if (request.url?.startsWith("/half") === true) {
          response.writeHead(200, { "Content-Length": "4000000", "Content-Type": "a/b" });
          response.write(Buffer.alloc(1_500_000));
          return;
        }
        if (request.url === "/wide") {
          response.setHeader("Content-Type", "text/csv");
          response.end(`${"a,".repeat(130_000)}\n`.repeat(2));
          return;
        }
        if (request.url === "/unread") return;
        request.resume().on("end", () => response.end("it is here"));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterEach(endTerminals);
    afterAll(() => {
      server.closeAllConnections();
      server.close();
      removeFolders();
    });
    const open = (options: Parameters<typeof openRestlab>[2] = {}) =>
      openRestlab(runtime, ["--var", `base=${base}`], options);

    test("an answer with many columns is a table, and a result that cannot be shown is reported", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/wide${ENTER}`);
      await lab.shows("more columns not shown");
      await lab.prompts();
      lab.type(
        `({ [Symbol.for("nodejs.util.inspect.custom")]() { throw new Error("no") }, [Symbol.for("Deno.customInspect")]() { throw new Error("no") } })${ENTER}`,
      );
      await lab.shows("The result could not be shown: no");
      await lab.prompts();
    });

    test.each([
      ["brackets of TypeScript", `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`, "more than 500 deep"],
      ["braces of TypeScript", `x = ${"{".repeat(DEEP)}${"}".repeat(DEEP)}`, "more than 500 deep"],
      [
        "a body",
        `POST {{base}}/\n\n${'{"a":['.repeat(DEEP)}${"]}".repeat(DEEP)}`,
        /it is here|nested/,
      ],
      ["a variable line", `@x = ${"[".repeat(DEEP)}${"]".repeat(DEEP)}`, "nested too deeply"],
    ])(
      "%s, deeply nested and pasted, cause a clear error and a new prompt",
      async (_name, text, shown) => {
        const lab = open();
        await lab.prompts();
        lab.paste(text);
        lab.type(ENTER);
        await lab.shows(shown);
        expect(lab.screen.text()).not.toContain("RangeError");
        await lab.prompts();
        lab.type(`.timeout 3${ENTER}`);
        await lab.shows("Time limit: 3 s");
      },
    );

    test("a line of two megabytes, with NUL and lone surrogates, is a normal entry", async () => {
      const lab = open();
      await lab.prompts();
      lab.paste(`.set long ${"x".repeat(2_000_000)}`);
      lab.type(ENTER);
      await lab.prompts();
      lab.type(`.vars${ENTER}`);
      await lab.shows("2000000 characters");
      await lab.prompts();
      lab.paste("const half = '\ud800\u0000\udc00\ufffe'; half.length");
      lab.type(ENTER);
      await lab.shows(/\n\d\n/);
      await lab.prompts();
    });

    test("the progress of an answer is shown while it arrives, and then removed", async () => {
      const lab = open();
      await lab.prompts();
      lab.type(`GET {{base}}/half?token=a-long-secret${ENTER}`);
      await lab.shows(/GET http:\S+\/half ███░{7} 1\.5 MB of 4\.0 MB, \S+ [kM]B\/s, \d+ s left/);
      expect(lab.screen.text().match(/1\.5 MB/g)).toHaveLength(1);
      lab.type(CTRL_C);
      await lab.shows("InterruptedError");
      await lab.prompts();
      expect(lab.screen.text()).not.toContain("MB of");
    });

    test("the progress of an upload is shown", async () => {
      const cwd = makeFolder();
      writeFileSync(join(cwd, "large.bin"), new Uint8Array(64_000_000));
      const lab = open({ cwd });
      await lab.prompts();
      lab.type(`curl -T large.bin {{base}}/unread${ENTER}`);
      await lab.shows(/PUT http:\S+\/unread sending [█░]{10} \S+ [kM]B of 64 MB, \S+ [kM]B\/s, /);
      lab.type(CTRL_C);
      await lab.shows("InterruptedError");
    });

    test("the entry and the terminal are usable after a stop", async () => {
      const lab = open();
      await lab.prompts();
      lab.type("GET {{base}}/h");
      await lab.shows("restlab> GET {{base}}/h");
      lab.kill("SIGSTOP");
      lab.kill("SIGCONT");
      lab.type("ere");
      await lab.shows(/restlab> GET \{\{base\}\}\/here$/);
      lab.type(ENTER);
      await lab.shows("it is here");
      await lab.prompts();
    });

    test("Ctrl-Z returns to the shell, and fg to the entry", async () => {
      const lab = openRestlab(runtime, [], { under: SHELL });
      await lab.shows(/shell\$$/);
      lab.type(`$RUN${ENTER}`);
      await lab.prompts();
      lab.type(`"half an${CTRL_Z}`);
      await lab.shows(/Stopped[\s\S]*shell\$$/);
      lab.type(`echo here-$((40+2))${ENTER}`);
      await lab.shows("here-42");
      lab.type(`fg${ENTER}`);
      await lab.shows(/restlab> "half an$/);
      lab.type(` entry".length${ENTER}`);
      await lab.shows("\n13\n");
      await lab.prompts();
    });

    test("SIGINT discards the entry and keeps the session", async () => {
      const lab = open();
      await lab.prompts();
      lab.type("half of it");
      await lab.shows("restlab> half of it");
      lab.kill("SIGINT");
      await lab.shows(/half of it\^C\n/);
      await lab.prompts();
      lab.type(`GET {{base}}/${ENTER}`);
      await lab.shows("it is here");
    });

    test.each([
      ["at the prompt", undefined, []],
      [
        "at the prompt, SIGHUP ignored",
        undefined,
        ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh"],
      ],
      ["while a request runs", "GET {{base}}/half", []],
      ["while TypeScript waits", "await new Promise(() => {})", []],
    ])("a terminal that is closed %s ends the process", async (_when, entry, under) => {
      const lab = open({ under });
      await lab.prompts();
      if (entry !== undefined) {
        lab.type(entry + ENTER);
        await lab.shows(/\d s(?: left)?$/);
      }
      lab.hangUp();
      await vi.waitUntil(() => !lab.isAlive(), { timeout: 90_000, interval: 20 });
    });
  });
}

/** A shell with job control, in which `$RUN` is the command line that is put behind this. */
const SHELL = [
  "/bin/sh",
  "-c",
  `RUN="$*" PS1='shell$ ' exec /bin/bash --norc --noprofile -i`,
  "sh",
] as const;

describeHardship(RUNTIME);
