import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";

/** How each runtime runs a file, unless the file is a command that starts Node by itself. */
type Runtimes = Readonly<Record<string, readonly [string, ...string[]]>>;

/** Deno looks into `node_modules` unasked only below a package.json, and npm's global folder has none. */
const FLAGS_OUTSIDE: Readonly<Record<string, readonly string[]>> = {
  deno: ["--node-modules-dir=manual"],
};

const QUIET = ["--prefer-offline", "--no-audit", "--no-fund", "--silent"];

/** What cells may take for granted anywhere, and proof that it is typed: a mistake is noticed. */
const KNOWN = `
%strict on
import { readFileSync } from "node:fs";
import { statusClass } from "restlab";
const url: URL = new URL("http://api.test/users");
const bytes: Buffer = Buffer.from("abc");
await new Promise<void>((done) => setTimeout(done, 1));
const send: typeof fetch = fetch;
console.log("known:", url.pathname, bytes.byteLength, typeof send, typeof readFileSync,
  process.argv.length > 0, statusClass(200), client.version, client.render("GET http://api.test/").method);
`;
const KNOWN_SHOWN = "known: /users 3 function function true Successful 2.3.0 GET";
const MISTAKES: Readonly<Record<string, string>> = {
  Buffer: 'const wrong: string = Buffer.from("abc");',
  URL: 'const host: number = new URL("http://api.test").host;',
  fetch: 'const text: string = fetch("http://api.test");',
  process: "const argv: string = process.argv;",
  client: "const method: string = client.version.nothing;",
  expect: "const matched: string = expect(client.last).toHaveStatus(200);",
  chai: "const chained: string = expect(1).to.be.closeTo(1, 2);",
};

/**
 * Ways in which the package comes onto a machine. They differ in where its own packages lie, by which
 * its cells' compiler finds the types of the runtime.
 *
 * @param tarball The packed package, once a test runs.
 */
export function describeKinds(tarball: () => string, runtimes: Runtimes): void {
  describe("in an empty folder outside of any project, its cells know the runtime", () => {
    const others = Object.entries(runtimes).filter(([name]) => name !== "node");
    let folder = "";
    let empty = "";
    const at = (...names: readonly string[]): string => join(folder, ...names);
    const npm = (cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string =>
      execFileSync("npm", args, {
        cwd,
        env: { ...process.env, ...env },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    const inEmpty = ([file = "", ...words]: readonly string[], cwd = empty) => {
      const given = [...words, "run", "-k", "cells.ipynb"];
      const { stdout, stderr } = spawnSync(file, given, { cwd, encoding: "utf8" });
      return { stdout, stderr };
    };
    const check = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => {
      const mistakes = Object.keys(MISTAKES).length;
      expect(stderr).toContain(`${mistakes + 1} cells run, ${mistakes} failed`);
      expect(stdout).toContain(KNOWN_SHOWN);
      expect(stderr).not.toContain("Cannot find");
    };

    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-kinds-"));
      empty = mkdtempSync(join(tmpdir(), "restlab-empty-"));
      writeFileSync(join(empty, "cells.ipynb"), notebook(KNOWN, ...Object.values(MISTAKES)));
    });
    afterAll(() => {
      for (const each of [folder, empty]) rmSync(each, { recursive: true, force: true });
    });

    describe("installed globally, with its packages inside of it", () => {
      beforeAll(() => {
        npm(folder, ["install", "--global", "--prefix", at("global"), ...QUIET, tarball()]);
      }, 300_000);

      test("as a command on node", () => check(inEmpty([at("global/bin/restlab")])));
      test.each(others)("on %s", (name, runtime) => {
        const main = at("global/lib/node_modules/restlab/dist/kernel/main.js");
        check(inEmpty([...runtime, ...(FLAGS_OUTSIDE[name] ?? []), main]));
      });
    });

    // Which types are found does not depend on the runtime.
    describe("in the parent of a workspace that has other types of Node's", () => {
      const project = (): string => at("workspace/packages/app");

      beforeAll(() => {
        const types = at("workspace/old-types");
        mkdirSync(types, { recursive: true });
        mkdirSync(project(), { recursive: true });
        const write = (path: string, data: object): void =>
          writeFileSync(at("workspace", path), JSON.stringify(data));
        write("old-types/package.json", {
          name: "@types/node",
          version: "8.0.0",
          types: "index.d.ts",
        });
        writeFileSync(join(types, "index.d.ts"), "export {};\n");
        npm(types, ["pack", "--silent", "--pack-destination", ".."]);
        write("package.json", {
          private: true,
          workspaces: ["packages/*"],
          devDependencies: { "@types/node": "file:types-node-8.0.0.tgz" },
        });
        write("packages/app/package.json", {
          name: "app",
          version: "1.0.0",
          dependencies: { restlab: `file:${tarball()}` },
        });
        npm(at("workspace"), ["install", ...QUIET]);
        writeFileSync(join(project(), "cells.ipynb"), notebook(KNOWN, ...Object.values(MISTAKES)));
      }, 300_000);

      test("by npm exec in the project, on node", () => {
        check(inEmpty(["npm", "exec", "--offline", "--", "restlab"], project()));
      });
    });

    test("by npx, from the packed file", () => {
      // What npx installs stays in a cache of its own; what was downloaded before is shared.
      mkdirSync(at("cache"));
      const cache = npm(folder, ["config", "get", "cache"]).trim();
      mkdirSync(join(cache, "_cacache"), { recursive: true });
      symlinkSync(join(cache, "_cacache"), at("cache/_cacache"));
      const flags = ["--yes", "--prefer-offline", "--cache", at("cache")];
      check(inEmpty(["npm", "exec", ...flags, `--package=${tarball()}`, "--", "restlab"]));
    }, 300_000);
  });
}
