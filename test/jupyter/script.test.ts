import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasTools } from "../support/require.ts";
import { createJupyterHome, type JupyterHome } from "./installed-kernel.ts";

const PROGRAM = resolve(import.meta.dirname, "../../dist/kernel/main.js");

describe.skipIf(!hasTools("jupyter"))("jupyter nbconvert --to script", () => {
  let home: JupyterHome;
  beforeAll(async () => {
    home = await createJupyterHome();
  });
  afterAll(() => home?.close());

  test("writes a file that restlab runs", async () => {
    const tour = home.notebooks.find((path) => path.includes("01-tour")) ?? "";
    const args = ["-m", "nbconvert", "--to", "script", tour];
    expect(await home.run("/usr/bin/python3", args)).toMatchObject({ status: 0 });
    const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], {
      cwd: home.folder,
      env: home.env,
      input: readFileSync(join(home.folder, "01-tour.ts"), "utf8"),
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const answers = stdout.match(/^\d{3} [A-Z][^·]* · [^·]* · [A-Z]+/gm);
    expect(answers).toEqual([
      "200 OK · Successful · GET",
      "201 Created · Successful · POST",
      "200 OK · Successful · PATCH",
      "204 No Content · Successful · DELETE",
      "404 Not Found · Client error · GET",
      "200 OK · Successful · GET",
    ]);
    // The result of a TypeScript cell.
    expect(stdout).toContain("London");
  });
});
