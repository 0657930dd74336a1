import { decodePercent } from "../../lib/fetch/mod.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

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

/** `example.com` and `.example.com` include subdomains; an entry may have a port; `*` is every host. */
function isExcluded({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const ownPort = port || (protocol === "https:" ? "443" : "80");
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === "") return false;
    if (entry === "*") return true;
    // Several colons without brackets are an IPv6 address without a port.
    const [, name = entry.toLowerCase(), wantedPort] =
      /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
    if (wantedPort !== undefined && wantedPort !== ownPort) return false;
    const domain = name.replace(/^\*?\./, "").replace(/^\[|\]$/g, "");
    return host === domain || host.endsWith(`.${domain}`);
  });
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
