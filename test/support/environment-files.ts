import { type Client, type ClientOptions, createClient } from "../../lib/mod.ts";

/** The texts of files by their paths. */
export type Files = Readonly<Record<string, string>>;

export const FILE = "/repo/http-client.env.json";
export const PRIVATE = "/repo/http-client.private.env.json";

/** The environment `dev` of a file. */
export function dev(variables: object, shared: object = {}): Files {
  return { [FILE]: JSON.stringify({ $shared: shared, dev: variables }) };
}

/** A client in the folder `/repo/api/`, below `/repo/`, with the variable `base`. */
export function clientIn(files: Files, base: string, options: ClientOptions = {}): Client {
  const lab = createClient({
    environmentFolder: ["/repo/api", "/repo"],
    readFile: async (path) => {
      const text = files[path];
      if (text !== undefined) return new TextEncoder().encode(text);
      throw Object.assign(new Error("absent"), { code: "ENOENT" });
    },
    ...options,
  });
  lab.setVar("base", base);
  return lab;
}
