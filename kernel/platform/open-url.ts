import process from "node:process";

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
