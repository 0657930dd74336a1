// How time and memory grow with the work: each row at three sizes, as a whole process.
//
//   npm ci --prefix test/bench     (once: the peers)
//   node test/bench/growth.mjs [--quick] [WORDS...]     (rows whose names contain one of the words)
//
// The exponent is that of the time from the middle to the largest size, without the time of a process that does
// nothing: 1 is linear, 2 quadratic. A row of a peer has its name.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess, startUsersServer } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const args = process.argv.slice(2);
const quick = args.includes("--quick");
const words = args.filter((word) => !word.startsWith("--"));

const node = process.execPath;
const restlab = [node, join(here, "..", "..", "dist/kernel/main.js")];
const peer = join(here, "node_modules/.bin/httpyac");
const httpyac = [node, peer];

const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
const server = await startUsersServer();
try {
  const { base } = server;
  const floors = {
    restlab: await floorOf([...restlab, "check", write("none.http", `GET ${base}/\n`)]),
    ...(existsSync(peer) && { httpyac: await floorOf([...httpyac, "--version"]) }),
  };
  console.log(
    `node ${process.version}; seconds of wall time and peak megabytes at each size, and the exponent of the time`,
  );
  console.log("row".padEnd(52) + ["size", "s", "MB", "exponent"].map(right).join(""));
  for (const row of rowsFor(base)) await measure(row, floors);
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The seconds of a process that does nothing but start: the median of three. */
async function floorOf(command) {
  const seconds = [];
  for (let round = 0; round < 3; round++) {
    seconds.push((await runProcess("start", command, { cwd: folder })).seconds);
  }
  return seconds.toSorted((a, b) => a - b)[1];
}

async function measure({ name, sizes, unit = "", command, isPeer = false, statuses }, floors) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) return;
  if (isPeer && floors.httpyac === undefined) return;
  const floor = isPeer ? floors.httpyac : floors.restlab;
  let before;
  for (const size of quick ? sizes.slice(0, 2) : sizes) {
    const line = command(size);
    const { seconds, peak } = await runProcess(name, line, { cwd: folder, statuses });
    const work = Math.max(0.001, seconds - floor);
    const exponent = before && Math.log(work / before.work) / Math.log(size / before.size);
    const figures = [`${size}${unit}`, seconds.toFixed(2), Math.round(peak / 1e6) || "-"];
    const title = before === undefined ? name : "";
    console.log(title.padEnd(52) + [...figures, exponent?.toFixed(2) ?? ""].map(right).join(""));
    before = { size, work };
  }
}

function right(text) {
  return String(text).padStart(10);
}

/** Writes a file into the folder of the run. */
function write(name, text) {
  writeFileSync(join(folder, name), text);
  return name;
}

/** A text for each number below a size. */
function times(size, text) {
  return Array.from({ length: size }, (_, at) => text(at));
}

function rowsFor(base) {
  const MANY = [1000, 4000, 16_000];
  // httpYac takes minutes for 4,000 requests.
  const FEW = [125, 500, 2000];
  const SOME = [250, 1000, 4000];
  const MEGABYTES = [5, 20, 80];
  const http = (name, text) => (size) =>
    write(`${name}-${size}.http`, times(size, text).join("\n"));
  const get = http("get", (at) => `### r${at}\nGET ${base}/user/${at}\n`);
  const post = http(
    "post",
    (at) => `### r${at}\nPOST ${base}/items\n\n{"i": ${at}, "name": "Ada"}\n`,
  );
  const asserted = http(
    "assert",
    (at) => `### r${at}\nGET ${base}/user/${at}\n\n?? status == 200\n?? body name == Ada\n`,
  );
  const handled = http(
    "handler",
    (at) =>
      `### r${at}\nGET ${base}/user/${at}\n\n> {%\nclient.test("is Ada", () => client.assert(response.body.name === "Ada"));\n%}\n`,
  );
  const unknown = http(
    "unknown",
    (at) => `@known${at} = ${at}\n### r${at}\nGET ${base}/{{knwon${at}}}/{{known${at}}}\n`,
  );
  const replayOf = (file) => (size) => {
    const path = file(size);
    const har = `${path}.har`;
    if (!existsSync(join(folder, har))) {
      const recorded = [...restlab, "run", "--brief", "--record", har, path];
      const { status } = spawnSync(recorded[0], recorded.slice(1), {
        cwd: folder,
        stdio: "ignore",
      });
      if (status !== 0) throw new Error(`recording ended with ${status}`);
    }
    return [...restlab, "run", "--brief", "--replay", har, path];
  };
  const code = (size) =>
    write(
      `code-${size}.ipynb`,
      JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: {},
        cells: times(size, (at) => ({
          id: `c${at}`,
          cell_type: "code",
          metadata: {},
          execution_count: null,
          outputs: [],
          source: `const v${at} = { a: ${at} };\nv${at}.a + 1`,
        })),
      }),
    );
  const rows = (size) =>
    write(`rows-${size}.csv`, `id,name\n${times(size, (at) => `${at},Ada`).join("\n")}\n`);
  const one = write("one.http", `GET ${base}/user/{{id}}\n\n?? body name == {{name}}\n`);
  const report = (format) => ({
    name: `test --report ${format}`,
    sizes: MANY,
    command: (size) => [...restlab, "test", "-r", `${format}=report.${format}`, asserted(size)],
  });
  const library = (name, text) => (size) => [
    node,
    write(
      `${name}-${size}.mjs`,
      `import { createClient } from ${JSON.stringify(libraryUrl())};\nconst size = ${size};\nconst lab = createClient();\n${text}`,
    ),
  ];
  return [
    { name: "check", sizes: MANY, command: (size) => [...restlab, "check", get(size)] },
    {
      name: "check, a name of each request is unknown",
      sizes: MANY,
      statuses: [1],
      command: (size) => [...restlab, "check", unknown(size)],
    },
    { name: "run", sizes: MANY, command: (size) => [...restlab, "run", "--brief", get(size)] },
    {
      name: "run, httpYac",
      isPeer: true,
      sizes: FEW,
      command: (size) => [...httpyac, "send", "--all", "-o", "short", get(size)],
    },
    {
      name: "run, cells of TypeScript",
      sizes: SOME,
      command: (size) => [...restlab, "run", "--brief", code(size)],
    },
    {
      name: "test, assertions",
      sizes: MANY,
      command: (size) => [...restlab, "test", asserted(size)],
    },
    {
      name: "test, assertions, httpYac",
      isPeer: true,
      sizes: FEW,
      command: (size) => [...httpyac, "send", "--all", "-o", "none", asserted(size)],
    },
    {
      name: "test, handlers in JavaScript",
      sizes: SOME,
      command: (size) => [...restlab, "test", handled(size)],
    },
    {
      name: "test, handlers in JavaScript, httpYac",
      isPeer: true,
      sizes: FEW,
      command: (size) => [...httpyac, "send", "--all", "-o", "none", handled(size)],
    },
    {
      name: "test, rows of data",
      sizes: SOME,
      command: (size) => [...restlab, "test", "--data", rows(size), one],
    },
    ...["junit", "json", "tap", "html"].map(report),
    { name: "replay, a URL for each request", sizes: MANY, command: replayOf(get) },
    { name: "replay, one URL and other bodies", sizes: MANY, command: replayOf(post) },
    {
      name: "a list of n MB put into a body",
      sizes: MEGABYTES,
      unit: " MB",
      command: library(
        "large",
        `lab.setVar("list", Array.from({ length: size * 16_000 }, (_, id) => ({ id, name: "User", email: "u@example.com", tags: ["a"] })));
await lab.send("POST ${base}/items\\n\\n{{list}}");`,
      ),
    },
    ...["json", "body"].map((form) => ({
      name: `-e --${form} of a listing`,
      sizes: MEGABYTES,
      unit: " MB",
      command: (size) => [...restlab, `--${form}`, "-e", `GET ${base}/list/${size}`],
    })),
    {
      name: "failed sends, each after a token that was learnt",
      sizes: [500, 2000, 8000],
      command: library(
        "tokens",
        `for (let at = 0; at < size; at++) {
  await lab.send("GET ${base}/token");
  await lab.send("GET http://127.0.0.1:1/").catch(() => undefined);
}`,
      ),
    },
  ];
}

function libraryUrl() {
  return new URL("../../dist/kernel/library.js", import.meta.url).href;
}
