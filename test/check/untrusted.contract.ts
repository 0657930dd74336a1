import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const OUTSIDE = '{"dev": {"theirOwnKey": "their-own-value"}}';

/** Files that a stranger has made, in folders of theirs; `mine` is what they would like to read. */
const FILES = {
  "mine/http-client.env.json": OUTSIDE,
  "mine/.env": "MY_OWN_KEY=1",
  "up/a.http": "%env x/../../mine/\nGET http://127.0.0.1:9/{{MY_OWN_KEX}}\n",
  "zero/a.http": "%env x/../../../../../../../../dev/zero\nGET http://127.0.0.1:9/\n",
  "link/a.http": "GET http://127.0.0.1:9/{{MY_OWN_KEX}}\n",
  "below/a.http": "GET http://127.0.0.1:9/{{inside}}\n",
  "below/more/env.json": '{"$shared": {"inside": 1}}',
  "pipe/a.http": "GET http://127.0.0.1:9/\n",
  "device/a.http": "GET http://127.0.0.1:9/\n",
  "large/a.http": "GET http://127.0.0.1:9/\n",
  "import/link.http": "# @import ./outside.http\nGET http://127.0.0.1:9/\n",
  "import/up.http": "import ../../../theirs.http\n\nGET http://127.0.0.1:9/\n",
  "import/pipe.http": "run ./pipe/b.http\n",
  "import/endless.http": "# @import ./device.http\n",
  "import/large.http": "# @import ../large/c.http\n",
  "import/inside.http": "# @import ../import-more/parts.http\nGET http://127.0.0.1:9/{{part}}\n",
  "import-more/parts.http": "@part = 1\n",
  "code/a.http": "GET http://127.0.0.1:9/{{$faker.person.firstName}}\n",
  "code/node_modules/@faker-js/faker/package.json": '{"name": "@faker-js/faker", "main": "i.js"}',
  "code/node_modules/@faker-js/faker/i.js":
    "require('fs').writeFileSync(require('path').join(__dirname, '../../../ran'), '')",
};

/** What `restlab check` and `run` do with files of strangers. */
function describeUntrustedFiles(runtime: RuntimeName): void {
  describe(`untrusted files under ${runtime}`, () => {
    let folder: string;
    let outside: string;
    const restlabIn = (command: "check" | "run", path: string): Promise<Ended> =>
      restlab(runtime, [command, path], { cwd: folder });
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-stranger-"));
      for (const [name, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      symlinkSync("../mine/.env", join(folder, "link/.env"));
      symlinkSync("more/env.json", join(folder, "below/http-client.env.json"));
      symlinkSync("/dev/zero", join(folder, "device/.env"));
      symlinkSync("/dev/zero", join(folder, "device/b.http"));
      symlinkSync("/dev/zero", join(folder, "import/device.http"));
      outside = mkdtempSync(join(tmpdir(), "restlab-mine-"));
      writeFileSync(join(outside, "mine.http"), "GET /{{MY_OWN_KEY\n");
      symlinkSync(join(outside, "mine.http"), join(folder, "import/outside.http"));
      mkdirSync(join(folder, "import/pipe"));
      const pipes = ["pipe/.env", "pipe/b.http", "import/pipe/b.http"];
      execFileSync(
        "mkfifo",
        pipes.map((name) => join(folder, name)),
      );
      writeFileSync(join(folder, "large/.env"), "A=1\n");
      truncateSync(join(folder, "large/.env"), 17 * 1024 * 1024);
      writeFileSync(join(folder, "large/b.http"), "GET http://127.0.0.1:9/\n");
      truncateSync(join(folder, "large/b.http"), 300 * 1024 * 1024);
      writeFileSync(join(folder, "large/c.http"), "GET http://127.0.0.1:9/\n");
      truncateSync(join(folder, "large/c.http"), 17 * 1024 * 1024);
    });
    afterAll(() => {
      for (const one of [folder, outside]) rmSync(one, { recursive: true });
    });

    test.each([
      ["check", "up/a.http", "a name has up to 100 letters"],
      ["run", "up/a.http", "a name has up to 100 letters"],
      ["check", "zero/a.http", "a name has up to 100 letters"],
      ["check", "link/a.http", /it is outside the folder ".*link"; put a copy there/],
      ["check", "pipe/a.http", "it is a pipe or a device"],
      ["run", "pipe/a.http", "it is a pipe or a device"],
      ["check", "pipe/b.http", "it is a pipe or a device"],
      ["run", "device/a.http", "it is a pipe or a device"],
      ["check", "device/b.http", "it is a pipe or a device"],
      ["check", "/dev/zero", "its name does not end in"],
      ["check", "large/a.http", "it is larger than 16777216 bytes"],
      ["run", "large/a.http", "it is larger than 16777216 bytes"],
      ["check", "large/b.http", "it is larger than 268435456 bytes"],
    ] as const)("%s %s is rejected", async (command, path, message) => {
      const { status, stdout, stderr } = await restlabIn(command, path);
      expect(status).toBe(command === "check" ? 2 : 1);
      expect(stdout + stderr).toMatch(message);
      expect(stdout + stderr).not.toMatch(/theirOwnKey|their-own-value|MY_OWN_KEY\b/);
    });

    test.each([
      ["link", /1:1: Cannot import ".\/outside.http": it is outside the folder/],
      [
        "up",
        /1:1: Cannot import "..\/..\/..\/theirs.http": (?:it is outside|there is no such file)/,
      ],
      ["pipe", /1:1: Cannot import ".\/pipe\/b.http": it is a pipe or a device/],
      ["endless", /1:1: Cannot import ".\/device.http": it is outside the folder/],
      ["large", /1:1: Cannot import "..\/large\/c.http": it is larger than 16777216 bytes/],
    ])("check of an import is limited: %s", async (name, message) => {
      const { status, stdout } = await restlabIn("check", `import/${name}.http`);
      expect(status).toBe(1);
      expect(stdout).toMatch(message);
      expect(stdout).not.toMatch(/MY_OWN_KEY/);
    });

    test("files below the folder are read", async () => {
      expect((await restlabIn("check", "below/a.http")).status).toBe(0);
      expect((await restlabIn("check", "import/inside.http")).status).toBe(0);
    });

    test("no code in the folder is loaded, and values that it would generate count as set", async () => {
      expect((await restlabIn("check", "code/a.http")).status).toBe(0);
      expect(() => rmSync(join(folder, "ran"))).toThrow("ENOENT");
    });
  });
}

describeUntrustedFiles(RUNTIME);
