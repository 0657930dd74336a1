// `restlab run` as a whole process, against bare ky scripts and the peers' command lines.
//
//   npm ci --prefix test/bench     (once: the peers)
//   node test/bench/run.mjs [--quick]
//
// Contenders take turns, so that a drift of the machine's speed meets all of them alike.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startUsersServer } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..", "..");
const quick = process.argv.includes("--quick");
const ROUNDS = { one: quick ? 3 : 15, many: quick ? 1 : 5 };
const MANY = 1000;

const node = process.execPath;
const deno = [join(root, "node_modules/.bin/deno"), "run", "-A"];
const bun = [join(root, "node_modules/.bin/bun")];
const main = join(root, "dist/kernel/main.js");
const source = join(root, "kernel/main.ts");
const peer = (name) => join(here, "node_modules/.bin", name);

const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
const server = await startUsersServer();
try {
  const { base } = server;
  writeInputs(base);
  console.log(`node ${process.version}, seconds of wall time, median of n runs in turn\n`);
  table("start and end", ROUNDS.one, "node -e 0", {
    "node -e 0": [node, "-e", "0"],
    "restlab --help": [node, main, "--help"],
    "restlab run --wrong": [node, main, "run", "--wrong"],
  });
  table("one request", ROUNDS.one, "bare ky", contenders("one"));
  table(`${MANY} requests, a line each`, ROUNDS.many, "bare ky", contenders("many"));
  // As people write them: that a request has a name costs some runners most of their time.
  table(`the same, named, with a variable`, ROUNDS.many, "bare ky", contenders("named"));
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

function contenders(size) {
  const script = join(root, "test/bench", `bare-ky.mjs`);
  const file = join(folder, `${size}.http`);
  const count = size === "one" ? "1" : String(MANY);
  const url = join(folder, "url");
  const all = {
    "bare ky": [node, script, url, count],
    restlab: [node, main, "run", "--brief", file],
    "bare ky, deno": [...deno, script, url, count],
    "restlab, deno": [...deno, main, "run", "--brief", file],
    "restlab's sources, deno": [...deno, source, "run", "--brief", file],
    "bare ky, bun": [...bun, script, url, count],
    "restlab, bun": [...bun, main, "run", "--brief", file],
    "restlab's sources, bun": [...bun, source, "run", "--brief", file],
  };
  if (existsSync(peer("httpyac")))
    all.httpyac = [node, peer("httpyac"), "send", "--all", "-o", "short", file];
  if (existsSync(peer("newman")))
    all.newman = [node, peer("newman"), "run", join(folder, `${size}.json`)];
  if (existsSync(peer("bru")))
    all.bru = [node, peer("bru"), "run", "--sandbox", "developer", `bru-${size}`];
  return all;
}

function table(title, rounds, baseline, commands) {
  const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const [name, [file, ...args]] of Object.entries(commands)) {
      const start = process.hrtime.bigint();
      // bru runs the collection that it stands in.
      const cwd = name === "bru" ? join(folder, args.at(-1)) : folder;
      const words = name === "bru" ? args.slice(0, -1) : args;
      const ended = spawnSync(file, words, { cwd, encoding: "utf8", maxBuffer: 1 << 28 });
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      if (ended.error) throw ended.error;
      if (ended.status !== 0 && !name.includes("--wrong")) {
        throw new Error(
          `${name} ended with ${ended.status}: ${ended.stderr}${ended.stdout.slice(-500)}`,
        );
      }
      if (round > 0) times[name].push(seconds);
    }
  }
  const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
  const unit = median(times[baseline]);
  console.log(
    `${title} (n=${rounds})`.padEnd(40) +
      "median".padStart(9) +
      "min".padStart(9) +
      "ratio".padStart(9),
  );
  for (const [name, list] of Object.entries(times)) {
    const figures = [median(list), Math.min(...list), median(list) / unit];
    console.log(`  ${name}`.padEnd(40) + figures.map((it) => it.toFixed(3).padStart(9)).join(""));
  }
  console.log("");
}

function writeInputs(base) {
  writeFileSync(join(folder, "url"), base);
  const requests = (start, count) =>
    Array.from({ length: count }, (_, index) => `${start}/users/${index}`);
  for (const [size, count] of [
    ["one", 1],
    ["many", MANY],
    ["named", MANY],
  ]) {
    const isNamed = size === "named";
    const urls = requests(isNamed ? "{{base}}" : base, count);
    const text = urls.map((url, index) => {
      const name = isNamed ? `# @name r${index}\n` : "";
      return `${name}GET ${url}\nAccept: application/json\n`;
    });
    const variables = isNamed ? `@base = ${base}\n\n` : "";
    writeFileSync(join(folder, `${size}.http`), variables + text.join("\n###\n"));
    writeFileSync(join(folder, `${size}.json`), JSON.stringify(postman(urls, base)));
    const collection = join(folder, `bru-${size}`);
    mkdirSync(collection);
    writeFileSync(
      join(collection, "bruno.json"),
      '{"version":"1","name":"bench","type":"collection"}',
    );
    writeFileSync(join(collection, "collection.bru"), `vars:pre-request {\n  base: ${base}\n}\n`);
    urls.forEach((url, index) => {
      const text = `meta {\n  name: r${index}\n  type: http\n  seq: ${index + 1}\n}\n\nget {\n  url: ${url}\n  body: none\n  auth: none\n}\n`;
      writeFileSync(join(collection, `r${index}.bru`), text);
    });
  }
}

function postman(urls, base) {
  return {
    variable: [{ key: "base", value: base }],
    info: {
      name: "bench",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    item: urls.map((url, index) => ({ name: `r${index}`, request: { method: "GET", url } })),
  };
}
