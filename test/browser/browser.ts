import { createServer, type Server } from "node:net";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Page,
  type Route,
} from "playwright-core";

/** Chromium, watched: what runs, what is requested and what connects is written down. */
export interface WatchedBrowser {
  /** Opens a page of the origin that `serve` answers; everything else is refused and written down. */
  open(serve: Serve, options?: PageOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** Answers the requests that belong to the page itself; `undefined` where one does not. */
export type Serve = (url: URL) => Answer | "pass" | undefined;

export interface Answer {
  readonly contentType: string;
  readonly body: string | Buffer;
}

export interface PageOptions {
  readonly colorScheme?: "light" | "dark";
  readonly width?: number;
  readonly scripts?: boolean;
}

export interface WatchedPage {
  readonly page: Page;
  /** Scripts that called `pwned` or opened a dialog, requests and connections that no one asked for. */
  readonly incidents: string[];
  close(): Promise<void>;
}

export const FLAGS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Starts Chromium; the host `evil.test` leads to a trap that notes even a bare connection. */
export async function startBrowser(): Promise<WatchedBrowser> {
  const connections: string[] = [];
  const trap = await startTrap(() => connections.push("a connection to evil.test"));
  const address = trap.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [...FLAGS, `--host-resolver-rules=MAP evil.test:80 127.0.0.1:${port}`],
  });
  return {
    open: (serve, options = {}) => openPage(browser, serve, options, connections),
    close: async () => {
      await browser.close();
      trap.close();
    },
  };
}

function startTrap(onConnection: () => void): Promise<Server> {
  const trap = createServer((socket) => {
    onConnection();
    socket.destroy();
  });
  return new Promise((resolve) => trap.listen(0, "127.0.0.1", () => resolve(trap)));
}

async function openPage(
  browser: Browser,
  serve: Serve,
  options: PageOptions,
  connections: string[],
): Promise<WatchedPage> {
  const context = await browser.newContext({
    colorScheme: options.colorScheme ?? "light",
    javaScriptEnabled: options.scripts ?? true,
    viewport: { width: options.width ?? 900, height: 700 },
    acceptDownloads: false,
  });
  const incidents: string[] = connections;
  incidents.length = 0;
  await context.addInitScript(watchScripts);
  await context.route("**/*", (route) => answer(route, serve, incidents));
  watch(context, incidents);
  const page = await context.newPage();
  // A busy machine takes its time for a page with dozens of frames.
  page.setDefaultTimeout(120_000);
  return { page, incidents, close: () => context.close() };
}

/** Runs in every frame before anything else: what a payload calls is said on the console. */
function watchScripts(): void {
  const report = (name: string) => (): void => console.info(`PWNED ${name}`);
  for (const name of ["pwned", "alert", "confirm", "prompt", "print"]) {
    Object.defineProperty(window, name, { value: report(name) });
  }
}

function watch(context: BrowserContext, incidents: string[]): void {
  context.on("console", (message) => {
    if (message.text().startsWith("PWNED")) incidents.push(message.text());
  });
  context.on("dialog", (dialog) => {
    incidents.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (page) => {
    page.on("framenavigated", (frame) => {
      if (frame.parentFrame() !== null && !/^(?:about:(?:blank|srcdoc))?$/.test(frame.url()))
        incidents.push(`a frame went to ${frame.url()}`);
    });
    page.on("popup", () => incidents.push("a window was opened"));
    page.on("download", (download) => incidents.push(`a download of ${download.url()}`));
  });
}

async function answer(route: Route, serve: Serve, incidents: string[]): Promise<void> {
  const url = new URL(route.request().url());
  const found = serve(url);
  if (found === "pass") return route.continue();
  if (found !== undefined) return route.fulfill({ ...found, status: 200 });
  // The icon of a tab is asked for by the browser, not by the page.
  if (url.pathname !== "/favicon.ico") incidents.push(`a request for ${url.href.slice(0, 200)}`);
  return route.abort();
}

/** A port that nothing listens on. */
export function freePort(): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

/** Does what a curious reader does: opens what is folded, points at things, puts the focus on them. */
export async function poke(page: Page, within = "body"): Promise<void> {
  await page.evaluate(async (area) => {
    for (const details of document.querySelectorAll("details")) details.open = true;
    for (const element of document.querySelectorAll<HTMLElement>(`${area} *`)) {
      // Without scripts, nothing but an attribute can listen.
      for (const { name } of element.attributes) {
        if (/^on/i.test(name)) element.dispatchEvent(new Event(name.slice(2), { bubbles: true }));
      }
      // The display writes summaries itself, and the focus costs a layout each time.
      if (element.tabIndex >= 0 && element.tagName !== "SUMMARY") element.focus();
      // A viewer may make links of addresses, broken ones among them; what matters is that none is a script.
      const isScript =
        element instanceof HTMLAnchorElement && !/^(?:https?)?:$/.test(element.protocol);
      if (isScript && !element.download) element.click();
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }, within);
}
