import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RUNTIMES } from "../support/command.ts";
import { endWithTests } from "../support/processes.ts";

const REQUESTS = 1_000;
const ANSWER = JSON.stringify({ text: "0123456789".repeat(10_000) });
/** MiB of the heap: the texts of all entries, 100 MB, do not fit into it. */
const HEAP = 80;

describe("a long recording", () => {
  const folder = mkdtempSync(join(tmpdir(), "restlab-har-memory-"));
  const server = http.createServer((_request, response) => {
    response.setHeader("Content-Type", "application/json").end(ANSWER);
  });
  let base = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const requests = Array.from({ length: REQUESTS }, (_, index) => `GET ${base}/${index}`);
    writeFileSync(join(folder, "many.http"), requests.join("\n\n###\n"));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("of 1,000 requests needs no more memory than one of few", async () => {
    const [program, ...before] = RUNTIMES.node;
    const args = [...before, "run", "--brief", "many.http", "--record", "many.har"];
    const env = { ...process.env, NODE_OPTIONS: `--max-old-space-size=${HEAP}` };
    const child = endWithTests(spawn(program, args, { cwd: folder, env, stdio: "ignore" }));
    expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
    const { log } = JSON.parse(readFileSync(join(folder, "many.har"), "utf8"));
    expect(log.entries).toHaveLength(REQUESTS);
    expect(log.entries.at(-1).response.content.text).toBe(ANSWER);
  }, 240_000);
});
