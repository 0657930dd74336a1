import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Waits on loopback for a browser to come back from a login. */
export interface RedirectListener {
  /** Where it listens. */
  readonly redirectUri: string;
  /** The URL that the browser came back to. */
  wait(signal: AbortSignal): Promise<URL>;
  /** Stops listening. */
  close(): Promise<void>;
}

const DONE = "restlab received the login. You can close this page.";
const NOT_OURS =
  "This is not the login that restlab is waiting for: continue on its page, or start again.";

/**
 * Listens for the browser (RFC 8252, 7.3).
 *
 * @param redirectUri Where the server of logins was told that we listen; any free port of
 * 127.0.0.1 where it is left out or names no port.
 * @param state What the answer brings back. One with another state, of a page that was left open or of
 * a stranger, is answered with an error, and waited on.
 * @throws {TypeError} It is no address of this machine, or not one of http.
 */
export async function listenForRedirect(
  redirectUri?: string,
  state?: string,
): Promise<RedirectListener> {
  const wanted = parseRedirectUri(redirectUri ?? "http://127.0.0.1:0/");
  // Loaded here: a run that logs nobody in does not wait for it.
  const { createServer } = await import("node:http");
  let arrive: (url: URL) => void = () => undefined;
  const arrived = new Promise<URL>((resolve) => {
    arrive = resolve;
  });
  const server = createServer((request, response) => {
    const target = request.url ?? "/";
    const url = URL.canParse(target, base) ? new URL(target, base) : base;
    // A page elsewhere can have its name lead here (DNS rebinding), but its requests hold that name.
    if (request.headers.host?.toLowerCase() !== base.host || url.host !== base.host) {
      return send(response, 421, "");
    }
    const isAnswer = url.searchParams.has("code") || url.searchParams.has("error");
    if (url.pathname !== wanted.pathname || !isAnswer) return send(response, 404, "");
    if (state !== undefined && url.searchParams.get("state") !== state) {
      return send(response, 400, NOT_OURS);
    }
    send(response, 200, DONE);
    arrive(url);
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
        arrived.then((url) => {
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
