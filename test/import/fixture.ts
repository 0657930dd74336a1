import { CollectionBuilder, requestsOf } from "../../kernel/import/collection.ts";
import { parseData } from "../../kernel/import/read-data.ts";
import { READERS, type ReadOptions } from "../../kernel/import/readers.ts";
import { type ExistingText, type TargetKind, writeFiles } from "../../kernel/import/write-files.ts";
import { createConnect } from "../../kernel/platform/mod.ts";
import { createClient } from "../../lib/mod.ts";
import type { Received, Recorder } from "../support/recorder.ts";

export interface Source {
  readonly name?: string;
  readonly text: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** What an import makes of texts, without files. */
export interface Imported {
  /** The document, or the first of a folder. */
  readonly document: string;
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  readonly remarks: readonly string[];
  readonly missing: readonly string[];
  readonly requests: number;
}

interface ImportTextsOptions extends ReadOptions {
  readonly kind?: TargetKind;
  readonly existing?: ExistingText;
  /** Whether the document keeps the lines that later imports need. */
  readonly keepsMarks?: boolean;
}

/** Imports texts as the command does. */
export function importTexts(
  sources: readonly (Source | string)[],
  { kind = "http", existing, keepsMarks = false, ...options }: ImportTextsOptions = {},
): Imported {
  const builder = new CollectionBuilder();
  const read = sources.map((given) => {
    const {
      name = "source",
      text,
      files = {},
    } = typeof given === "string" ? { text: given } : given;
    const source = {
      name,
      text,
      data: parseData(text, name),
      files: new Map(Object.entries(files)),
    };
    const reader = READERS.find((one) => one.matches(source));
    if (reader === undefined) throw new Error("No reader knows the source");
    return reader.read(source, builder, options);
  });
  const items = read.flatMap((content) => content.items);
  const collection = builder.build({ ...read[0], name: read[0]?.name ?? "", items });
  const { files, remarks, missing } = writeFiles(collection, kind, `requests.${kind}`, existing);
  const contents = new Map(files.map(({ path, content }) => [path, Buffer.concat(content)]));
  const content = String(contents.get(files[0]?.path ?? ""));
  return {
    document: keepsMarks ? content : content.replaceAll(MARK, ""),
    files: contents,
    remarks: remarks.map((one) => `${one.kind} ${one.where}: ${one.message}`),
    missing,
    requests: [...requestsOf(items)].length,
  };
}

const MARK = /^# @source \S+ [0-9a-f]{8}\n/gm;

export const json = (value: unknown): string => JSON.stringify(value);

/** Sends all requests of an imported document, with its environment files, and returns what a server receives. */
export async function sendAll(
  { document, files }: Imported,
  recorder: Recorder,
  variables: Readonly<Record<string, string>> = {},
  environment?: string,
): Promise<readonly Received[]> {
  const client = createClient({
    connect: createConnect({}),
    readFile: async (path) => {
      const content = files.get(path.replace(/^\.\//, ""));
      if (content === undefined) throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return Buffer.from(content);
    },
  });
  await client.useEnv(environment);
  for (const [name, value] of Object.entries(variables)) client.setVar(name, value);
  recorder.take();
  await client.sendAll(document);
  return recorder.take();
}

const OF_FETCH =
  /^(?:host|connection|user-agent|accept-encoding|accept-language|content-length|sec-fetch-mode)$/i;

/** What matters of a received request: its line, some headers, its body. */
export function brief({ line, headers, body }: Received): string {
  const shown = Object.entries(headers).filter(([name]) => !OF_FETCH.test(name));
  return [
    line,
    ...shown.map(([name, value]) => `${name}: ${value}`),
    ...(body === "" ? [] : ["", body]),
  ].join("\n");
}
