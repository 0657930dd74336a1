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
  const port = Number(values.port ?? "8787");
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new Error(
      `--port "${values.port}" is not a port: give a number from 0 (a free one) to 65535`,
    );
  }
  return { kind: "demo", port, host: values.host ?? "127.0.0.1" };
}
