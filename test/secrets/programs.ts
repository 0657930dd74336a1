import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

/** A secret like no other text of a test. */
export const SECRET = 'Fetched5ecret/"é" of op';

/**
 * Answers like a program that keeps secrets, and writes down how it was called: `fail`, `empty` and the like in its
 * arguments say what else it does.
 */
const PROGRAM = `#!/bin/sh
{ printf '%s' "\${0##*/}"; for one; do printf '\\037%s' "$one"; done; printf '\\n'; } >> "$LAB_LOG"
{ env; printf 'input %s\\n' "$(wc -c)"; printf 'folder %s\\n' "$PWD"; } >> "$LAB_LOG.environment"
case "$*" in
  *signed-out*) printf '\\033[31m[ERROR]\\033[0m account is not signed in\\n' >&2; exit 6 ;;
  *locked*) echo 'Vault is locked.' >&2; exit 1 ;;
  *missing*) echo 'working' >&2; echo '"missing" isn'"'"'t an item' >&2; exit 1 ;;
  *silent*) exit 3 ;;
  *hang*) exec sleep 100 ;;
  *slow*) sleep 3 ;;
  *empty*) exit 0 ;;
  *newline*) echo; exit 0 ;;
  *huge*) head -c 1048576 /dev/zero | tr '\\0' x; exit 0 ;;
  *nul*) printf 'a\\0b'; exit 0 ;;
  *binary*) printf '\\377\\376'; exit 0 ;;
  *member*) printf '%s\\n' '{"password": "the member of it", "other": 1}'; exit 0 ;;
  *lines*) printf 'first line of it\\nuser: ada\\n'; exit 0 ;;
  *two-breaks*) printf 'a secret with a break\\n\\n'; exit 0 ;;
  *short*) echo ab; exit 0 ;;
esac
cat "$LAB_LOG.answer"
`;

/** A folder with documents, programs first on the PATH, and a server that keeps what it received. */
export class SecretLab {
  readonly folder: string = mkdtempSync(join(tmpdir(), "restlab-secrets-"));
  /** The targets and the headers of requests, as the server got them. */
  readonly received: {
    readonly target: string;
    readonly headers: Readonly<Record<string, unknown>>;
    readonly body: string;
  }[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.write("calls.answer", `${SECRET}\n`);
    for (const name of ["op", "bw", "vault", "aws", "az", "pass", "corp-vault"]) this.install(name);
  }

  static async open(): Promise<SecretLab> {
    let lab: SecretLab | undefined;
    const server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { url = "", headers } = request;
      lab?.received.push({ target: url, headers, body });
      response.setHeader("content-type", "application/json");
      const token =
        url === "/token" ? { access_token: "a-token-of-the-login", token_type: "Bearer" } : {};
      // A server that would like to have another secret.
      response.end(JSON.stringify({ ...token, wanted: "op://Private/other/secret", body }));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    lab = new SecretLab(server);
    return lab;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What the programs see of the process, and where they are found. */
  get environment(): Readonly<Record<string, string>> {
    return {
      HOME: join(this.folder, "home"),
      XDG_CONFIG_HOME: join(this.folder, "home/.config"),
      PATH: `${join(this.folder, "bin")}${delimiter}${process.env["PATH"]}`,
      LAB_LOG: this.#log,
      OP_SESSION_lab: "its own session",
      SERVICE_TOKEN: "a token of the process",
      HTTPS_PROXY: "",
    };
  }

  get #log(): string {
    return join(this.folder, "calls");
  }

  install(name: string, folder = "bin", mode = 0o755): void {
    this.write(`${folder}/${name}`, PROGRAM);
    chmodSync(join(this.folder, folder, name), mode);
  }

  write(name: string, text: string | Uint8Array): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  /** How programs were called since the last time, each with its arguments. */
  takeCalls(): readonly (readonly string[])[] {
    if (!existsSync(this.#log)) return [];
    const calls = readFileSync(this.#log, "utf8").trimEnd().split("\n");
    rmSync(this.#log);
    return calls.map((line) => line.split("\u001f"));
  }

  takeEnvironment(): string {
    if (!existsSync(`${this.#log}.environment`)) return "";
    const text = readFileSync(`${this.#log}.environment`, "utf8");
    rmSync(`${this.#log}.environment`);
    return text;
  }

  takeReceived(): SecretLab["received"] {
    return this.received.splice(0);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
    rmSync(this.folder, { recursive: true, force: true });
  }
}
