import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A server that keeps what it receives, and a folder of files that commands may send. */
export interface Recorder {
  readonly base: string;
  readonly folder: string;
  /** The bytes of each request, as Latin-1. */
  readonly received: string[];
  close(): void;
}

export async function startRecorder(files: Readonly<Record<string, string>>): Promise<Recorder> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-commands-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const received: string[] = [];
  const server = createRawServer(received);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    folder,
    received,
    close() {
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function createRawServer(received: string[]): net.Server {
  return net.createServer((socket) => {
    let text = "";
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      text += bytes.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: *(\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
      if (/^expect: *100/im.test(text.slice(0, head)))
        socket.write("HTTP/1.1 100 Continue\r\n\r\n");
      if (head === -1 || text.length < head + 4 + length) return;
      received.push(text);
      text = "";
      socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
    });
  });
}

/** What each program adds, and what tells nothing. */
const OWN = /^(?:connection|content-length|expect|accept-language: \*$)/i;

/** A request in parts. */
export interface Shown {
  readonly line: string | undefined;
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

/** A request without what the programs have of their own: repeated names are one list (RFC 9110, 5.3). */
export function show(text: string | undefined): Shown {
  const boundary = /; boundary=([-\w]*)\r\n/.exec(text ?? "")?.[1];
  const plain = boundary === undefined ? text : text?.replaceAll(boundary, "BOUNDARY");
  const at = plain?.indexOf("\r\n\r\n") ?? 0;
  const [first, ...lines] = plain?.slice(0, at).split("\r\n") ?? [];
  // curl writes what it puts into a URL in lower case.
  const line = first?.replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
  const values = new Map<string, string[]>();
  for (const header of lines) {
    if (OWN.test(header)) continue;
    const [, name = "", value = ""] = /^([^:]*):(.*)$/.exec(header) ?? [];
    const shown = value
      .trim()
      .replace(/^(?:curl|restlab|HTTPie)\/[\d.]+$/, "program")
      .replace(/^(?:gzip, br|gzip, deflate|deflate, gzip, br, zstd)$/, "codings of the program");
    values.set(name, [...(values.get(name) ?? []), shown]);
  }
  const headers = Array.from(values, ([name, list]) => `${name}: ${list.join(", ")}`).sort();
  return { line, headers, body: plain?.slice(at + 4) };
}
