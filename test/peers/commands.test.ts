import { execFile } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { isDeepStrictEqual, promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { platform } from "../../kernel/platform/library.ts";
import { quoteWord } from "../../lib/curl/mod.ts";
import { createClient } from "../../lib/mod.ts";
import { type Recorder, type Shown, show, startRecorder } from "../curl/received.ts";
import { hasTools } from "../support/require.ts";
import { SEED } from "./seed.ts";

const run = promisify(execFile);

/** A seeded generator: the same commands each time. */
function createRandom(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const some = <T>(most: number, make: () => T): T[] =>
    Array.from({ length: Math.floor(next() * (most + 1)) }, make);
  return { next, pick, some };
}

type Random = ReturnType<typeof createRandom>;

const TEXTS = [
  "1",
  "Ada",
  "a b",
  "x&y=z",
  "50%",
  "a+b",
  "é",
  "日本",
  'say "hi"',
  "it's",
  "a;b",
  "$HOME",
  "~",
  "back\\slash",
  "[x]",
  "{y}",
  "",
  "a,b",
  "#1",
  "@x",
];
const PLAIN = ["1", "Ada", "a b", "x&y=z", "50%", "a+b", 'say "hi"', "it's", "$HOME", "~", "[x]"];

const FILES: Readonly<Record<string, string>> = {
  "f.txt": "a=1\r\nb=2\n",
  "f.xml": "<a/>",
  "g.bin": "x\0y",
  "h.PNG": "y",
  "i.json": '{"a": [1]}\n',
  "j.html": "<p>",
  "com,ma.txt": "c",
};

const CURL_BODIES: readonly ((random: Random) => string[])[] = [
  () => [],
  () => [],
  ({ some, pick }) => ["-d", pick(["a=1", "x"]), ...some(2, () => ["-d", pick(PLAIN)]).flat()],
  ({ pick }) => ["-d", `@DIR/${pick(["f.txt", "i.json"])}`],
  ({ pick }) => ["--data-binary", `@DIR/${pick(Object.keys(FILES))}`],
  ({ pick }) => ["--data-raw", pick(TEXTS)],
  ({ pick }) => ["--data-urlencode", pick(["n=é x", "=a b", "a&b", "n@DIR/f.txt", "@DIR/g.bin"])],
  ({ pick }) => ["--json", pick(['{"a":1}', "[1, 2]", "@DIR/i.json"])],
  ({ some, pick }) => [
    "-F",
    "a=1",
    ...some(3, () => [
      "-F",
      pick([
        "b=@DIR/f.txt",
        "c=@DIR/h.PNG;type=a/b",
        "d=<DIR/f.xml",
        'e=@"DIR/com,ma.txt"',
        "f=x;type=text/y",
        "g=@DIR/j.html;filename=z.pdf",
      ]),
    ]).flat(),
  ],
  ({ pick }) => ["-F", pick(["a=é", "n=a b"]), "--form-string", "b=;type=x"],
  () => ["-T", "DIR/f.txt"],
  ({ pick }) => ["-G", "-d", pick(["a=1", "b=x"]), "--data-urlencode", pick(["n=é", "m=a b"])],
];

function curlCommand(random: Random): string[] {
  const { next, pick, some } = random;
  const path = pick(["/", "/p", "/p?a=1", "/p?", "/a%20b", "/a/./b", "/a/../b", ""]);
  const body = pick(CURL_BODIES)(random);
  // curl 7.88 sends either of both.
  const isQuery = body.includes("-G");
  const options = some(4, () =>
    pick([
      ["-H", `X-A: ${pick(["1", "a b", "a;b"])}`],
      ["-H", pick(["X-E;", "Accept:", "User-Agent:", "Accept: a/b", "Content-Type: text/x"])],
      ["-H", pick(["Cookie: h=1", "Cookie:", "Referer: r", "x-lower: 1"])],
      ["-b", pick(["c=1", "c=1; d=2"])],
      ["-A", pick(["me", ""])],
      ["-e", pick(["http://r.test/", "x;auto"])],
      ["-u", pick(["ada:pw", "ada:p:w", "é:ü"])],
      ["--oauth2-bearer", "token"],
      ["--compressed"],
      ...(isQuery ? [] : [["--url-query", pick(["q=a b", "q=é", "r"])]]),
    ]),
  ).flat();
  const method = next() < 0.2 ? ["-X", pick(["PUT", "PATCH", "DELETE", "QUERY", "POST"])] : [];
  return [`URL${path}`, ...options, ...method, ...body];
}

function httpieCommand(random: Random): string[] {
  const { next, pick, some } = random;
  const kind = pick(["", "", "", "--json", "--form", "--multipart", "--raw"]);
  const isJson = kind === "" || kind === "--json";
  const name = (): string => pick(["name", "a", "b-c", "x.y", "a\\:b", "c\\=d"]);
  const nested = (): string =>
    pick([
      "user[name]",
      "user[tags][]",
      "list[]",
      "list[1]",
      "m[0][x]",
      "e\\[x\\]",
      "user[\\1]",
      "b\\\\c",
    ]);
  const data = (): string => {
    const roll = next();
    if (isJson && roll < 0.25) return `${nested()}=${pick(TEXTS)}`;
    if (isJson && roll < 0.5)
      return `${next() < 0.5 ? name() : nested()}:=${pick(["1", "true", "null", '"x"', "[1, 2]", '{"k": "v"}', "1.5"])}`;
    if (roll < 0.6) return `${name()}=@DIR/f.xml`;
    if (kind === "--multipart" && roll < 0.8)
      return `${pick(["f", "g"])}@DIR/${pick(["f.txt", "h.PNG", "j.html", "i.json", "g.bin;type=a/b"])}`;
    return `${name()}=${pick(kind === "--multipart" ? PLAIN : TEXTS)}`;
  };
  const items = [
    ...some(2, () => `${pick(["q", "r s"])}==${pick(TEXTS)}`),
    ...some(2, () =>
      pick(["X-A:1", "X-B:a b", "X-E;", "Accept:a/b", "Accept:", "User-Agent:me", "Cookie:c=1"]),
    ),
    ...(kind === "--raw" ? [] : some(4, data)),
  ];
  const raw = kind === "--raw" ? ["--raw", pick(['{"a": 1}', "plain", "é"])] : [];
  const auth = next() < 0.15 ? ["-a", pick(["ada:pw", "ada:p:w"])] : [];
  const method = next() < 0.3 ? [pick(["PUT", "PATCH", "DELETE", "POST", "GET"])] : [];
  if (kind === "--multipart") items.push("last=1");
  const flags = kind === "" || kind === "--raw" ? [] : [kind];
  return [...flags, ...auth, ...raw, ...method, `URL${pick(["/p", "/p?a=1", "/"])}`, ...items];
}

/** JSON is compared as JSON: HTTPie escapes what is not ASCII. */
function comparable(shown: Shown): unknown {
  const { body = "", headers } = shown;
  if (!headers.some((header) => /^Content-Type: application\/json/.test(header))) return shown;
  try {
    return { ...shown, body: JSON.stringify(JSON.parse(Buffer.from(body, "latin1").toString())) };
  } catch {
    return shown;
  }
}

const COUNT = 150;

describe.skipIf(!hasTools("curl", "httpie"))(`random commands of the seed ${SEED}`, () => {
  let recorder: Recorder;
  beforeAll(async () => {
    recorder = await startRecorder(FILES);
  });
  afterAll(() => recorder.close());

  const fill = (words: readonly string[]): string[] =>
    words.map((word) => word.replace("URL", recorder.base).replaceAll("DIR", recorder.folder));
  const environment = () => ({
    env: { ...process.env, LC_ALL: "C.UTF-8", HOME: recorder.folder },
  });

  /** What the client sends for each command; why not, where it refuses. */
  async function byClient(program: string, commands: readonly string[][]): Promise<unknown[]> {
    const sent: unknown[] = [];
    for (const words of commands) {
      recorder.received.length = 0;
      const text = [program, ...words].map(quoteWord).join(" ");
      const failure = await createClient(platform)
        .send(text)
        .then(() => undefined, String);
      sent.push(failure ?? comparable(show(recorder.received[0])));
    }
    return sent;
  }

  function compare(commands: readonly string[][], ours: unknown[], theirs: unknown[]): void {
    const differences = commands.flatMap((words, index) => {
      const [own, other] = [ours[index], theirs[index]];
      if (isDeepStrictEqual(own, other)) return [];
      return [{ command: words.map(quoteWord).join(" "), ours: own, theirs: other }];
    });
    expect(differences).toEqual([]);
  }

  test("curl sends what it sends by itself", async () => {
    const random = createRandom(SEED);
    const commands = Array.from({ length: COUNT }, () => fill(curlCommand(random)));
    const theirs: unknown[] = [];
    for (const words of commands) {
      recorder.received.length = 0;
      await run("/usr/bin/curl", ["-s", "-g", ...words], environment());
      theirs.push(comparable(show(recorder.received[0])));
    }
    compare(commands, await byClient("curl", commands), theirs);
  });

  test("http sends what HTTPie sends by itself", async () => {
    const random = createRandom(SEED + 1);
    const commands = Array.from({ length: COUNT }, () => fill(httpieCommand(random)));
    recorder.received.length = 0;
    const program = join(import.meta.dirname, "run-httpie.py");
    const running = run("/usr/bin/python3", [program], environment());
    running.child.stdin?.end(JSON.stringify(commands));
    const { stdout } = await running;
    const requests = [...recorder.received];
    const statuses = stdout.trim().split("\n");
    const accepted = commands.filter((_, index) => statuses[index]?.startsWith("0 ") === true);
    expect(accepted.length, stdout).toBeGreaterThan(COUNT / 2);
    const theirs = requests.map((text) => comparable(show(text)));
    compare(accepted, await byClient("http", accepted), theirs);
  });
});
