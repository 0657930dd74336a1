import type { CurlConnection } from "./command.ts";
import type { Effect } from "./effect.ts";
import type { ConnectionState } from "./state.ts";

/** The options for proxy and certificates. */
export const CONNECTION_EFFECTS: Readonly<Record<string, Effect>> = {
  insecure: ({ connection }) => {
    connection.insecure = true;
  },
  proxy: plain(({ connection }, value, word, report) => {
    if (/^socks/i.test(value)) {
      report(word.span, `The proxy "${value}" is not an HTTP proxy`, "Use an HTTP proxy");
    }
    connection.proxy = value === "" ? false : withPort(value);
  }),
  "proxy-user": plain(({ connection }, value) => {
    connection.proxyUser = value;
  }),
  noproxy: plain(({ connection }, value) => {
    connection.noProxy = value;
  }),
  cacert: plain(({ connection }, value) => {
    connection.ca = value;
  }),
  cert: plain(({ connection }, value) => {
    // `file:passphrase`; a colon in the file name is escaped, except after a drive letter.
    const [, file = value, passphrase] =
      /^((?:[A-Za-z]:(?=[\\/]))?(?:\\:|[^:])*)(?::(.*))?$/s.exec(value) ?? [];
    connection.cert = file.replaceAll("\\:", ":");
    if (passphrase !== undefined) connection.passphrase = passphrase;
  }),
  key: plain(({ connection }, value) => {
    connection.key = value;
  }),
  pass: plain(({ connection }, value) => {
    connection.passphrase = value;
  }),
  "cert-type": onlyPem,
  "key-type": onlyPem,
};

/** Refuses placeholders, since the option is needed before they are rendered. */
function plain(effect: Effect): Effect {
  return (state, value, word, report) => {
    if (/\{\{\s*[\p{L}_$%]/u.test(value)) {
      const hint = "Use the option of the client instead: client.extend({ connection: … })";
      report(word.span, `"${value}" cannot contain a placeholder`, hint);
    } else effect(state, value, word, report);
  };
}

function onlyPem(...[, value, word, report]: Parameters<Effect>): void {
  if (value.toUpperCase() === "PEM") return;
  report(word.span, `Certificates of the type "${value}" are not supported`, "Convert it to PEM");
}

/** The defaults of curl: an HTTP proxy, and port 1080. */
function withPort(value: string): string {
  const [, scheme = "http", authority = "", rest = ""] =
    /^(?:([a-z][a-z\d+.-]*):\/\/)?([^/]*)([\s\S]*)$/i.exec(value) ?? [];
  const hasPort = /:\d+$/.test(authority.replace(/^.*@/, ""));
  const port = hasPort ? "" : scheme.toLowerCase() === "https" ? ":443" : ":1080";
  return `${scheme}://${authority}${port}${rest}`;
}

/** The connection options of a command; `undefined` without any. */
export function connectionOf(state: ConnectionState): CurlConnection | undefined {
  const { proxy, proxyUser, noProxy, ca, insecure, cert, key = cert, passphrase } = state;
  const connection: CurlConnection = {
    ...(proxy === undefined ? {} : { proxy: withUser(proxy, proxyUser) }),
    ...(noProxy === undefined ? {} : { noProxy }),
    ...(ca === undefined ? {} : { ca }),
    ...(insecure === undefined ? {} : { insecure }),
    ...(cert === undefined || key === undefined
      ? {}
      : { clientCertificate: { cert, key, ...(passphrase === undefined ? {} : { passphrase }) } }),
  };
  return Object.keys(connection).length === 0 ? undefined : connection;
}

function withUser(proxy: string | false, user: string | undefined): string | false {
  if (proxy === false || user === undefined) return proxy;
  const colon = user.includes(":") ? user.indexOf(":") : user.length;
  const pair = [user.slice(0, colon), user.slice(colon + 1)].map(encodeURIComponent).join(":");
  return proxy.replace("://", `://${pair}@`);
}
