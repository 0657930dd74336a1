import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import type { RedirectListener } from "../../lib/mod.ts";

const DONE = "restlab received the login. You can close this page.";
const WRONG_STATE =
  "This is not the login that restlab is waiting for: continue on its page, or start again.";

/**
 * Listens for the redirect of a login (RFC 8252, 7.3).
 *
 * @param redirectUri The redirect URI that is registered; without a port, or by default, a free port of
 * 127.0.0.1 is used.
 * @param state The state of the login. A redirect with another state, from an old page or an attacker, gets
 * an error, and the listener keeps waiting.
 * @throws {TypeError} The URI is not an http address of this machine.
 */
export async function listenForRedirect(
  redirectUri?: string,
  state?: string,
): Promise<RedirectListener> {
  const wanted = parseRedirectUri(redirectUri ?? "http://127.0.0.1:0/");
  // Loaded late: most runs have no login.
  const { createServer } = await import("node:http");
  let receive: (url: URL) => void = () => undefined;
  const redirect = new Promise<URL>((resolve) => {
    receive = resolve;
  });
  const server = createServer((request, response) => {
    const target = request.url ?? "/";
    const url = URL.canParse(target, base) ? new URL(target, base) : base;
    // DNS rebinding: the host name of another page may resolve to loopback, but its requests have that name.
    if (request.headers.host?.toLowerCase() !== base.host || url.host !== base.host) {
      return send(response, 421, "");
    }
    const isRedirect = url.searchParams.has("code") || url.searchParams.has("error");
    if (url.pathname !== wanted.pathname || !isRedirect) return send(response, 404, "");
    if (state !== undefined && url.searchParams.get("state") !== state) {
      return send(response, 400, WRONG_STATE);
    }
    send(response, 200, DONE);
    receive(url);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    const host = wanted.hostname.replace(/^\[|\]$/g, "");
    server.listen(Number(wanted.port || 0), host, resolve);
  });
  const base = new URL(wanted);
  base.port = String((server.address() as AddressInfo).port);
  return {
    redirectUri: base.href,
    wait: (signal) =>
      new Promise((resolve, reject) => {
        const stop = (): void => reject(signal.reason);
        if (signal.aborted) return stop();
        signal.addEventListener("abort", stop, { once: true });
        redirect.then((url) => {
          signal.removeEventListener("abort", stop);
          resolve(url);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parseRedirectUri(text: string): URL {
  const refuse = (reason: string): TypeError =>
    new TypeError(`Cannot listen for a login at "${text}": ${reason}`);
  if (!URL.canParse(text)) throw refuse("it is not a URL");
  const url = new URL(text);
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)) {
    throw refuse("only addresses of this machine are supported");
  }
  if (url.protocol === "http:") return url;
  throw refuse(`only http is supported there; register http://${url.host}${url.pathname} instead`);
}

function send(response: ServerResponse, status: number, text: string): void {
  const page =
    '<!doctype html><meta charset="utf-8"><title>restlab</title>\n' +
    `<p style="font: 1.2em system-ui; margin: 3em">${text}`;
  response.writeHead(status, { "content-type": "text/html", connection: "close" });
  response.end(text === "" ? "" : page);
}

/** The command that opens a URL in a browser, by operating system. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Tries to open a URL in a browser; does nothing without one. */
export async function openUrl(url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url)) return;
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const hasScreen =
    process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasScreen) return;
  // Loaded late: most runs need no browser.
  const { spawn } = await import("node:child_process");
  const browser = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  // The URL is shown as well, so a failure does not matter.
  browser.on("error", () => undefined);
  browser.unref();
}
