import { parseArgs } from "node:util";
import type { InstallOptions, Scope } from "../jupyter/mod.ts";
import { oneOf } from "./session-options.ts";

/** A parsed command for Jupyter. */
export type JupyterCommand =
  | { readonly kind: "kernel"; readonly connectionFile: string }
  | { readonly kind: "install"; readonly options: InstallOptions }
  | { readonly kind: "uninstall"; readonly options: InstallOptions };

const RUNTIMES = ["node", "deno", "bun"] as const;

/** Parses the arguments of `restlab kernel`, which Jupyter runs. */
export function parseKernel(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({
    args: [...words],
    options: { "connection-file": { type: "string", short: "f" } },
  });
  const connectionFile = values["connection-file"];
  if (connectionFile === undefined) {
    throw new Error(
      'No connection file is given: Jupyter starts kernels itself, after "restlab install"',
    );
  }
  return { kind: "kernel", connectionFile };
}

/** Parses the arguments of `restlab install`. */
export function parseInstall(words: readonly string[]): JupyterCommand {
  const options = { ...OPTIONS, force: { type: "boolean" } } as const;
  const { values } = parseArgs({ args: [...words], options });
  return { kind: "install", options: { ...toOptions(values), force: values.force ?? false } };
}

/** Parses the arguments of `restlab uninstall`. */
export function parseUninstall(words: readonly string[]): JupyterCommand {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  return { kind: "uninstall", options: toOptions(values) };
}

const OPTIONS = {
  user: { type: "boolean" },
  "sys-prefix": { type: "boolean" },
  prefix: { type: "string" },
  name: { type: "string" },
  "display-name": { type: "string" },
  runtime: { type: "string" },
} as const;

type Values = Parameters<typeof toScope>[0] & {
  readonly name?: string | undefined;
  readonly "display-name"?: string | undefined;
  readonly runtime?: string | undefined;
};

function toOptions(values: Values): InstallOptions {
  const runtime = RUNTIMES.find((name) => name === values.runtime);
  if (values.runtime !== undefined && runtime === undefined) {
    throw new Error(`--runtime "${values.runtime}" is not a runtime: write ${RUNTIMES.join(", ")}`);
  }
  return {
    scope: toScope(values),
    ...(runtime === undefined ? {} : { runtime }),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(values["display-name"] === undefined ? {} : { displayName: values["display-name"] }),
  };
}

function toScope(values: {
  readonly user?: boolean | undefined;
  readonly "sys-prefix"?: boolean | undefined;
  readonly prefix?: string | undefined;
}): Scope {
  const given = oneOf(["user", "sys-prefix", "prefix"], values);
  if (values.prefix === "") throw new Error('--prefix "" is not a folder: write --prefix DIR');
  if (values.prefix !== undefined) return { kind: "prefix", directory: values.prefix };
  return { kind: given === "sys-prefix" ? "sys-prefix" : "user" };
}
