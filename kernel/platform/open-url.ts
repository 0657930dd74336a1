import process from "node:process";

/** What opens a URL in the person's browser, by operating system. */
const COMMANDS: Readonly<Record<string, readonly [command: string, ...args: string[]]>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
  linux: ["xdg-open"],
};

/** Tries to open a URL in the person's browser; where there is none, nothing happens. */
export async function openUrl(url: string): Promise<void> {
  if (!/^https?:\/\//i.test(url)) return;
  const [command, ...args] = COMMANDS[process.platform] ?? ["xdg-open"];
  const hasScreen =
    process.platform !== "linux" || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (!hasScreen) return;
  // Loaded here: a run that logs nobody in does not wait for it.
  const { spawn } = await import("node:child_process");
  const browser = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  // The URL is shown as well, so that nothing is lost where no browser starts.
  browser.on("error", () => undefined);
  browser.unref();
}
