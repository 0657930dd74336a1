import { BlockList, isIP } from "node:net";
import process from "node:process";
import { decodePercent } from "../../lib/fetch/mod.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** What proxies are named by, in lower and upper case. */
const NAMES = ["http_proxy", "https_proxy", "all_proxy", "no_proxy"].flatMap((name) => [
  name,
  name.toUpperCase(),
]);

interface Permissions {
  querySync(descriptor: { readonly name: "env"; readonly variable: string }): {
    readonly state: string;
  };
}

/** The variables of the process that name proxies; on Deno those that may be read without asking a person. */
export function permittedEnvironment(): Environment {
  const { Deno } = globalThis as { readonly Deno?: { readonly permissions: Permissions } };
  if (Deno === undefined) return process.env;
  const isGranted = (variable: string): boolean =>
    Deno.permissions.querySync({ name: "env", variable }).state === "granted";
  return Object.fromEntries(NAMES.filter(isGranted).map((name) => [name, process.env[name]]));
}

/** The proxy for a URL; variables in lower case take precedence, as in curl. */
export function proxyOf(
  url: URL,
  { proxy, noProxy }: { readonly proxy?: string | false; readonly noProxy?: string },
  environment: Environment,
): string | undefined {
  if (proxy === false) return undefined;
  const excluded = noProxy ?? find(environment, "no_proxy");
  const found =
    proxy ??
    find(environment, url.protocol === "https:" ? "https_proxy" : "http_proxy") ??
    find(environment, "all_proxy");
  if (found === undefined || isExcluded(url, excluded ?? "")) return undefined;
  return found.includes("://") ? found : `http://${found}`;
}

function find(environment: Environment, name: string): string | undefined {
  return environment[name] || environment[name.toUpperCase()] || undefined;
}

/**
 * `example.com` and `.example.com` include subdomains, `10.0.0.0/8` the addresses of a network, `127.*` what begins so;
 * an entry may have a port; `*` is every host.
 */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    if (entry.includes("/")) return isInNetwork(host, entry);
    // Several colons without brackets are an IPv6 address without a port.
    const [, name = entry.toLowerCase(), wantedPort] =
      /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (wantedPort !== undefined && wantedPort !== ownPort) return false;
    if (/\*/.test(name.slice(1))) return matches(host, name);
    const domain = name.replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
}

/** Whether a host fits a pattern such as `127.*`. */
function matches(host: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[^\w-]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(host);
}

/** Whether a host is an address of a network in CIDR notation; an IPv4 address may be written as one of IPv6. */
function isInNetwork(host: string, written: string): boolean {
  const [, network = "", prefix] = /^\[?([\da-f.:]+)\]?\/(\d{1,3})$/i.exec(written) ?? [];
  const family = isIP(network);
  const own = isIP(host);
  const isComparable = own === family || (own === 6 && host.startsWith("::ffff:"));
  const bits = Number(prefix);
  if (family === 0 || !isComparable || bits > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(network, bits, family === 4 ? "ipv4" : "ipv6");
  return list.check(host, own === 4 ? "ipv4" : "ipv6");
}

/** The address of a proxy without its credentials, and these decoded. */
export function parseProxy(proxy: string): {
  readonly url: URL;
  readonly username: string;
  readonly password: string;
  /** The value of Proxy-Authorization, if there are credentials. */
  readonly authorization: string | undefined;
} {
  const url = new URL(proxy);
  const username = decodePercent(url.username);
  const password = decodePercent(url.password);
  url.username = "";
  url.password = "";
  const pair = Buffer.from(`${username}:${password}`).toString("base64");
  return { url, username, password, authorization: username === "" ? undefined : `Basic ${pair}` };
}
