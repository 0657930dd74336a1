import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";
import { notebook } from "../notebook/notebook.ts";
import { restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

const FAILS = "GET {{base}}/\n?? status == 201";
const FILES = {
  "repo/.git/HEAD": "ref: refs/heads/main\n",
  "repo/sub/x.http": `### x\n${FAILS}`,
  "repo/sub/x.ipynb": notebook(FAILS),
  "repo/sub/two words/y,z.http": `### y\n${FAILS}`,
  "repo/sub/imports.http": "# @import parts/part.http\n### i\nrun #part\n",
  "repo/sub/parts/part.http": `### part\n${FAILS}`,
  "repo/sub/off.http": `### off\n# @disabled\n${FAILS}`,
  "repo/inner/.git": "gitdir: ../.git/modules/inner\n",
  "repo/inner/z.http": `### z\n${FAILS}`,
  "plain/sub/x.http": `### x\n${FAILS}`,
};

/** The working folder, the files of the command, the workspace of GitHub, and the files of the annotations. */
const CASES: readonly (readonly [
  string,
  readonly string[],
  string | undefined,
  readonly string[],
])[] = [
  ["repo", ["sub/x.http"], undefined, ["sub/x.http"]],
  ["repo/sub", ["x.http"], undefined, ["sub/x.http"]],
  ["repo/sub", ["./x.http"], undefined, ["sub/x.http"]],
  ["repo/sub", ["x.ipynb"], undefined, ["sub/x.ipynb"]],
  ["repo/sub/parts", ["../x.http"], undefined, ["sub/x.http"]],
  ["repo/sub", ["two words"], undefined, ["sub/two words/y%2Cz.http"]],
  ["repo/sub", ["imports.http"], undefined, ["sub/parts/part.http"]],
  ["repo", ["sub/imports.http"], undefined, ["sub/parts/part.http"]],
  ["repo/sub", ["off.http", "x.http"], undefined, ["sub/off.http", "sub/x.http"]],
  ["repo", ["inner/z.http"], undefined, ["z.http"]],
  [".", ["repo/sub/x.http"], undefined, ["sub/x.http"]],
  ["repo/sub", ["x.http"], "repo/sub", ["sub/x.http"]],
  ["plain/sub", ["x.http"], "plain", ["sub/x.http"]],
  ["plain/sub", ["x.http"], "repo", ["x.http"]],
  ["plain/sub", ["x.http"], undefined, ["x.http"]],
];

describe("the files of annotations are those of the repository", () => {
  let folder = "";
  let server: Recorder;
  beforeAll(async () => {
    server = await startRecorder({});
    folder = realpathSync(mkdtempSync(join(tmpdir(), "restlab-annotations-")));
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

  test.each(CASES)("in %s: %j, workspace %s", async (directory, files, workspace, expected) => {
    const args = ["test", "--report", "github", "--var", `base=http://${server.host}`, ...files];
    const { stdout, stderr } = await restlab(RUNTIME, args, {
      cwd: join(folder, directory),
      env: { GITHUB_WORKSPACE: workspace === undefined ? "" : join(folder, workspace) },
    });
    const found = [...stdout.matchAll(/^::\w+ file=([^\n]*?),(?:line|title)=/gm)];
    expect(
      found.map(([, file]) => file),
      stdout + stderr,
    ).toEqual(expected);
  });
});
