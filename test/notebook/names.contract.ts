import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const FILES = {
  "refs.http":
    "# @ref later\nGET {{base}}/users/{{later.id}}\n\n###\n# @name later\nGET {{base}}/users/2\n",
  "asks.http":
    "# @prompt a\nGET {{base}}/users/{{a}}\n\n###\n# @prompt b\nGET {{base}}/users/{{b}}\n",
  "note.http": "GET {{base}}/users/1\n\n###\n# @note Really?\nDELETE {{base}}/users/1\n",
  "seed.http": "GET {{base}}/echo?{{$uuid}}={{$randomInt}}\n",
  "now.http":
    'POST {{base}}/users\n\n{ "name": "Mary Shelley", "email": "mary{{$timestamp}}@example.com" }\n\n###\n' +
    "GET {{base}}/echo\nAuthorization: AWS AKIDEXAMPLE a-secret-of-mine region:eu-west-1 service:execute-api\n",
  "api/env.http": "POST {{base}}/{{where}}\nContent-Type: application/json\n\n< ./body.json\n",
  "api/body.json": '{"from": "the folder of the file"}',
  "api/http-client.env.json": '{"dev": {"where": "echo"}, "live": {"where": "users"}}',
};

/** What a headless run does about names, environments and questions. */
function describeNamesUnder(runtime: RuntimeName): void {
  describe(`restlab run under ${runtime}`, () => {
    let folder: string;
    const run = (...args: readonly string[]): Promise<Ended> =>
      restlab(runtime, ["run", "--demo", ...args], { cwd: folder });
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "restlab-names-"));
      mkdirSync(join(folder, "api"));
      for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test("lists all missing values of prompts before anything is sent, and takes variables", async () => {
      const { status, stdout, stderr } = await run("asks.http");
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain('it asks for "a", "b"; give values with --var NAME=VALUE');
      const given = await run("asks.http", "--brief", "--var", "a=1", "--var", "b=3");
      expect(given.status).toBe(0);
      expect(given.stdout.match(/\/users\/\d+/g)).toEqual(["/users/1", "/users/3"]);
    });

    test("uses the environment and the files in the folder of the file", async () => {
      const { status, stdout } = await run("api/env.http", "--env", "dev");
      expect(status).toBe(0);
      expect(stdout).toContain("the folder of the file");
      const unknown = await run("api/env.http", "--env", "prod");
      expect(unknown.status).toBe(2);
      expect(unknown.stderr).toContain('"prod": the files define dev, live');
    });

    // No runtime decides what follows.
    if (runtime !== "node") return;

    test("a reference sends a later request of the file first", async () => {
      const { status, stdout } = await run("refs.http", "--brief");
      expect(status).toBe(0);
      expect(stdout.match(/\/users\/\d+/g)).toEqual(["/users/2", "/users/2", "/users/2"]);
    });

    test("sends a request with a note only if a variable confirms it", async () => {
      const { status, stdout, stderr } = await run("note.http");
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(
        'it asks for "confirm"; give values with --var NAME=VALUE; confirm=yes',
      );
      const given = await run("note.http", "--brief", "--var", "confirm=yes");
      expect(given.status).toBe(0);
      expect(given.stdout).toContain("DELETE");
    });

    test("repeats generated values with a seed", async () => {
      const query = async (...args: readonly string[]): Promise<string | undefined> =>
        /\/echo\?[\da-f-]+=\d+/.exec((await run("seed.http", "--brief", ...args)).stdout)?.[0];
      const first = await query("--seed", "tests");
      expect(first).toBeDefined();
      expect(await query("--seed", "tests")).toBe(first);
      expect(await query("--seed", "others")).not.toBe(first);
    });

    test("generates dates, signs and runs the embedded API at a given time", async () => {
      const { status, stdout } = await run("now.http", "--now", "2026-01-31T12:00:00+01:00");
      expect(status).toBe(0);
      expect(stdout).toMatch(/createdAt +2026-01-31T11:00:00.000Z/);
      expect(stdout).toContain("mary1769857200@example.com");
      expect(stdout).toMatch(/x-amz-date +20260131T110000Z/);
      for (const time of ["yesterday", "2026-01-31T12:00", "2026-13-01", "12"]) {
        const refused = await run("now.http", "--now", time);
        expect([refused.status, refused.stdout]).toEqual([2, ""]);
        expect(refused.stderr).toContain(`--now "${time}" is not a time`);
      }
    });
  });
}

describeNamesUnder(RUNTIME);
