import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { type Recorder, startRecorder } from "../support/recorder.ts";
import { RUNTIME } from "../support/runtime.ts";
import { notebook } from "./notebook.ts";

const FILES = {
  ".env": "outside=1",
  "repo/.git/HEAD": "",
  "repo/http-client.env.json":
    '{"dev": {"where": "far", "version": 1.0}, "prod": {"where": "live"}}',
  "repo/http-client.private.env.json": '{"dev": {"apiKey": "a-private-key"}}',
  "repo/.env": "FROM_ROOT=yes",
  "repo/.vscode/settings.json":
    '{"rest-client.environmentVariables": {"dev": {"settings": "read"}}, /* more */ }',
  "repo/api/users/http-client.env.json": '{"dev": {\n"where": "near",\n"bad": nothing}}',
  "repo/api/users/get.http":
    "GET {{base}}/{{where}}/{{version}}/{{settings}}/{{$dotenv FROM_ROOT}}\nx-key: {{apiKey}}\n",
  "repo/api/users/bad.http": "@a = 1\n\n###\nGET {{base}}/{{bad}}\n",
  "repo/api/users/late.http":
    "@token = {{login.response.body.token}}\n@broken = {{nobody}}\n\n### log in\n# @name login\nPOST {{base}}/login\n\n### use\nGET {{base}}/me?t={{token}}\n",
  "repo/api/users/spoiled.http":
    "@fine = 1\n@broken = {{nobody}}\n\n###\nGET {{base}}/{{fine}}\n\n###\nGET {{base}}/{{broken}}\n",
  "repo/api/users/get.ipynb": notebook("%env dev\nGET {{base}}/{{where}}/{{version}}"),
  "repo/inner/.git": "gitdir: ../.git/modules/inner",
  "repo/inner/a.http": "GET {{base}}/{{where}}\n",
  "none/deep/a.http": "GET {{base}}/{{outside}}\n",
  "none/http-client.env.json": '{"dev": {"where": "not read"}}',
};

/** Which environment files `run` and `check` use, and what a server receives. */
function describeFoldersUnder(runtime: RuntimeName): void {
  describe(`environment files above a file under ${runtime}`, () => {
    let folder: string;
    let recorder: Recorder;
    const both = async (...args: readonly string[]): Promise<[run: Ended, check: Ended]> => {
      const given = [...args, "--var", `base=${recorder.base}`];
      const run = await restlab(runtime, ["run", "--brief", ...given], { cwd: folder });
      return [run, await restlab(runtime, ["check", ...given], { cwd: folder })];
    };
    beforeAll(async () => {
      recorder = await startRecorder();
      folder = realpathSync(mkdtempSync(join(tmpdir(), "restlab-folders-")));
      for (const [name, text] of Object.entries(FILES)) {
        mkdirSync(dirname(join(folder, name)), { recursive: true });
        writeFileSync(join(folder, name), text);
      }
      mkdirSync(join(folder, "link/.git"), { recursive: true });
      mkdirSync(join(folder, "link/api"));
      writeFileSync(join(folder, "link/api/a.http"), "GET {{base}}/{{outside}}\n");
      symlinkSync("../.env", join(folder, "link/.env"));
    });
    afterAll(async () => {
      await recorder.close();
      rmSync(folder, { recursive: true });
    });

    test("are read up to the root of the repository, the nearest first", async () => {
      const [run, check] = await both("repo/api/users/get.http", "--env", "dev");
      expect(recorder.take()).toEqual([
        expect.objectContaining({
          line: "GET /near/1.0/read/yes",
          headers: expect.objectContaining({ "x-key": "a-private-key" }),
        }),
      ]);
      expect([run.status, check.status, check.stdout]).toEqual([0, 0, ""]);
      expect(run.stdout).not.toContain("a-private-key");
    });

    test("serve a cell of a notebook", async () => {
      const [run, check] = await both("repo/api/users/get.ipynb");
      expect(recorder.take().map(({ line }) => line)).toEqual(["GET /near/1.0"]);
      expect([run.status, check.status]).toEqual([0, 0]);
    });

    test("are named where none of their environments was chosen", async () => {
      for (const { status, stdout, stderr } of await both("repo/api/users/get.http")) {
        expect(status).toBe(1);
        expect(stdout + stderr).toMatch(
          /there is no variable "where".* Environments in http-client\.env\.json, .*repo\/http-client\.env\.json, .*: "dev", "prod"; choose one with --env dev/s,
        );
      }
      expect(recorder.take()).toEqual([]);
    });

    test("make a value that cannot be read an error where it is used, with its line", async () => {
      for (const { status, stdout, stderr } of await both(
        "repo/api/users/bad.http",
        "--env",
        "dev",
      )) {
        expect(status).toBe(1);
        expect(stdout + stderr).toMatch(
          /"\{\{bad\}\}": http-client\.env\.json:3 sets it, but its\s+value is not valid JSON/,
        );
        expect(stdout + stderr).toMatch(/bad\.http:4|line 4|^\s*4 /m);
      }
      expect(recorder.take()).toEqual([]);
    });

    test.each([
      ["repo/inner/a.http", '"dev"', ["repo/inner"]],
      ["none/deep/a.http", '"dev"', ["none/deep"]],
    ])(
      "%s: those above the root, or without a repository, are not",
      async (file, name, folders) => {
        const searched = folders.map((path) => `"${join(folder, path)}/"`).join(", ");
        for (const { status, stdout, stderr } of await both(file, "--env", "dev")) {
          expect(status).not.toBe(0);
          expect(stdout + stderr).toContain(
            `Cannot use the environment ${name}: none of its files`,
          );
          expect(stdout + stderr).toContain(`exists in ${searched}`);
        }
        expect(recorder.take()).toEqual([]);
      },
    );

    test("are not followed by check to where a link of theirs leads", async () => {
      const [, check] = await both("link/api/a.http");
      expect(check.status).toBe(2);
      expect(check.stderr).toMatch(/it is outside the folder ".*link"/);
      recorder.take();
    });

    test("a variable line waits for the answer that it names", async () => {
      const [run, check] = await both("repo/api/users/late.http");
      const lines = recorder.take().map(({ line }) => line);
      expect(lines).toEqual([
        "POST /login",
        expect.stringMatching(/^GET \/me\?t=token-number-\d+$/),
      ]);
      expect(run.status).toBe(0);
      expect(check.stdout).toMatch(/late\.http:2:11: Cannot resolve "\{\{nobody\}\}"/);
    });

    test("a variable line that fails spoils what uses it, and is named by its line of the file", async () => {
      const [run, check] = await both("repo/api/users/spoiled.http");
      expect(recorder.take().map(({ line }) => line)).toEqual(["GET /1"]);
      const said = /"\{\{broken\}\}": line 2 sets it, but cannot resolve\s+"\{\{nobody\}\}"/;
      expect([run.status, check.status]).toEqual([1, 1]);
      expect(run.stdout + run.stderr).toMatch(said);
      expect(check.stdout).toMatch(said);
      expect(check.stdout).toMatch(/^[^\n]*spoiled\.http:8:14: [^\n]*\n$/);
    });
  });
}

describeFoldersUnder(RUNTIME);
