import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// Deno may call the server in the context of a cell that has ended, where global timers do not fire.
import { clearTimeout, setInterval, setTimeout } from "node:timers";

/** Milliseconds to wait for a request. */
const PATIENCE = 90_000;

/** What cells that never end by themselves begin with: `NEXT()` sends a request. */
const HEAD =
  "const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));\n" +
  'const NEXT = () => client.send("GET URL");\n';

const CELLS: Readonly<Record<string, string>> = {
  loop: "while (true) { await NEXT(); await pause(20); }",
  "caught loop": "while (true) { try { await NEXT(); await pause(20); } catch {} }",
  "loop whose catch waits":
    "while (true) try { await NEXT(); await pause(20); } catch { await pause(20); }",
  "loop with finally":
    "while (true) { try { await NEXT(); } catch {} finally { await pause(20); continue; } }",
  "loop that waits by node:timers/promises":
    'import { setTimeout as wait } from "node:timers/promises";\n' +
    "while (true) { try { await NEXT(); await wait(20); } catch {} }",
  "interval of node:timers/promises":
    'import timers from "node:timers/promises";\n' +
    "while (true) { try { for await (const _ of timers.setInterval(20)) await NEXT(); } catch {} }",
  "promisified timer":
    'import { promisify } from "node:util";\nconst wait = promisify(setTimeout);\n' +
    "while (true) { try { await NEXT(); await wait(20); } catch {} }",
  interval: "setInterval(() => NEXT(), 20); await new Promise(() => {})",
  "interval of node:timers":
    'import * as timers from "node:timers";\n' +
    "timers.setInterval(() => NEXT(), 20); await new Promise(() => {})",
  "interval of globalThis":
    "globalThis.setInterval(() => NEXT().catch(() => 0), 20); await new Promise(() => {})",
  "function called by a timer":
    "const tick = () => { NEXT(); setTimeout(tick, 20); }; tick(); await new Promise(() => {})",
  "function called by setImmediate":
    "const tick = () => { NEXT().then(() => setImmediate(tick), tick); }; tick(); await new Promise(() => {})",
  "async function that calls itself":
    "const again = async (): Promise<void> => { await NEXT(); await pause(20); return again(); }; await again()",
  "async function that catches and calls itself":
    "async function again(): Promise<void> { try { await NEXT(); await pause(20); } catch {} return again(); }\nawait again()",
  "chain of promises":
    "const next = (): Promise<unknown> => NEXT().then(() => pause(20)).then(next, next); await next()",
  "for await over a stream":
    'while (true) { try { for await (const _ of client.stream("GET URL?stream")) await NEXT(); } catch {} }',
  "Promise.all of many sends":
    "await Promise.all(Array.from({ length: 500 }, async (_, n) => { await pause(n * 10); await NEXT(); }))",
  "Promise.allSettled of many sends":
    "await Promise.allSettled(Array.from({ length: 500 }, async (_, n) => { try { await pause(n * 10); } finally { await NEXT(); } }))",
  "client.all, again and again":
    'while (true) { try { await client.all(Array(500).fill("GET URL"), { concurrency: 1 }); } catch {} }',
  paginate:
    'while (true) { try { for await (const _ of client.paginate("GET URL?page=1", "link", { maxPages: 1e9 })) await pause(10); } catch {} }',
  download:
    'while (true) { try { await client.download("GET URL", "saved", { replace: true }); } catch {} }',
  generator:
    "function* sends() { while (true) yield NEXT(); }\n" +
    "for (const sent of sends()) { try { await sent; await pause(20); } catch {} }",
  "generator that is driven by hand":
    "function* sends(): Generator<Promise<void>, never> { while (true) { try { yield NEXT().then(() => pause(20)); } catch {} } }\n" +
    "const all = sends(); const step = () => { all.next().value.then(step, step); }; step(); await new Promise(() => {})",
  "async generator":
    "async function* sends() { while (true) { try { yield await NEXT(); await pause(20); } catch {} } }\n" +
    "for await (const _ of sends());",
  "async generator that awaits nothing itself":
    "async function* sends() { while (true) { try { yield NEXT(); } catch {} } }\n" +
    "const all = sends(); while (true) { try { await all.next(); await pause(20); } catch {} }",
  "fetch of the runtime":
    'while (true) { try { await (await fetch("URL")).text(); await pause(20); } catch {} }',
  "token after token":
    "const auth = { type: 'oauth2', grant: 'client_credentials', clientId: 'a', clientSecret: 'b', tokenEndpoint: 'URL' } as const;\n" +
    "while (true) { try { client.clearTokens(); await client.send({ url: 'URL', auth }); await pause(20); } catch {} }",
};

/** Cells that send until they are ended, by name; their requests go to the server's path of that name. */
export function endlessCells(base: string): readonly (readonly [path: string, code: string])[] {
  return Object.entries(CELLS).map(([name, code]) => {
    const path = `/${name.replaceAll(/\W+/g, "-")}`;
    const [, imports = "", rest = ""] = /^((?:import .*\n)*)([\s\S]*)$/.exec(code) ?? [];
    // Names of their own, so that cells may come one after the other.
    return [path, `${imports}{\n${HEAD}${rest}\n}`.replaceAll("URL", base + path)];
  });
}

/** A server that counts what comes, by path. */
export interface CountingServer {
  readonly base: string;
  count(path: string): number;
  /** Resolves when so many requests have come to a path, or fails with how many have. */
  seen(path: string, count: number): Promise<void>;
  close(): void;
}

export async function startCountingServer(): Promise<CountingServer> {
  const counts = new Map<string, number>();
  const count = (path: string): number => counts.get(path) ?? 0;
  let waiting: (() => void)[] = [];
  const server = createServer((request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? "/", "http://localhost");
    counts.set(pathname, count(pathname) + 1);
    for (const look of waiting) look();
    response.on("error", () => undefined);
    if (search === "?stream") {
      response.writeHead(200, { "content-type": "application/jsonl" });
      const timer = setInterval(() => response.write("{}\n"), 10);
      response.on("close", () => clearInterval(timer));
      return;
    }
    const next = `<${pathname}?page=${Number(searchParams.get("page")) + 1}>; rel="next"`;
    response.writeHead(200, { "content-type": "application/json", link: next });
    response.end('{"access_token":"a-token-of-the-test","token_type":"Bearer","items":[]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    count,
    seen: (path, least) =>
      new Promise((resolve, reject) => {
        const limit = setTimeout(
          () => reject(new Error(`${path} received ${count(path)} of ${least} requests`)),
          PATIENCE,
        );
        const look = (): void => {
          if (count(path) < least) return;
          clearTimeout(limit);
          waiting = waiting.filter((it) => it !== look);
          resolve();
        };
        waiting.push(look);
        look();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The paths that something still comes to within two seconds, but for what had left before. */
export async function rest(server: CountingServer, paths: readonly string[]): Promise<string[]> {
  const pause = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, milliseconds));
  await pause(50);
  const before = paths.map((path) => server.count(path));
  await pause(2000);
  return paths.filter((path, index) => server.count(path) !== before[index]);
}
