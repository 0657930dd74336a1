import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validateStrict } from "ctrf";
import { parse as parseJunit } from "junit2json";
import { Parser as TapParser } from "tap-parser";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandOptions, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const NAMES = ["one", "two", "three"];
const FORMATS = ["tap", "junit", "json", "html", "github"] as const;
const ALL = FORMATS.map((format) => `${format}=a.${format}`).join();

/** What each report has when the first file has ended, and the others have not. */
const FIRST = {
  tap: /^TAP version 14\nnot ok 1 - one\.http: one\n {2}---\n[\s\S]* {2}\.\.\.\n$/,
  junit:
    /^<\?xml .*\n<testsuites name="restlab">\n<testsuite name="one\.http"[\s\S]*<\/testsuite>\n$/,
  json: /^\{"reportFormat":"CTRF",.*"tests":\[\n\{"name":"one",.*\n$/,
  github: /^::error file=.*one\.http,line=3,.*\n$/,
} as const;

/** How reports are written while the suite runs, on one runtime. */
function describeGrowingReports(runtime: RuntimeName): void {
  describe(`reports that are written as the run goes on ${runtime}`, () => {
    let folder = "";
    let server: Server;
    let base = "";
    let requested: string[] = [];
    /** Called for each request with its path; it is answered when that has ended. */
    let onRequest = async (_path: string): Promise<void> => undefined;
    const at = (name: string): string => join(folder, name);
    const read = (name: string): string => readFileSync(at(name), "utf8");
    /** What is written of the reports that are not complete, by their formats. */
    const drafts = (): Readonly<Record<string, string>> => {
      const names = readdirSync(folder).filter((name) => name.endsWith(".part"));
      return Object.fromEntries(names.map((name) => [name.split(".")[1], read(name)]));
    };
    const run = (args: readonly string[], options: CommandOptions = {}) => {
      const files = NAMES.map((name) => `${name}.http`);
      const given = ["test", "--var", `base=${base}`, ...files, ...args];
      return restlab(runtime, given, { cwd: folder, ...options });
    };

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-growing-"));
      for (const name of NAMES) {
        writeFileSync(at(`${name}.http`), `### ${name}\nGET {{base}}/${name}\n?? status == 201\n`);
      }
      requested = [];
      server = createServer(async ({ url = "" }, response) => {
        requested.push(url);
        await onRequest(url);
        response.end("ok");
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterEach(() => {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    });

    /** Checks that complete reports have all tests, in the order of the files. */
    async function expectComplete(): Promise<void> {
      expect(drafts()).toEqual({});
      const points: string[] = [];
      const parser = new TapParser({ strict: true });
      parser.on("assert", ({ name }) => points.push(name));
      parser.end(read("a.tap"));
      expect(points).toEqual(NAMES.map((name) => `${name}.http: ${name}`));
      const junit = (await parseJunit(read("a.junit"))) as {
        readonly testsuite: readonly { readonly name: string; readonly tests: number }[];
      };
      expect(junit.testsuite.map(({ name, tests }) => [name, tests])).toEqual(
        NAMES.map((name) => [`${name}.http`, 1]),
      );
      const json = JSON.parse(read("a.json"));
      validateStrict(json);
      expect(json.results.tests.map(({ name }: { name: string }) => name)).toEqual(NAMES);
      expect(json.results.summary).toMatchObject({ tests: 3, suites: 3 });
      expect(read("a.html").match(/\b(?:one|two|three)\.http(?= <)/g)).toEqual(
        NAMES.map((name) => `${name}.http`),
      );
    }

    test.each(Object.entries(FIRST))(
      "%s on standard output has a file before the next one is answered",
      async (format, expected) => {
        let show = (): void => undefined;
        const shown = new Promise<void>((resolve) => {
          show = resolve;
        });
        onRequest = (path) => (path === "/two" ? shown : Promise.resolve());
        const { status, stdout } = await run(["--report", format], {
          onOutput: (text) => {
            // Annotations are among the lines of the files.
            if (expected.test(format === "github" ? text.replace(/^FAIL .*\n/, "") : text)) show();
          },
        });
        expect(status).toBe(1);
        for (const name of NAMES) expect(stdout).toContain(`${name}.http`);
      },
    );

    test("a file has its parts when the next file begins, and its name when it is complete", async () => {
      writeFileSync(at("a.tap"), "before");
      let seen: ReturnType<typeof drafts> = {};
      let before = "";
      onRequest = async (path) => {
        if (path !== "/two") return;
        seen = drafts();
        before = read("a.tap");
      };
      const { status } = await run(["--report", ALL]);
      expect([status, before, seen["html"]]).toEqual([1, "before", ""]);
      for (const [format, expected] of Object.entries(FIRST))
        expect(seen[format]).toMatch(expected);
      await expectComplete();
    });

    test("files that run at the same time are in order", async () => {
      let seen: ReturnType<typeof drafts> = {};
      let begin = (): void => undefined;
      const last = new Promise<void>((resolve) => {
        begin = resolve;
      });
      onRequest = async (path) => {
        if (path === "/one") await last;
        if (path !== "/three") return;
        seen = drafts();
        begin();
      };
      const { status } = await run(["--parallel", "2", "--report", ALL]);
      // The second file has ended, the first has not.
      expect([status, seen["tap"]]).toEqual([1, "TAP version 14\n"]);
      await expectComplete();
    });

    test("Ctrl-C completes what is there, with the files that were left out", async () => {
      let kill = (_signal: NodeJS.Signals): void => undefined;
      onRequest = async (path) => {
        if (path === "/two") kill("SIGINT");
        if (path === "/two") await new Promise(() => undefined);
      };
      const { status } = await run(["--report", ALL], {
        onStart: (end) => {
          kill = end;
        },
      });
      expect([status, requested]).toEqual([130, ["/one", "/two"]]);
      expect(read("a.tap")).toMatch(/\nok 3 .* # SKIP [\s\S]*\nBail out! 1 not run\n1\.\.3\n$/);
      await expectComplete();
    });

    test("what cannot be written is told once at the end, and ends neither the run nor other reports", async () => {
      mkdirSync(at("gone"));
      onRequest = async (path) => {
        if (path === "/two") rmSync(at("gone"), { recursive: true });
      };
      const full = existsSync("/dev/full") ? ["--report", "json=/dev/full"] : [];
      const given = ["--report", "tap=gone/b.tap", ...full, "--report", ALL];
      const { status, stderr } = await run(given);
      const told = [
        'restlab: Writing the report "gone/b.tap" failed: its folder does not exist\n',
        ...full
          .slice(1)
          .map(() => 'restlab: Writing the report "/dev/full" failed: the disk is full\n'),
      ];
      expect([status, stderr, requested.length]).toEqual([2, told.join(""), 3]);
      await expectComplete();
    });
  });
}

describeGrowingReports(RUNTIME);
