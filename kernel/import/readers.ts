import { isRecord, memberOf } from "../../lib/interpolation/mod.ts";
import { startsAsRequest } from "../../lib/request/mod.ts";
import type { Collection, CollectionBuilder } from "./collection.ts";
import { isCopiedFetch, isCopiedPowerShell, readBrowserCopy } from "./read-browser-copy.ts";
import { isBruno, readBruno } from "./read-bruno.ts";
import { hasCurl, readCurlScript } from "./read-curl.ts";
import { isNotebook, readHttpFile, readNotebook } from "./read-documents.ts";
import { isHar, readHarSource } from "./read-har.ts";
import { isHurl, readHurl } from "./read-hurl.ts";
import { isInsomnia, readInsomnia } from "./read-insomnia.ts";
import { readOpenApi } from "./read-openapi.ts";
import { readPostman, readPostmanEnvironment } from "./read-postman.ts";
import { isPostmanFolder, readPostmanFolder } from "./read-postman-folder.ts";

/** A source as it was read. */
export interface Source {
  /** What messages call it. */
  readonly name: string;
  /** Empty for a folder, and for JSON, whose data says it all. */
  readonly text: string;
  /** The JSON or YAML of the text; `undefined` if it is neither. */
  readonly data: unknown;
  /** The texts of other files in its folder, by their paths in it. */
  readonly files: ReadonlyMap<string, string>;
}

/** Options of a reader. */
export interface ReadOptions {
  /** Whether to keep static files and repetitions of a HAR file. */
  readonly all?: boolean;
}

/** What a reader returns; variables, environments and remarks go to the builder. */
export type ReadContent = Pick<Collection, "name" | "description" | "items">;

/** Reads one format. A reader opens no files and no connections. */
export interface Reader {
  /** What `--from` calls it. */
  readonly kind: string;
  /** Whether a source is of this format. */
  readonly matches: (source: Source) => boolean;
  readonly read: (source: Source, builder: CollectionBuilder, options: ReadOptions) => ReadContent;
}

/** All formats; a source is of the first that matches it. */
export const READERS: readonly Reader[] = [
  {
    kind: "openapi",
    matches: ({ data }) => isRecord(data) && ("openapi" in data || "swagger" in data),
    read: readOpenApi,
  },
  {
    kind: "postman",
    matches: ({ data }) => {
      const collection = memberOf(data, "collection") ?? data;
      const isOld =
        Array.isArray(memberOf(data, "requests")) && memberOf(data, "order") !== undefined;
      return isOld || Array.isArray(memberOf(collection, "item"));
    },
    read: readPostman,
  },
  { kind: "postman", matches: isPostmanFolder, read: readPostmanFolder },
  {
    kind: "postman-environment",
    matches: ({ data }) =>
      Array.isArray(memberOf(data, "values")) && memberOf(data, "item") === undefined,
    read: readPostmanEnvironment,
  },
  { kind: "insomnia", matches: isInsomnia, read: readInsomnia },
  { kind: "bruno", matches: isBruno, read: readBruno },
  { kind: "har", matches: ({ data }) => isHar(data), read: readHarSource },
  { kind: "hurl", matches: isHurl, read: readHurl },
  { kind: "notebook", matches: isNotebook, read: readNotebook },
  { kind: "http", matches: ({ name }) => /\.(?:http|rest)$/i.test(name), read: readHttpFile },
  { kind: "fetch", matches: ({ text }) => isCopiedFetch(text), read: readBrowserCopy },
  { kind: "powershell", matches: ({ text }) => isCopiedPowerShell(text), read: readBrowserCopy },
  { kind: "curl", matches: ({ text }) => hasCurl(text), read: readCurlScript },
  {
    kind: "http",
    // The path of a description, in a file of its own, looks like a request.
    matches: ({ name, text }) => !/\.(?:json|ya?ml)$/i.test(name) && startsAsRequest(text),
    read: readHttpFile,
  },
];
