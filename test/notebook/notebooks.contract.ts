import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNS_ALL, RUNTIME } from "../support/runtime.ts";
import { checkNotebook } from "./check-notebook.ts";

const FOLDER = join(import.meta.dirname, "../../notebooks");
/** Two show that a runtime runs several in one process; Node runs all. */
const names = readdirSync(FOLDER).filter((name) =>
  (RUNS_ALL ? /\.ipynb$/ : /^(?:01-tour|06-streams)\.ipynb$/).test(name),
);

/** What a notebook is to show, beside cells that do not fail: a refusal would not, either. */
const SHOWN: Readonly<Record<string, readonly RegExp[]>> = {
  "05-credentials.ipynb": [
    /by +Digest\n/,
    /by +OAuth 2\n/,
    /revoked +true\n.*\nThe server rejected the token with 401; .*by +OAuth 2\n/s,
  ],
  "07-chaining.ipynb": [
    /200 OK [^\n]*users\/\d+/,
    /200 OK [^\n]*users\/3 .*role +editor/s,
    /"later" has not been sent yet.*Did you mean "name"\?/s,
  ],
  "06-streams.ipynb": [/server +bye\n/, /heard.*one: 1.*two: 2.*recorded: 6/s],
};

/** The project's notebooks run from the first cell to the last in one process, against the embedded API. */
function describeNotebooks(runtime: RuntimeName): void {
  describe(`the notebooks on ${runtime}`, () => {
    let folder = "";
    let ended: Ended;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-notebooks-"));
      const args = ["run", "--demo", "--keep-going", "--output", folder, ...names];
      ended = await restlab(runtime, args, { cwd: FOLDER });
    }, 300_000);
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    test("no notebook fails", () => {
      expect(ended.stderr).not.toMatch(/failed|not run|Warning/);
      expect(ended.status).toBe(0);
    });

    test.each(names)("%s runs without a failing cell", (name) => {
      const stdout = shownOf(name, ended.stdout);
      expect(ended.stderr).toMatch(new RegExp(`^${name}: \\d+ cells run$`, "m"));
      expect(stdout).toContain("200 OK · Successful");
      for (const shown of SHOWN[name] ?? []) expect(stdout).toMatch(shown);
      const code = checkNotebook(readFileSync(join(folder, name), "utf8")).filter(
        (it) => it.cell_type === "code",
      );
      expect(code.every(({ execution_count }) => execution_count !== null)).toBe(true);
      expect(JSON.stringify(code)).not.toContain('"output_type":"error"');
    });

    if (!RUNS_ALL) return;

    test("the API is as the saved outputs say", async () => {
      const saved = names.filter((name) => /^\d/.test(name)).map((name) => join(FOLDER, name));
      const args = ["verify", "--strict", "--seed", "restlab", ...saved];
      const { status, stdout, stderr } = await restlab(runtime, args, { cwd: folder });
      expect(stdout.match(/^(?:compatible|drifted|broken|skipped) .*$/gm)).toBe(null);
      expect(stderr).toMatch(/08-testing\.ipynb: \d+ responses: \d+ same/);
      expect(status).toBe(0);
    });

    test("the gallery draws charts of an answer", () => {
      const { cells } = JSON.parse(readFileSync(join(folder, "gallery.ipynb"), "utf8"));
      const shown = (cell: string): Readonly<Record<string, unknown>> =>
        cells.find(({ id }: { readonly id: string }) => id === cell).outputs[0].data;
      expect([shown("chart")["text/html"]].flat().join("")).toMatch(
        /^<svg [\s\S]*>admin<[\s\S]*<rect /,
      );
      expect(shown("chart-vega")["application/vnd.vegalite.v5+json"]).toMatchObject({
        mark: "bar",
        data: {
          values: [
            { role: "admin", users: 4 },
            { role: "editor", users: 3 },
            { role: "viewer", users: 3 },
          ],
        },
      });
    });
  });
}

/** What was written below the title of a notebook. */
function shownOf(name: string, stdout: string): string {
  const titles = new RegExp(`^(${names.join("|")})$`, "m");
  const parts = stdout.split(titles);
  return parts[parts.indexOf(name) + 1] ?? "";
}

describeNotebooks(RUNTIME);
