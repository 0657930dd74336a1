import { describe, expect, test } from "vitest";
import { type Client, createClient } from "../../kernel/library.ts";
import type { Fault, Faulty } from "../../lib/interpolation/mod.ts";
import { withRawServer } from "../http/transport/raw-server.ts";
import { BODIES } from "./sent/bodies.ts";
import { DIALECTS } from "./sent/dialects.ts";
import { GRAPHQL } from "./sent/graphql.ts";
import { HEADERS } from "./sent/headers.ts";
import { MULTIPART } from "./sent/multipart.ts";
import type { SentCase } from "./sent/sent-case.ts";
import { URLS } from "./sent/urls.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/** Sends a text and returns the bytes that the server received, one character each. */
async function received(text: string, send: (text: string) => Promise<void>): Promise<string> {
  let bytes = "";
  await withRawServer(
    (socket, piece) => {
      bytes += piece;
      const [head = "", body] = bytes.split(/\r\n\r\n(.*)/s);
      const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
      if (body !== undefined && body.length >= length) socket.end(ANSWER);
    },
    async ({ url }) => await send(text.replaceAll("{{server}}", url.origin)),
  );
  return bytes;
}

/** What a check says about a text, and what a send says of it; positions are of the check alone. */
const withoutPlaces = (message: string): string =>
  message.replace(/ at line \d+, column \d+(?=:)| \(line \d+, column \d+\)/g, "");

const toText = ({ message, hint }: Pick<Fault, "message" | "hint">): string =>
  hint === undefined ? message : `${message}. ${hint}`;

async function checkAndSend({ text, values = {}, files = {} }: SentCase): Promise<{
  readonly bytes: string;
  readonly checked: readonly string[];
  readonly sent: readonly string[];
  readonly isRefused: boolean;
}> {
  const openFile = async (path: string): Promise<Blob> => new Blob([files[path] ?? ""]);
  const readFile = async (path: string): Promise<Uint8Array> => Buffer.from(files[path] ?? "");
  const client: Client = createClient({
    openFile,
    readFile,
    now: () => new Date("2024-01-31T23:05:09.042Z"),
    processEnv: { CASE_VALUE: "x & y" },
    ask: () => Promise.resolve("Ada & co"),
  });
  for (const [name, value] of Object.entries(values)) client.setVar(name, value);
  let checked: readonly string[] = [];
  let sent: readonly string[] = [];
  let isRefused = false;
  const bytes = await received(text, async (complete) => {
    const { faults } = await client.prepare(complete);
    checked = faults.map(toText);
    try {
      sent = (await client.sendAll(complete)).flatMap(({ warnings }) => warnings);
    } catch (error) {
      isRefused = true;
      const { message, faults: found = [{ message }] } = error as Error & Partial<Faulty>;
      sent = found.map(toText);
    }
  });
  return { bytes, isRefused, checked: checked.map(withoutPlaces), sent: sent.map(withoutPlaces) };
}

describe.each(Object.entries({ BODIES, DIALECTS, GRAPHQL, HEADERS, MULTIPART, URLS }))(
  "what goes out: %s",
  (_name, cases) => {
    test.each(cases.map((one) => [one.text, one] as const))("%j", async (_text, one) => {
      const { bytes, checked, sent, isRefused } = await checkAndSend(one);
      // One list of remarks: a check and a send say the same.
      expect(sent).toEqual(checked);
      expect(checked).toEqual((one.says ?? []).map((text) => expect.stringContaining(text)));
      expect(isRefused).toBe(one.sends === undefined);
      if (one.sends === undefined) expect(bytes).toBe("");
      else for (const part of [one.sends].flat()) expect(bytes).toContain(part);
    });
  },
);
