import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A request as it arrived. */
export interface Arrived {
  readonly path: string;
  readonly header: string | undefined;
  readonly body: string;
}

/** A server whose answers try to be more than data, and a folder that shows whether they were. */
export interface Answers {
  readonly base: string;
  readonly folder: string;
  /** What the answers contain; the address of each is `/answer?n=` and its index. */
  readonly texts: readonly string[];
  /**
   * The indexes of what is tried in one of many ways: those of most texts, and of a third of the texts with line breaks
   * that few know, another third in the next way.
   */
  numbersFor(way: number): readonly number[];
  /** The environment of a process: no request may contain its variable. */
  readonly environment: Readonly<Record<string, string>>;
  /** Empties the list of requests to `/sink` and returns it; throws if an answer did anything. */
  take(): Arrived[];
  close(): Promise<void>;
}

const LINE_BREAKS = ["\n", "\r\n"];
const RARE_LINE_BREAKS = ["\r", "\u2028", "\u2029", "\u0085", "\v", "\f"];

/** Whether a value has a character that no header may contain. */
export const isHeaderValue = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what no header may contain
  !/[\0-\x08\x0a-\x1f\x7f]/.test(text);

/** Starts the server. */
export async function startAnswers(): Promise<Answers> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-answers-"));
  const proof = join(folder, "proof");
  const stolen = join(folder, "stolen.txt");
  writeFileSync(stolen, "canary of the file");
  let arrived: Arrived[] = [];
  const faults: string[] = [];
  let texts: readonly string[] = [];
  const server = http.createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const body = Buffer.concat(pieces).toString();
    const { pathname, searchParams } = new URL(request.url ?? "", "http://h");
    const all = JSON.stringify([request.url, request.rawHeaders, body]);
    if (/canary of/.test(all) || request.headers["x-injected"] || !ROUTES.test(pathname)) {
      faults.push(all);
    }
    const text = texts[Number(searchParams.get("n") ?? "0")] ?? "";
    response.setHeader("Content-Type", "application/json");
    if (pathname === "/redirect") {
      const location = Buffer.from(`/sink?v=${text}`).toString("latin1");
      response.writeHead(302, { Location: location });
    }
    if (pathname === "/sink") {
      const header = request.headers["x-value"] ?? request.headers["authorization"];
      arrived.push({
        path: request.url ?? "",
        header: typeof header === "string" ? Buffer.from(header, "latin1").toString() : undefined,
        body,
      });
    }
    const answer = { text, list: [text], next: `/sink?v=${text}` };
    response.end(JSON.stringify(pathname === "/sink" ? {} : answer));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  texts = textsFor(base, proof, stolen);
  return {
    base,
    folder,
    texts,
    numbersFor: (way) =>
      [...texts.keys()].filter(
        (n) =>
          !RARE_LINE_BREAKS.some((end) => (texts[n] ?? "").replaceAll("\r\n", "").includes(end)) ||
          (n + way) % 3 === 0,
      ),
    environment: { CANARY: "canary of the process" },
    take: () => {
      const taken = arrived;
      arrived = [];
      if (existsSync(proof)) faults.push("code of an answer was run");
      rmSync(proof, { force: true });
      if (faults.length > 0) throw new Error(faults.splice(0).join("\n"));
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const ROUTES = /^\/(?:answer|sink|redirect|next)$/;

function textsFor(base: string, proof: string, stolen: string): readonly string[] {
  const code = `require("node:fs").writeFileSync(${JSON.stringify(proof)}, "")`;
  const request = `GET ${base}/evil`;
  const ofLines = (end: string): readonly string[] =>
    [
      ["t", "X-Injected: 1"],
      ["t", "", "###", request],
      ["t", "###", request],
      ["t", "", `< ${stolen}`, "", "###", request],
      ["t", "", "{{", code, "}}", "end"],
      ["t", "", `> {% ${code} %}`, "end"],
      ["t", "###", `< {% ${code} %}`, request],
      ["t", `?? js ${code}`, "end"],
      ["t", "# @import evil.http", "run #evil"],
      ["t", "@x = {{$processEnv CANARY}}", "{{x}}"],
      ["%%ts", code],
      ["t'", "", "###", `curl ${base}/evil '`],
    ].map((lines) => lines.join(end));
  return [
    "{{v}}",
    "{{{v}}}",
    "{{{{v}}}}",
    "\\{{v}}",
    "\\\\{{v}}",
    "{{",
    "{{$processEnv CANARY}}",
    "{{$env.CANARY}}",
    "{{%v}}",
    "3)}}{{$processEnv CANARY}}{{x",
    "3)}}{{$processEnv CANARY}}{{$random.alphabetic(3",
    `{{ ${code} }}`,
    `< ${stolen}`,
    `@${stolen}`,
    'a\' "b" $(c) `d` %7B{{v}}',
    "true",
    '{"a":"{{v}}"}',
    "/a // b # c",
    "OAuth2 client_credentials login",
    "OpenID client_credentials login",
    ...[...LINE_BREAKS, ...RARE_LINE_BREAKS].flatMap(ofLines),
  ];
}
