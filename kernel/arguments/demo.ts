import { parseArgs } from "node:util";

/** `restlab demo`. */
export interface DemoCommand {
  readonly kind: "demo";
  readonly port: number;
  readonly host: string;
}

/** Parses the arguments of `restlab demo`. */
export function parseDemo(words: readonly string[]): DemoCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { port: { type: "string", short: "p" }, host: { type: "string" } },
  });
  const { port = "8787", host = "127.0.0.1" } = values;
  if (!/^\d+$/.test(port) || Number(port) > 65535) {
    throw new Error(`--port "${port}" is not a port: give a number from 0 (a free one) to 65535`);
  }
  // Node listens on all addresses if the host is empty.
  if (host === "") throw new Error('--host "" is not an address: give one, such as 127.0.0.1');
  return { kind: "demo", port: Number(port), host };
}
