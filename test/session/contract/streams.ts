import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { WebSocketServer } from "ws";
import type { Outcome, OutputSink, Shown } from "../../../kernel/session/cell/mod.ts";
import { explore } from "../../support/explore.ts";
import type { Contract, Lab } from "./lab.ts";
import { pause, until } from "./lab.ts";

/** What a front end that can replace and print has got to see. */
interface Screen extends OutputSink {
  /** What stands there by id, and everything that stood there before. */
  readonly places: Map<string, Shown[]>;
  readonly displayed: Shown[];
  readonly arrived: string[];
}

function createScreen(): Screen {
  const places = new Map<string, Shown[]>();
  const displayed: Shown[] = [];
  const arrived: string[] = [];
  return {
    places,
    displayed,
    arrived,
    stream: () => undefined,
    display: (shown) => void displayed.push(shown),
    displayWithId: (shown, id = `place ${places.size + 1}`) => {
      places.set(id, [shown]);
      return id;
    },
    update: (id, shown) => void places.get(id)?.push(shown),
    streamItem: (text) => void arrived.push(text),
  };
}

/** Sends pieces with pauses between them; without an end where `hang` is told. */
async function withPieces(
  type: string,
  pieces: readonly string[],
  options: { readonly hang?: boolean; readonly length?: boolean },
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer(async (_request, response) => {
    const length = Buffer.byteLength(pieces.join(""));
    response.writeHead(200, {
      "content-type": type,
      ...(options.length ? { "content-length": length } : {}),
    });
    for (const piece of pieces) {
      response.write(piece);
      await pause(200);
    }
    if (!options.hang) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/stream`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const plain = (shown: Shown | undefined): string => String(shown?.bundle()["text/plain"]);

async function runOn(lab: Lab, screen: OutputSink, code: string): Promise<Outcome> {
  return await lab.session.execute(code, screen);
}

export const streams: Contract = {
  "a stream is shown in place while it arrives, and then its response": async (lab) => {
    const pieces = Array.from({ length: 6 }, (_, n) => `id: ${n}\ndata: {"n":${n}}\n\n`);
    await withPieces("text/event-stream", pieces, {}, async (url) => {
      const screen = createScreen();
      assert.deepEqual(await runOn(lab, screen, `GET ${url}`), { status: "ok" });
      const [all = []] = screen.places.values();
      // A busy machine takes so long to connect that the place shows the waiting first.
      const shown = all.filter((one) => !/\nwaiting \d+ s of/.test(plain(one)));
      assert.ok(shown.length >= 2, "it was shown, and changed");
      assert.match(plain(shown[0]), /in progress/);
      assert.match(plain(shown[0]), /\d events?/);
      assert.equal(shown.at(-1)?.value, lab.session.client.last);
      assert.match(plain(shown.at(-1)), /6 events/);
      assert.equal(screen.displayed.length, 0);
      assert.equal(screen.arrived.join(""), pieces.map((_, n) => `message: {"n":${n}}\n`).join(""));
    });
  },
  "an interrupt stops a stream, and what has arrived is the result": async (lab) => {
    await withPieces(
      "application/x-ndjson",
      ['{"a":1}\n', '{"a":2}\n'],
      { hang: true },
      async (url) => {
        const screen = createScreen();
        const running = runOn(lab, screen, `GET ${url}`);
        await until(() => screen.arrived.length > 1);
        lab.session.interrupt();
        assert.equal((await running).status, "ok");
        const { last } = lab.session.client;
        assert.equal(last.text, '{"a":1}\n{"a":2}\n');
        assert.equal(last.cut, true);
        assert.match(last.warnings.join(), /^The response was stopped \(.*\) after 16 bytes/);
      },
    );
  },
  "a stream that was stopped shows its lines once at a terminal": async (lab) => {
    await withPieces("text/event-stream", ["data: first\n\n"], { hang: true }, async (url) => {
      const { displayWithId: _place, update: _update, ...screen } = createScreen();
      const running = runOn(lab, screen, `GET ${url}`);
      await until(() => screen.arrived.length > 0);
      lab.session.interrupt();
      const outcome = await running;
      assert.ok(outcome.status === "ok" && outcome.result !== undefined);
      assert.deepEqual(screen.arrived, ["message: first\n"]);
      const text = plain(outcome.result);
      assert.match(text, /^200 OK[\s\S]*\nWarning: The response was stopped/);
      assert.doesNotMatch(text, /first|1 event/);
      assert.equal(outcome.result.value, lab.session.client.last);
    });
  },
  "a body that ended early shows what came, and its error names no property": async (lab) => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": 100 });
      response.write("the beginning", () => setTimeout(() => response.destroy(), 50));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const { outcome, bundles } = await lab.run(`GET http://127.0.0.1:${port}/`);
    assert.ok(outcome.status === "error");
    assert.doesNotMatch(outcome.error.message, /propert/);
    // Bun's fetch loses what came.
    if ("Bun" in globalThis) return void server.close();
    const [text = ""] = bundles().map((bundle) => bundle["text/plain"]);
    assert.match(text, /^200 OK[\s\S]*content-length: 100[\s\S]*the beginning[\s\S]*Warning: /i);
    server.close();
  },
  "an interrupt of a stream does not start the next request": async (lab) => {
    await withPieces("text/event-stream", ["data: 1\n\n"], { hang: true }, async (url) => {
      const screen = createScreen();
      const running = runOn(lab, screen, `GET ${url}\n\n###\nGET ${lab.base}/next`);
      await until(() => screen.arrived.length > 0);
      lab.session.interrupt();
      const outcome = await running;
      assert.ok(outcome.status === "error");
      assert.equal(outcome.error.name, "InterruptedError");
      assert.equal(lab.session.client.history.length, 1);
    });
  },
  "a long transfer shows its progress and first rows, a short one does not": async (lab) => {
    const rows = Array.from({ length: 5 }, (_, n) => `{"id":${n},"name":"user ${n}"}`);
    const pieces = [`[${rows[0]},`, `${rows[1]},`, `${rows[2]},`, `${rows[3]},`, `${rows[4]}]`];
    await withPieces("application/json", pieces, { length: true }, async (url) => {
      const screen = createScreen();
      await runOn(lab, screen, `GET ${url}`);
      const [shown = []] = screen.places.values();
      assert.match(plain(shown[0]), /\d+ bytes of 1\d\d bytes \(\d+ %\)/);
      assert.match(plain(shown[0]), /user 0/);
      assert.equal(shown.at(-1)?.value, lab.session.client.last);
    });
    const short = createScreen();
    const outcome = await runOn(lab, short, `GET ${lab.base}/one`);
    assert.equal(short.places.size, 0);
    assert.equal(outcome.status === "ok" && outcome.result?.value, lab.session.client.last);
  },
  "the first rows of a large listing are shown before the rest has arrived, and all of it in the end":
    async (lab) => {
      const rows = Array.from({ length: 60_000 }, (_, id) => ({
        id,
        name: `user ${id}`,
        at: id / 7,
      }));
      const body = Buffer.from(JSON.stringify(rows));
      const screen = createScreen();
      const shown = (): string => plain([...screen.places.values()].flat().at(-1));
      const server = createServer(async (_request, response) => {
        const head = { "content-type": "application/json", "content-length": body.length };
        response.writeHead(200, head);
        response.write(body.subarray(0, body.length / 2));
        // Not before its first rows are seen does the rest come.
        await until(() => /user 3\b/.test(shown()));
        response.end(body.subarray(body.length / 2));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      try {
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const outcome = await runOn(lab, screen, `GET ${url}/listing`);
        assert.ok(outcome.status === "ok");
        assert.match(shown(), /50 of 60,000 rows shown/);
        const [place = []] = screen.places.values();
        assert.match(plain(place[0]), /in progress.*[\s\S]*30 of [\d,]+ rows shown/);
        const { last } = lab.session.client;
        assert.equal(Buffer.compare(last.bytes, body), 0);
        assert.deepEqual(last.json, rows);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  "no secret is shown of a stream": async (lab) => {
    const pieces = ["data: hush-hush-77\n\n", "data: x\n\n", "data: y\n\n", "data: z\n\n"];
    await withPieces("text/event-stream", pieces, {}, async (url) => {
      lab.session.client.setVar("token", "hush-hush-77", { secret: true });
      const screen = createScreen();
      await runOn(lab, screen, `GET ${url}?t={{token}}`);
      const all = [...screen.places.values()].flat().map((shown) => JSON.stringify(shown.bundle()));
      assert.ok(all.length >= 2);
      assert.doesNotMatch([...all, ...screen.arrived].join("\n"), /hush-hush/);
      assert.match(screen.arrived[0] ?? "", /\{\{token\}\}/);
    });
  },
  "a curl command is a request cell": async ({ base, ok, fail }) => {
    const { value } = await ok(`curl ${base}/curled -X PUT -H 'X-A: 1'`);
    const { json } = value as { json: { method: string; path: string } };
    assert.deepEqual([json.method, json.path], ["PUT", "/curled"]);
    const { name, trace } = await fail(`curl ${base} --nosuch`);
    assert.equal(name, "RequestSyntaxError");
    assert.match(trace, /Unknown curl option "--nosuch"/);
  },
  "a response is saved beside the notebook, under a free name or in place": async (lab) => {
    const { base, directory, ok, fail } = lab;
    await ok(`GET ${base}/a\n\n>> out.json`);
    await ok(`GET ${base}/b\n\n>> out.json`);
    await ok(`GET ${base}/c\n\n>>! out.json`);
    const pathIn = (file: string): string =>
      JSON.parse(readFileSync(join(directory, file), "utf8")).path;
    assert.deepEqual([pathIn("out.json"), pathIn("out-1.json")], ["/c", "/b"]);
    assert.match(
      (await fail(`GET ${base}/a\n\n>> no/such/folder.json`)).message,
      /^Cannot save the body to "no\/such\/folder.json": /,
    );
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.endsWith(".part")),
      [],
    );
  },
  "a WebSocket is a request cell": async (lab) => {
    const server = createServer();
    const sockets = new WebSocketServer({ server });
    sockets.on("connection", (peer) => peer.on("message", (data) => peer.send(`${data}!`)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const screen = createScreen();
      const text = `WEBSOCKET ${url}\n\none\n=== wait-for-server\n{"n": 2}`;
      const outcome = await runOn(lab, screen, text);
      assert.ok(outcome.status === "ok", JSON.stringify(outcome));
      const { json } = lab.session.client.last;
      assert.deepEqual(
        explore(json).map(({ message }: { message: unknown }) => message),
        ["one", "one!", { n: 2 }, '{"n": 2}!'],
      );
      assert.equal(screen.arrived.length, 4);
      assert.match(plain([...screen.places.values()].flat().at(-1)), /one!/);
    } finally {
      sockets.close();
      server.closeAllConnections();
      server.close();
    }
  },
  "many requests show a progress bar, and return one table": async (lab) => {
    await withPieces("text/plain", ["a", "b", "c"], {}, async (url) => {
      const screen = createScreen();
      const code = `await client.all(Array.from({ length: 3 }, () => "GET ${url}"), { concurrency: 1 })`;
      const outcome = await runOn(lab, screen, code);
      assert.ok(outcome.status === "ok");
      const [bars = []] = screen.places.values();
      assert.match(plain(bars.at(-1)), /^\[#+\] 3 of 3 requests, /);
      assert.match(plain(outcome.result), /^3 requests: 3 ok/);
    });
  },
};
