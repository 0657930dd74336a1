import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restlab } from "../support/command.ts";
import { hasTools } from "../support/require.ts";

/** Runs a document whose variable `token` is a reference, and returns what the server received for it. */
async function sendWith(
  reference: string,
  env: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "restlab-installed-"));
  let received: string | undefined;
  const server = createServer((request, response) => {
    received = new URL(request.url ?? "", "http://h").searchParams.get("t") ?? undefined;
    response.end();
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    writeFileSync(join(folder, "a.http"), `@token = ${reference}\nGET ${base}/?t={{token}}`);
    const ended = await restlab("node", ["run", "a.http"], { cwd: folder, env });
    expect([ended.status, ended.stderr]).toEqual([0, "a.http: 1 cell run\n"]);
    return received;
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
}

test.runIf(hasTools("pass"))("pass, with a key of GnuPG that was made for it", async () => {
  const home = mkdtempSync(join(tmpdir(), "restlab-gpg-"));
  const env = { ...process.env, GNUPGHOME: home, PASSWORD_STORE_DIR: join(home, "store") };
  const run = (program: string, args: readonly string[], input = ""): void =>
    void execFileSync(program, args, { env, input, stdio: ["pipe", "ignore", "ignore"] });
  try {
    run("gpg", [
      "--batch",
      "--passphrase",
      "",
      "--quick-generate-key",
      "lab@localhost",
      "default",
      "default",
    ]);
    run("pass", ["init", "lab@localhost"]);
    run("pass", ["insert", "--multiline", "api/token"], "the-password-of-pass\nuser: ada\n");
    const { GNUPGHOME, PASSWORD_STORE_DIR } = env;
    const received = await sendWith("pass://api/token", { GNUPGHOME, PASSWORD_STORE_DIR });
    expect(received).toBe("the-password-of-pass");
  } finally {
    run("gpgconf", ["--kill", "all"]);
    rmSync(home, { recursive: true });
  }
});

test.runIf(hasTools("secret-tool"))(
  "secret-tool, with a keyring that was made for it",
  async () => {
    const home = mkdtempSync(join(tmpdir(), "restlab-keyring-"));
    const places = {
      HOME: home,
      XDG_DATA_HOME: join(home, "data"),
      XDG_RUNTIME_DIR: join(home, "run"),
    };
    mkdirSync(places.XDG_RUNTIME_DIR, { mode: 0o700 });
    const bus = spawn("dbus-daemon", ["--session", "--nofork", "--print-address"], {
      env: { ...process.env, ...places },
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const address = await new Promise<string>((resolve) =>
        bus.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString().trim())),
      );
      const env = { ...places, DBUS_SESSION_BUS_ADDRESS: address };
      const run = (program: string, args: readonly string[], input: string): void =>
        void execFileSync(program, args, {
          env: { ...process.env, ...env },
          input,
          stdio: ["pipe", "ignore", "ignore"],
        });
      run(
        "gnome-keyring-daemon",
        ["--unlock", "--components=secrets", "--daemonize"],
        "its password\n",
      );
      run(
        "secret-tool",
        ["store", "--label=lab", "service", "lab", "account", "ada"],
        "the-password-of-the-keyring",
      );
      expect(await sendWith("keychain://lab/ada", env)).toBe("the-password-of-the-keyring");
    } finally {
      bus.kill();
      rmSync(home, { recursive: true, force: true });
    }
  },
);
