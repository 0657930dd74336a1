// A suite with assertions as a whole process: `restlab test` against the peers' command lines.
//
//   npm ci --prefix test/bench     (once: the peers)
//   node test/bench/suite.mjs [--quick]
//
// Each peer reads the same requests and the same two assertions for each, in its own format. Contenders take turns,
// so that a drift of the machine's speed meets all of them alike.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installed, printCommands, runCommands, startUsersServer } from "./process.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const quick = process.argv.includes("--quick");
const ROUNDS = quick ? 1 : 5;
const SIZES = [100, 1000];

const node = process.execPath;
const main = join(here, "..", "..", "dist/kernel/main.js");
const peer = (name) => join(here, "node_modules/.bin", name);

const folder = mkdtempSync(join(tmpdir(), "restlab-bench-"));
const server = await startUsersServer();
try {
  console.log(
    `node ${process.version}, wall time of n runs in turn, processor time, peak memory\n`,
  );
  for (const size of SIZES) {
    const requests = describeSuite(server.base, size);
    const results = await runCommands(contenders(requests, size), ROUNDS, folder);
    printCommands(
      `${size} requests, ${size * 2} assertions (n=${ROUNDS})`,
      results,
      "restlab test",
    );
  }
} finally {
  server.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The one description that the files of all contenders are made of. */
function describeSuite(base, size) {
  return Array.from({ length: size }, (_, index) => ({
    name: `r${index}`,
    url: `${base}/user/${index}`,
    status: 200,
    key: "name",
    value: "Ada",
  }));
}

/** The command of each contender that is installed, with its folder; a reason for one that is not. */
function contenders(requests, size) {
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const http = write(`${size}.http`, requests.map(toHttp).join("\n"));
  const all = { "restlab test": { command: [node, main, "test", http] } };
  all["httpyac send --all"] = {
    command: [node, peer("httpyac"), "send", "--all", "-o", "none", http],
    missing: installed(peer("httpyac")),
  };
  all["bru run"] = {
    command: [node, peer("bru"), "run", "--sandbox", "developer"],
    cwd: writeCollection(`bru-${size}`, requests),
    missing: installed(peer("bru")),
  };
  all["newman run"] = {
    command: [node, peer("newman"), "run", write(`${size}.json`, toPostman(requests))],
    missing: installed(peer("newman")),
  };
  const hurl = spawnSync("hurl", ["--version"]).status === 0;
  all["hurl --test"] = {
    command: ["hurl", "--test", write(`${size}.hurl`, requests.map(toHurl).join("\n"))],
    missing: hurl ? undefined : "not on the PATH; npm has only a package that downloads it",
  };
  return all;
}

function toHttp({ name, url, status, key, value }) {
  return `### ${name}\nGET ${url}\nAccept: application/json\n\n?? status == ${status}\n?? body ${key} == ${value}\n`;
}

function toHurl({ url, status, key, value }) {
  return `GET ${url}\nAccept: application/json\nHTTP ${status}\n[Asserts]\njsonpath "$.${key}" == "${value}"\n`;
}

function toPostman(requests) {
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  const item = requests.map(({ name, url, status, key, value }) => ({
    name,
    request: { method: "GET", url, header: [{ key: "Accept", value: "application/json" }] },
    event: [
      {
        listen: "test",
        script: {
          exec: [
            `pm.test("status", () => pm.response.to.have.status(${status}));`,
            `pm.test("body", () => pm.expect(pm.response.json().${key}).to.eql("${value}"));`,
          ],
        },
      },
    ],
  }));
  return JSON.stringify({ info: { name: "suite", schema }, item });
}

/** Bruno reads a folder with a file for each request. */
function writeCollection(name, requests) {
  const collection = join(folder, name);
  mkdirSync(collection);
  const write = (file, text) => writeFileSync(join(collection, file), text);
  write("bruno.json", '{"version":"1","name":"suite","type":"collection"}');
  for (const [at, { name: title, url, status, key, value }] of requests.entries()) {
    write(
      `${title}.bru`,
      `meta {\n  name: ${title}\n  type: http\n  seq: ${at + 1}\n}\n\n` +
        `get {\n  url: ${url}\n  body: none\n  auth: none\n}\n\n` +
        `headers {\n  Accept: application/json\n}\n\n` +
        `assert {\n  res.status: eq ${status}\n  res.body.${key}: eq ${value}\n}\n`,
    );
  }
  return collection;
}
