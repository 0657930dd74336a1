import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platform } from "../../kernel/platform/library.ts";
import { createClient } from "../../lib/mod.ts";
import { hasTools } from "../support/require.ts";

const run = promisify(execFile);

const line = (...fields: readonly (string | number)[]): string => `${fields.join("\t")}\n`;
const HOST = "127.0.0.1";

const FILE = [
  "# Netscape HTTP Cookie File\n\n# a comment\n",
  line(HOST, "FALSE", "/", "FALSE", 0, "a", "1"),
  line(HOST, "FALSE", "/", "FALSE", 0, "empty", ""),
  line(HOST, "FALSE", "/", "FALSE", 0, "less"),
  line(`#HttpOnly_${HOST}`, "FALSE", "/", "FALSE", 99_999_999_999, "later", "v=w x"),
  line(HOST, "FALSE", "/q", "FALSE", 0, "q", "1"),
  line(HOST, "FALSE", "/", "FALSE", 5, "old", "1"),
  line("other.test", "FALSE", "/", "FALSE", 0, "other", "1"),
  line(".other.test", "TRUE", "/", "TRUE", 4_000_000_000, "all", "1"),
].join("");

describe.skipIf(!hasTools("curl"))("files of cookies", () => {
  const folder = mkdtempSync(join(tmpdir(), "restlab-cookies-"));
  const received: string[] = [];
  const server = http.createServer((request, response) => {
    received.push((request.headers.cookie ?? "").split("; ").sort().join("; "));
    if (request.url === "/end") {
      response.writeHead(302, { location: "/", "Set-Cookie": "a=; Max-Age=0" });
    }
    if (request.url === "/hop") response.writeHead(302, { location: "/set" });
    if (request.url === "/set") {
      response.setHeader("Set-Cookie", [
        "sid=hush; HttpOnly",
        "p=2; Path=/x; Expires=Fri, 01 Jan 2100 00:00:00 GMT",
        "a=3",
        "s=a b; Secure",
      ]);
    }
    response.end("ok");
  });
  let base = "";
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
    base = `http://${HOST}:${(server.address() as AddressInfo).port}`;
    writeFileSync(join(folder, "in.txt"), FILE);
    writeFileSync(join(folder, "more.txt"), line(HOST, "FALSE", "/", "FALSE", 0, "more", "2"));
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true });
  });

  async function sent(send: () => Promise<unknown>): Promise<readonly string[]> {
    received.length = 0;
    await send();
    return [...received];
  }

  /** The cookies of a file, which curl writes in another order. */
  function cookiesOf(path: string): readonly string[] | undefined {
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(/^# Netscape HTTP Cookie File\n/);
    return text
      .split("\n")
      .filter((it) => it !== "" && !it.startsWith("# "))
      .sort();
  }

  test.each([
    "-b DIR/in.txt URL",
    "-b DIR/in.txt URL/q/r",
    "-b DIR/in.txt -b DIR/more.txt -b z=9 URL",
    "-b DIR/in.txt -b '' URL",
    "-b '' URL",
    "-c DIR/out URL/set",
    "-b DIR/in.txt -c DIR/out URL/set",
    "-L -b DIR/in.txt -c DIR/out URL/hop",
    "-b DIR/out -c DIR/out URL/set",
    "-c DIR/out URL",
  ])("curl %s sends and saves what curl does", async (written) => {
    const out = join(folder, "out");
    const command = (to: string): string =>
      `curl ${written.replaceAll("DIR/out", to).replaceAll("DIR", folder).replace("URL", base)}`;
    const own = `${out}-own`;
    for (const path of [out, own]) rmSync(path, { force: true });
    const byCurl = await sent(() => run("bash", ["-c", command(out)]));
    const client = createClient(platform);
    expect(await sent(() => client.send(command(own)))).toEqual(byCurl);
    expect(cookiesOf(own)).toEqual(cookiesOf(out));
  });

  test("what one command has saved is read by the next one, also by curl", async () => {
    const path = join(folder, "login.txt");
    await createClient(platform).send(`curl -c ${path} ${base}/set`);
    const next = await sent(() => createClient(platform).send(`curl -b ${path} ${base}`));
    expect(next).toEqual(["a=3; s=a b; sid=hush"]);
    expect(await sent(() => run("curl", ["-b", path, base]))).toEqual(["a=3; s=a b; sid=hush"]);
  });

  test("the cookies of a file belong to one request, and come before those of the client", async () => {
    const client = createClient(platform);
    await client.cookies.set(base, "a=client");
    await client.cookies.set(base, "own=1");
    const path = join(folder, "more.txt");
    expect(await sent(() => client.send(`curl -b ${folder}/in.txt ${base}`))).toEqual([
      "a=1; empty=; later=v=w x; less=; own=1",
    ]);
    expect(await sent(() => client.send(`# @cookie-file ${path}\nGET ${base}`))).toEqual([
      "a=client; more=2; own=1",
    ]);
    expect(await sent(() => client.send(`GET ${base}`))).toEqual(["a=client; own=1"]);
    const removed = `curl -H Cookie: -b ${path} ${base}`;
    expect(await sent(() => client.send(removed))).toEqual([""]);
    const ended = await sent(() => client.send(`curl -L -b ${folder}/in.txt ${base}/end`));
    expect(ended[1]).toBe("empty=; later=v=w x; less=; own=1");
  });

  test.each([
    ["-b DIR/none.txt URL", /^Cannot read the cookies from ".*none\.txt": /],
    ["-b DIR/bad.txt URL", /line 2 is not seven fields/],
    ["-c DIR URL", /^Cannot save the cookies to "/],
    ["-b - URL", /Cookies are read from files/],
    ["-c '{{name}}' URL", /cannot contain a placeholder/],
  ])("curl %s is refused", async (written, message) => {
    writeFileSync(join(folder, "bad.txt"), "# a\nhush hush\n");
    const command = `curl ${written.replace("DIR", folder).replace("URL", base)}`;
    await expect(createClient(platform).send(command)).rejects.toThrow(message);
  });
});
