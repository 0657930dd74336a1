import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Recorder, startRecorder } from "../dialects/recorder.ts";
import { notebook } from "../notebook/notebook.ts";
import { type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";

/** What was given with `--var v=given`, and what another value of the file would be. */
const TARGET = "GET {{base}}/{{v}}";

/** A notebook whose first cell is tagged `parameters`. */
function withParameters(...sources: readonly string[]): string {
  const read = JSON.parse(notebook(...sources));
  read.cells[0].metadata = { tags: ["parameters"] };
  return JSON.stringify(read);
}

const REPLACED = "restlab: --var v has no effect: code sets the variable before anything uses it\n";
const UNUSED = "restlab: --var v has no effect: nothing that ran uses it\n";

type Files = Readonly<Record<string, string>>;
type Case = readonly [name: string, files: Files, targets: readonly string[], remark?: string];

/** Each is run by `run` and by `test`, with `--var v=given`; the first file is the document. */
const CASES: readonly Case[] = [
  ["line", { "a.http": `@v = line\n${TARGET}` }, ["/given"]],
  [
    "line-in-a-later-block",
    { "a.http": `${TARGET}\n\n###\n@v = line\n${TARGET}` },
    ["/given", "/given"],
  ],
  [
    "line-after-a-body",
    { "a.http": `POST {{base}}/{{v}}\n\nx=1\n\n###\n@v = l\n\n###\n${TARGET}` },
    ["/given", "/given"],
  ],
  ["lazy-line", { "a.http": `@v := line\n${TARGET}` }, ["/given"]],
  ["line-of-itself", { "a.http": `@v = {{v}}/more\n${TARGET}` }, ["/given"]],
  [
    "line-of-another",
    { "a.http": `@v = line\n@w = {{v}}/more\nGET {{base}}/{{w}}` },
    ["/given/more"],
  ],
  ["property", { "a.http": `@v.host = line\n${TARGET}` }, ["/given"]],
  [
    "answer",
    { "a.http": `# @name v\nGET {{base}}/first\n\n###\n@v = {{v.response.body}}\n${TARGET}` },
    ["/first", "/given"],
  ],
  ["question", { "a.http": `@v = {{$input Which one}}\n${TARGET}` }, ["/given"]],
  ["prompt", { "a.http": `# @prompt v\n${TARGET}` }, ["/given"]],
  [
    "environment",
    { "a.http": TARGET, "http-client.env.json": '{"$shared": {"v": "file"}}' },
    ["/given"],
  ],
  [
    "in-a-file",
    { "a.http": "GET {{base}}/{{url}}", "http-client.env.json": '{"$shared": {"url": "{{v}}/x"}}' },
    ["/given/x"],
  ],
  ["imported", { "a.http": `# @import b.http\n${TARGET}`, "b.http": "@v = line\n" }, ["/given"]],
  [
    "referred-to",
    {
      "a.http": `# @import b.http\n# @ref one\n${TARGET}`,
      "b.http": `@v = line\n# @name one\nGET {{base}}/one/{{v}}`,
    },
    ["/one/given", "/given"],
  ],
  [
    "later-reference",
    { "a.http": `# @ref one\n${TARGET}\n\n###\n@v = line\n# @name one\nGET {{base}}/one/{{v}}` },
    ["/one/given", "/given", "/one/given"],
  ],
  ["run-a-file", { "a.http": "run ./b.http\n", "b.http": `@v = line\n${TARGET}` }, ["/given"]],
  [
    "run-with-values",
    {
      "a.http": "import ./b.http\n\n###\nrun #one (@w=x)\n",
      "b.http": "@v = line\n@w = b\n### one\nGET {{base}}/{{v}}/{{w}}",
    },
    ["/given/x"],
  ],
  ["loop", { "a.http": `@v = line\n# @loop for 2\n${TARGET}` }, ["/given", "/given"]],
  ["fallback", { "a.http": 'GET {{base}}/{{v ?? "line"}}' }, ["/given"]],
  [
    "handler-later",
    { "a.http": `${TARGET}\n\n> {% client.global.set("v", "code") %}\n\n###\n${TARGET}` },
    ["/given", "/code"],
  ],
  [
    "handler-and-line",
    {
      "a.http": `${TARGET}\n\n> {% client.global.set("v", "code") %}\n\n###\n@v = line\n${TARGET}`,
    },
    ["/given", "/code"],
  ],
  [
    "handler-first",
    { "a.http": `GET {{base}}/first\n\n> {% client.global.set("v", "code") %}\n\n###\n${TARGET}` },
    ["/first", "/code"],
    REPLACED,
  ],
  [
    "block-first",
    { "a.http": `{{\n  exports.v = "code";\n}}\n\n###\n${TARGET}` },
    ["/code"],
    REPLACED,
  ],
  ["block-reads", { "a.http": `{{\n  exports.v = v + "2";\n}}\n\n###\n${TARGET}` }, ["/given2"]],
  ["unused", { "a.http": "@v = line\nGET {{base}}/x" }, ["/x"], UNUSED],
  ["expression", { "a.http": "GET {{base}}/x\n?? js v == given" }, ["/x"]],
  [
    "expression-of-others",
    { "a.http": "GET {{base}}/x\n?? js response.statusCode == 200" },
    ["/x"],
    UNUSED,
  ],
  [
    "script-reads",
    { "a.http": "GET {{base}}/x\n\n> {% client.log(client.global.get('v')) %}" },
    ["/x"],
  ],
  ["cell-of-lines", { "a.ipynb": notebook("@v = line", TARGET) }, ["/given"]],
  [
    "parameters-of-lines",
    { "a.ipynb": withParameters("@v = line\n@w = b", `${TARGET}/{{w}}`) },
    ["/given/b"],
  ],
  [
    "parameters-by-setVar",
    { "a.ipynb": withParameters('client.setVar("v", "cell");', TARGET) },
    ["/given"],
  ],
  [
    "parameters-by-let",
    {
      "a.ipynb": withParameters(
        'let v = "cell";',
        TARGET,
        "await client.send(`GET {{base}}/code/${v}`);",
      ),
    },
    ["/given", "/code/given"],
  ],
  [
    "parameters-by-const",
    {
      "a.ipynb": withParameters(
        'const v = "cell", w = `${v}2`;',
        "await client.send(`GET {{base}}/${v}/${w}`);",
      ),
    },
    ["/given/cell2"],
  ],
  [
    "parameters-unused",
    { "a.ipynb": withParameters('client.setVar("v", "cell");', "GET {{base}}/x") },
    ["/x"],
    UNUSED,
  ],
  [
    "cell-by-setVar",
    { "a.ipynb": notebook('client.setVar("v", "cell");', TARGET) },
    ["/cell"],
    REPLACED,
  ],
  ["cell-by-const", { "a.ipynb": notebook('const v = "cell";', TARGET) }, ["/given"]],
  [
    "cell-reads",
    { "a.ipynb": notebook('client.setVar("v", client.getVar("v") + 2);', TARGET) },
    ["/given2"],
  ],
  [
    "cell-sends-lines",
    { "a.ipynb": notebook(`await client.send("@v = code\\n${TARGET}");`) },
    ["/code"],
    REPLACED,
  ],
];

/** The order of the values of options and of documents, on one runtime. */
function describeGivenVariables(runtime: RuntimeName): void {
  describe(`--var and --data on ${runtime}`, () => {
    let folder = "";
    let server: Recorder;
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "restlab-given-"));
      server = await startRecorder({});
      for (const [name, files] of CASES) write(name, files);
    });
    afterAll(async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    });

    function write(name: string, files: Files): void {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, name, path)), { recursive: true });
        writeFileSync(join(folder, name, path), text);
      }
    }

    async function ended(name: string, ...args: readonly string[]) {
      const before = server.received.length;
      const base = ["--var", `base=http://${server.host}`];
      const { status, stdout, stderr } = await restlab(runtime, [...args, ...base], {
        cwd: join(folder, name),
      });
      const targets = server.received.slice(before).map(({ target }) => target);
      const remarks = stderr.match(/^.*has no effect.*\n/gm)?.join("") ?? "";
      return { status, targets, remarks, output: stdout + stderr };
    }

    const cases = CASES.map(([name, files, targets, remark = ""]) => {
      return [name, files, targets, remark] as const;
    });
    test.each(cases)("%s", async (name, files, targets, remark) => {
      const path = Object.keys(files)[0] ?? "";
      for (const command of ["run", "test"]) {
        const { output, ...found } = await ended(name, command, path, "--var", "v=given");
        expect(found, output).toEqual({ status: 0, targets, remarks: remark });
      }
      const { status, remarks, output } = await ended(name, "check", path, "--var", "v=given");
      // A check runs no code.
      const unused =
        remark === UNUSED && name !== "parameters-unused"
          ? UNUSED.replace("nothing that ran", "nothing")
          : "";
      expect([status, remarks], output).toEqual([0, unused]);
    });

    test("an option that a written URL ignores has no effect, and one that completes a path has", async () => {
      write("written", {
        "a.http": `GET http://${server.host}/x`,
        "b.http": "GET /y\n\n###\n@host = http://127.0.0.1:9\nGET /z",
      });
      const written = await ended("written", "test", "a.http", "--var", "host=h");
      const remarks = ["base", "host"].map((name) => UNUSED.replace("--var v", `--var ${name}`));
      expect([written.targets, written.remarks.split("\n").toSorted().join("\n")]).toEqual([
        ["/x"],
        `\n${remarks.join("").trimEnd()}`,
      ]);
      const paths = await ended("written", "test", "b.http", "--var", `host=http://${server.host}`);
      expect(paths.targets).toEqual(["/y", "/z"]);
      expect(paths.remarks).toBe(UNUSED.replace("--var v", "--var base"));
    });

    test("rows of data go before lines as well, and a column that nothing uses is mentioned once", async () => {
      write("rows", {
        "a.http": `@v = line\n### the case {{title}}\n${TARGET}`,
        "rows.csv": "v,title,note\n1,one,x\n2,two,y\n",
      });
      const { output, ...found } = await ended("rows", "test", "a.http", "--data", "rows.csv");
      const remarks =
        'restlab: The column "note" of --data has no effect: nothing that ran uses it\n';
      expect(found, output).toEqual({ status: 0, targets: ["/1", "/2"], remarks });
      const both = await ended("rows", "test", "a.http", "--data", "rows.csv", "--var", "v=9");
      expect([both.targets, both.remarks.split("\n")[0]]).toEqual([
        ["/1", "/2"],
        "restlab: --var v has no effect: a column of --data has the same name",
      ]);
    });

    test("an option that one of several files uses has an effect, and what is typed later wins", async () => {
      write("several", { "a.http": TARGET, "b.http": "@v = line\nGET {{base}}/x" });
      const both = await ended("several", "run", "a.http", "b.http", "--var", "v=given");
      expect([both.targets, both.remarks]).toEqual([["/given", "/x"], ""]);
      const typed = await ended("several", "-e", `@v = line\n${TARGET}`, "--var", "v=given");
      expect([typed.targets, typed.remarks]).toEqual([["/line"], ""]);
    });

    test("the URL of --demo goes before lines as well", async () => {
      write("demo", {
        "a.http": "@base = http://127.0.0.1:9\nGET {{base}}/users/1\n?? status == 200",
      });
      const { status, output } = await restlabIn("demo", "test", "a.http", "--demo");
      expect(status, output).toBe(0);
    });

    const restlabIn = (name: string, ...args: readonly string[]) =>
      restlab(runtime, args, { cwd: join(folder, name) });
  });
}

describeGivenVariables(RUNTIME);
