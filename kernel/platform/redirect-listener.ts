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

const PAGE = `<!doctype html><meta charset="utf-8"><title>restlab</title>
<p style="font: 1.2em system-ui; margin: 3em">restlab has the answer of the login. You can close this page.`;

/**
 * Listens for the browser (RFC 8252, 7.3).
 *
 * @param redirectUri Where the server of logins was told that we listen; any free port of
 * 127.0.0.1 where it is left out or names no port.
 * @throws {TypeError} It is no address of this machine.
 */
export async function listenForRedirect(redirectUri?: string): Promise<RedirectListener> {
  const wanted = new URL(redirectUri ?? "http://127.0.0.1:0/");
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(wanted.hostname)) {
    throw new TypeError(
      `Cannot listen for a login at "${wanted.href}": only addresses of this machine are listened at`,
    );
  }
  // Loaded here: a run that logs nobody in does not wait for it.
  const { createServer } = await import("node:http");
  let arrive: (url: URL) => void = () => undefined;
  const arrived = new Promise<URL>((resolve) => {
    arrive = resolve;
  });
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", base);
    const isAnswer = url.searchParams.has("code") || url.searchParams.has("error");
    if (url.pathname !== wanted.pathname || !isAnswer) return send(response, 404, "");
    send(response, 200, PAGE);
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

function send(response: ServerResponse, status: number, page: string): void {
  response.writeHead(status, { "content-type": "text/html", connection: "close" }).end(page);
}
