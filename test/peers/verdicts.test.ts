import { spawn } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { restlab } from "../support/command.ts";
import { endWithTests } from "../support/processes.ts";
import { hasTools, TOOLS } from "../support/require.ts";
import { ASSERTIONS, DIFFERENCES } from "./assertion-table.ts";

const FILES = join(import.meta.dirname, "verdicts");

const USER = {
  id: 7,
  name: "Ada",
  digits: "42",
  score: 1.5,
  dotted: "10.2.0",
  day: "2026-01-31",
  zero: 0,
  empty: "",
  admin: true,
  gone: false,
  nothing: null,
  tags: ["math", "logic"],
  nested: { list: [{ a: 1 }, { a: 2 }] },
};

/** Requests in which the number of results differs on purpose; that they fail does not. */
const OTHER_COUNTS: ReadonlyMap<string, string> = new Map([
  [
    "A handler that fails outside of a test",
    "httpYac reports the assertion and the error that it throws, restlab the error",
  ],
]);

interface Verdict {
  readonly name: string;
  /** Whether each assertion or test has passed. */
  readonly results: readonly boolean[];
}

/** Runs httpYac and restlab on the same files, and compares which requests, assertions and tests pass. */
describe.skipIf(!hasTools("httpyac"))("the verdicts of restlab test are those of httpYac", () => {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? "", "http://localhost");
    const isText = pathname === "/text";
    response.setHeader("content-type", isText ? "text/plain" : "application/json");
    if (pathname === "/missing") response.statusCode = 404;
    if (pathname === "/user") response.setHeader("x-count", "3");
    if (pathname === "/headers") response.setHeader("x-multi", ["a", "b"]).setHeader("x-one", "1");
    const cookies = { "/headers": ["a=1", "b=2"], "/cookie": ["a=1"] }[pathname];
    if (cookies !== undefined) response.setHeader("set-cookie", cookies);
    if (isText) response.end("hello");
    else if (pathname === "/user") response.end(JSON.stringify(USER));
    else if (pathname === "/missing") response.end('{"error": "gone"}');
    else if (request.method === "POST") request.pipe(response);
    else response.end(JSON.stringify({ query: search.slice(1) }));
  });
  let base = "";

  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    base = `base=http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
  });

  test("for each predicate and field", async () => {
    const listed = Object.entries(ASSERTIONS).flatMap(([path, texts]) =>
      texts.map((text) => ({ text, request: `GET {{base}}${path}\n\n?? ${text}\n` })),
    );
    const requests = listed.map(({ request }, at) => `### ${at}\n${request}`).join("\n");
    const [theirs, ours] = await inTemporaryFolder(async (folder) => {
      const file = join(folder, "assertions.http");
      writeFileSync(file, `@wanted = Ada\n\n${requests}`);
      return await Promise.all([ofHttpYac(file, base), ofRestlab(file, base)]);
    });
    expect(ours.length).toBe(listed.length);
    expect(theirs.length).toBe(listed.length);
    const different = listed.filter((_, at) => {
      const [own, other] = [ours[at]?.results, theirs[at]?.results];
      expect(own?.length).toBe(1);
      return own?.[0] !== other?.[0];
    });
    const unexplained = different.filter(({ text }) => !DIFFERENCES.some(([it]) => it.test(text)));
    expect(unexplained.map(({ text }) => text)).toEqual([]);
    const unused = DIFFERENCES.filter(([it]) => !different.some(({ text }) => it.test(text)));
    expect(unused).toEqual([]);
  });

  test.each(readdirSync(FILES))("for the requests of %s", async (name) => {
    const file = join(FILES, name);
    const [theirs, ours] = await Promise.all([ofHttpYac(file, base), ofRestlab(file, base)]);
    expect(theirs.length).toBeGreaterThan(0);
    expect(ours.map(toCompared)).toEqual(theirs.map(toCompared));
  });
});

function toCompared({ name, results }: Verdict): readonly boolean[] {
  return OTHER_COUNTS.has(name) ? [results.every(Boolean)] : results;
}

/** The verdicts of httpYac, without requests that are not sent. */
async function ofHttpYac(file: string, base: string): Promise<readonly Verdict[]> {
  const args = ["send", "--all", "--json", "-o", "none", "--var", base, "--", basename(file)];
  // It ends without waiting for a pipe to take all of its output, and reads only files below its folder.
  const output = await inTemporaryFolder(async (folder) => {
    const path = join(folder, "output.json");
    const stdout = openSync(path, "w");
    const stdio = ["ignore", stdout, "ignore"] as const;
    const child = endWithTests(
      spawn(process.execPath, [TOOLS.httpyac, ...args], { cwd: dirname(file), stdio: [...stdio] }),
    );
    closeSync(stdout);
    await new Promise((done) => child.on("close", done));
    return readFileSync(path, "utf8");
  });
  // What scripts print stands before it.
  const { requests } = JSON.parse(output.slice(output.search(/^\{$/m))) as {
    requests: { name: string; testResults?: { status: string }[] }[];
  };
  return requests
    .map(({ name, testResults = [] }) => ({ name, statuses: testResults.map((it) => it.status) }))
    .filter(({ statuses }) => !statuses.includes("SKIPPED"))
    .map(({ name, statuses }) => ({ name, results: statuses.map((it) => it === "SUCCESS") }));
}

async function ofRestlab(file: string, base: string): Promise<readonly Verdict[]> {
  return await inTemporaryFolder(async (folder) => {
    const report = join(folder, "report.json");
    await restlab("node", ["test", file, "--var", base, "--report", `json=${report}`]);
    const { results } = JSON.parse(readFileSync(report, "utf8")) as {
      results: {
        tests: { name: string; status: string; extra: { assertions: { passed: boolean }[] } }[];
      };
    };
    // httpYac does not report what is disabled.
    const sent = results.tests.filter(({ status }) => status !== "skipped");
    return sent.map(({ name, extra }) => ({
      name,
      results: extra.assertions.map(({ passed }) => passed),
    }));
  });
}

async function inTemporaryFolder<T>(run: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-verdicts-"));
  try {
    return await run(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
