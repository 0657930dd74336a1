import { type Exchange, jupyterDisplay } from "../../lib/exchange/mod.ts";
import { parseJson } from "../../lib/json/mod.ts";

/** Fields, not methods. */
type Methods =
  | typeof jupyterDisplay
  | "toString"
  | "toJSON"
  | "orThrow"
  | "toCurl"
  | "toFetch"
  | "toHttp";
type Replaced = Partial<Omit<Exchange, Methods>>;

/** An answer as the client would hand it out, with some of it replaced. */
export function sampleExchange(
  body: string | Uint8Array,
  mediaType = "application/json",
  replaced: Replaced = {},
): Exchange {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const sample: Exchange = {
    request: {
      method: "GET",
      url: "http://127.0.0.1:8787/users?limit=2",
      writtenUrl: "http://127.0.0.1:8787/users?limit=2",
      headers: [["accept", "application/json"]],
      added: [],
      body: undefined,
    },
    url: "http://127.0.0.1:8787/users?limit=2",
    secrets: [],
    notes: [],
    assertions: [],
    orThrow: () => sample,
    toCurl: () => "",
    toFetch: () => "",
    toHttp: () => "",
    toJSON: () => ({}),
    [jupyterDisplay]: () => ({ "text/plain": "" }),
    status: 200,
    statusText: "OK",
    statusClass: "Successful",
    ok: true,
    headers: new Headers({ "content-type": mediaType }),
    mediaType,
    bytes,
    text: typeof body === "string" ? body : new TextDecoder().decode(bytes),
    json: undefined,
    timing: { startedAt: new Date(0), headers: 12, total: 12 },
    sizes: { request: { headers: 0, body: 0 }, response: { headers: 0, body: bytes.length } },
    redirects: [],
    hops: [],
    warnings: [],
    cut: false,
    ...replaced,
  };
  if ("json" in replaced || typeof body !== "string") return sample;
  return Object.defineProperty(sample, "json", { get: () => parseJson(body) });
}

/** An answer whose body was parsed already, whatever its text. */
export function parsedExchange(json: unknown, replaced: Replaced = {}): Exchange {
  return sampleExchange("…", "application/json", { ...replaced, json });
}

/** All that a status can be. */
export const STATUS_CLASSES: readonly Exchange["statusClass"][] = [
  "Informational",
  "Successful",
  "Redirection",
  "Client error",
  "Server error",
  "Unassigned",
];
