import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { notebook } from "../notebook/notebook.ts";
import { type CommandOptions, type Ended, type RuntimeName, restlab } from "../support/command.ts";
import { RUNTIME } from "../support/runtime.ts";
import { SECRET, SecretLab } from "./programs.ts";
import { spellingsOf } from "./spellings.ts";

const REFERENCE = "op://Private/api/token";

/** Where a reference may stand, and a request that uses it: the files, the request, and what the server receives. */
const PLACES: readonly (readonly [
  name: string,
  files: Readonly<Record<string, string>>,
  request: string,
  expected: (received: SecretLab["received"][number]) => unknown,
])[] = [
  [
    "an environment file",
    { "http-client.env.json": JSON.stringify({ dev: { token: REFERENCE } }) },
    "GET {{base}}/?t={{token}}",
    query,
  ],
  [
    "a private file",
    { "http-client.private.env.json": JSON.stringify({ dev: { token: REFERENCE } }) },
    "GET {{base}}/?t={{token}}",
    query,
  ],
  [
    "the shared environment",
    { "http-client.env.json": JSON.stringify({ $shared: { token: REFERENCE }, dev: {} }) },
    "GET {{base}}/?t={{$shared token}}",
    query,
  ],
  [
    "a file of our own",
    { "restlab.env.json": JSON.stringify({ dev: { token: REFERENCE } }) },
    "GET {{base}}/?t={{token}}",
    query,
  ],
  [
    "a member of an object",
    {
      "http-client.env.json": JSON.stringify({
        dev: { db: { user: "ada", list: [REFERENCE, "op://Private/unused/one"] } },
      }),
    },
    "GET {{base}}/?t={{db.list[0]}}",
    query,
  ],
  [
    "a text with a placeholder",
    {
      "http-client.env.json": JSON.stringify({
        dev: { token: REFERENCE, auth: "Bearer {{token}}" },
      }),
    },
    "GET {{base}}/\nAuthorization: {{auth}}",
    bearer,
  ],
  [
    ".env",
    { ".env": `TOKEN=${REFERENCE}\n`, "http-client.env.json": '{"dev":{}}' },
    "GET {{base}}/?t={{TOKEN}}",
    query,
  ],
  [
    "$dotenv",
    { ".env": `TOKEN=${REFERENCE}\n`, "http-client.env.json": '{"dev":{}}' },
    "GET {{base}}/?t={{$dotenv TOKEN}}",
    query,
  ],
  [
    "a value that .env expands",
    {
      ".env": `TOKEN=${REFERENCE}\nAUTH="Bearer \${TOKEN}"\n`,
      "http-client.env.json": '{"dev":{}}',
    },
    "GET {{base}}/\nAuthorization: {{AUTH}}",
    bearer,
  ],
  [
    "a default header",
    {
      "http-client.env.json": JSON.stringify({ dev: { $default_headers: { "X-Key": REFERENCE } } }),
    },
    "GET {{base}}/",
    ({ headers }) => fromLatin1(headers["x-key"]),
  ],
  [
    "a variable line",
    { "http-client.env.json": '{"dev":{}}' },
    `@token = ${REFERENCE}\nGET {{base}}/?t={{token}}`,
    query,
  ],
  [
    "a line that uses another line",
    { "http-client.env.json": '{"dev":{}}' },
    `@token = ${REFERENCE}\n@auth = Bearer {{token}}\nGET {{base}}/\nAuthorization: {{auth}}`,
    bearer,
  ],
  [
    "a body",
    { "http-client.env.json": JSON.stringify({ dev: { token: REFERENCE } }) },
    'POST {{base}}/\nContent-Type: application/json\n\n{"t": "{{token}}"}',
    ({ body }) => JSON.parse(body).t,
  ],
  [
    "a file of a body",
    {
      "http-client.env.json": JSON.stringify({ dev: { token: REFERENCE } }),
      "body.json": '{"t": "{{token}}"}',
    },
    "POST {{base}}/\nContent-Type: application/json\n\n<@ ./body.json",
    ({ body }) => JSON.parse(body).t,
  ],
  [
    "the client secret of a login",
    {
      "http-client.env.json": JSON.stringify({
        dev: {
          oauth2: {
            clientId: "the-client",
            clientSecret: REFERENCE,
            tokenEndpoint: "{{base}}/token",
            useBasicAuth: false,
          },
        },
      }),
    },
    "GET {{base}}/\nAuthorization: oauth2 client_credentials",
    login,
  ],
  [
    "a login of Security.Auth",
    {
      "http-client.env.json": JSON.stringify({
        dev: {
          Security: {
            Auth: {
              lab: {
                Type: "OAuth2",
                "Grant Type": "Client Credentials",
                "Token URL": "{{base}}/token",
                "Client ID": "the-client",
                "Client Secret": REFERENCE,
                "Client Credentials": "in body",
              },
              other: { Type: "OAuth2", "Client Secret": "op://Private/unused/two" },
            },
          },
        },
      }),
    },
    'GET {{base}}/\nAuthorization: Bearer {{$auth.token("lab")}}',
    login,
  ],
];

type Received = SecretLab["received"][number];

function query({ target }: Received): unknown {
  return new URL(target, "http://h").searchParams.get("t");
}

function bearer({ headers }: Received): unknown {
  return fromLatin1(headers["authorization"])?.replace(/^Bearer /, "");
}

function login({ headers, body }: Received): unknown {
  const [, basic = ""] = /^Basic (.+)$/.exec(String(headers["authorization"])) ?? [];
  const [, secret] = Buffer.from(basic, "base64").toString().split(":");
  const form = new URLSearchParams(secret === undefined ? body : `client_secret=${secret}`);
  return form.get("client_secret");
}

/** Headers are sent as UTF-8, and Node reads them as Latin-1. */
function fromLatin1(value: unknown): string | undefined {
  return typeof value === "string" ? Buffer.from(value, "latin1").toString("utf8") : undefined;
}

/** What a program does, by a word in the reference, and what the error says of it. */
const FAILURES: readonly (readonly [word: string, says: RegExp])[] = [
  ["signed-out", /ended with status 6: "\[ERROR\] account is not signed in"\. Sign in: op signin/],
  ["huge", /printed more than 64 KiB/],
  ["binary", /printed what is no text/],
  ["locked", /ended with status 1: "Vault is locked\."\. Unlock it: op signin/],
  ["missing", /ended with status 1: ""missing" isn't an item"\. Check what the reference names/],
  ["silent", /ended with status 3\. Run it in a terminal to see why/],
  ["empty", /its value is empty/],
  ["newline", /its value is empty/],
  ["nul", /its value contains NUL/],
];

/** References that are written wrongly, or to do harm; nothing is run for them. */
const HOSTILE: readonly (readonly [reference: string, says: RegExp])[] = [
  ["op://-h", /write a reference of op as op:\/\/vault\/item\/field/],
  ["op://", /nothing follows "op:\/\/"/],
  ["bw://-h", /"-h" would be an option of bw/],
  ["pass://--version", /"--version" would be an option of pass/],
  ["vault://-h#x", /"-h" would be an option of vault/],
  ["vault://secret/app", /write a reference of vault as vault:\/\/path#field/],
  ["op://a/b/c\u0000d", /no line breaks and no control characters/],
  ["op://a/b/c\nrm", /no line breaks and no control characters/],
  ["op://a/{{base}}/c", /a reference has no placeholders/],
  [`op://a/b/${"c".repeat(1_000_000)}`, /at most 2000 characters/],
];

/** What references as a whole say of programs of one scheme. */
function describeReferences(runtime: RuntimeName): void {
  describe(`references to secrets on ${runtime}`, () => {
    let lab: SecretLab;

    beforeAll(async () => {
      lab = await SecretLab.open();
    });
    beforeEach(() => {
      lab.takeCalls();
      lab.takeReceived();
    });
    afterAll(async () => await lab.close());

    /** All cases on Node, and the first ones where a program is run otherwise. */
    function some<T>(cases: readonly T[], count: number): readonly T[] {
      return runtime === "node" ? cases : cases.slice(0, count);
    }

    let made = 0;
    /** Writes files into a folder of their own. */
    function write(files: Readonly<Record<string, string>>): string {
      made += 1;
      for (const [name, text] of Object.entries(files)) lab.write(`${made}/${name}`, text);
      return join(lab.folder, String(made));
    }

    async function run(
      cwd: string,
      args: readonly string[],
      options: CommandOptions = {},
    ): Promise<Ended> {
      const env = { ...lab.environment, ...options.env };
      return await restlab(runtime, args, { ...options, cwd, env });
    }

    /** Runs a command that has to succeed. */
    async function pass(...given: Parameters<typeof run>): Promise<Ended> {
      const ended = await run(...given);
      expect([ended.status, ended.status === 0 ? "" : ended.output]).toEqual([0, ""]);
      return ended;
    }

    const withBase = (words: readonly string[]): readonly string[] => [
      ...words,
      "--env",
      "dev",
      "--var",
      `base=${lab.base}`,
    ];

    test.each(some(PLACES, 1))(
      "in %s, is fetched once and sent, and nothing shows it",
      async (_name, files, request, expected) => {
        const cwd = write({ ...files, "a.http": request });
        await pass(cwd, withBase(["check", "a.http"]));
        expect(lab.takeCalls()).toEqual([]);
        const ran = await pass(
          cwd,
          withBase(["run", "a.http", "--output", "out.ipynb", "--record", "out.har"]),
        );
        expect(lab.takeCalls()).toEqual([["op", "read", REFERENCE]]);
        const [first] = lab.takeReceived();
        expect(first && expected(first)).toBe(SECRET);
        const written = [ran.output, lab.read(`${made}/out.ipynb`), lab.read(`${made}/out.har`)];
        for (const text of written) {
          for (const spelling of spellingsOf(SECRET)) expect(text).not.toContain(spelling);
        }
      },
    );

    test("one call for all files that run at the same time, none in a replay, and none with --var", async () => {
      const files = Object.fromEntries(
        [1, 2, 3, 4].map((at) => [`${at}.http`, "GET {{base}}/?t={{token}}\n?? status == 200"]),
      );
      const cwd = write({
        ...files,
        "http-client.env.json": JSON.stringify({ dev: { token: REFERENCE } }),
      });
      const reports = ["html", "junit", "json", "tap"].flatMap((format) => [
        "--report",
        `${format}=out.${format}`,
      ]);
      const recorded = ["--parallel", "4", "--record", "out.har", ...reports];
      const ran = await pass(cwd, withBase(["test", ".", ...recorded]));
      const written = readdirSync(cwd).map((name) => lab.read(`${made}/${name}`));
      for (const spelling of spellingsOf(SECRET)) {
        expect([ran.output, ...written].join("\n")).not.toContain(spelling);
      }
      expect(lab.takeReceived().map(query)).toEqual([SECRET, SECRET, SECRET, SECRET]);
      expect(lab.takeCalls()).toHaveLength(1);
      await pass(cwd, withBase(["test", ".", "--replay", "out.har"]));
      expect(lab.takeCalls()).toEqual([]);
      await pass(cwd, withBase(["test", ".", "--var", "token=of-the-command-line"]));
      expect(lab.takeCalls()).toEqual([]);
      expect(new Set(lab.takeReceived().map(query))).toEqual(new Set(["of-the-command-line"]));
      await pass(cwd, withBase(["run", "1.http", "--var", `token=${REFERENCE}`]));
      expect(lab.takeReceived().map(query)).toEqual([SECRET]);
    });

    test("other faults are found before anything is fetched", async () => {
      const cwd = write({
        "a.http": `@token = ${REFERENCE}\nGET {{base}}/?t={{token}}&n={{nobody}}`,
      });
      expect((await run(cwd, ["run", "a.http", "--var", `base=${lab.base}`])).status).toBe(1);
      const cell = await run(cwd, [
        "-e",
        `client.setVar("token", "${REFERENCE}"); await client.send("GET ${lab.base}/?t={{token}}&n={{nobody}}")`,
      ]);
      expect(cell.stderr).toContain('Cannot resolve "{{nobody}}"');
      expect(lab.takeCalls()).toEqual([]);
      expect(lab.takeReceived()).toEqual([]);
    });

    test("a program gets no secrets of others, no input, and not the folder of the document", async () => {
      const cwd = write({ "a.http": `@token = ${REFERENCE}\nGET {{base}}/?t={{token}}` });
      await run(cwd, ["run", "a.http", "--var", `base=${lab.base}`], {
        env: { http_proxy: "http://ada:secret@127.0.0.1:1", no_proxy: "127.0.0.1" },
      });
      const environment = lab.takeEnvironment();
      expect(environment).toContain("OP_SESSION_lab=its own session\n");
      expect(environment).toContain("http_proxy=http://ada:secret@127.0.0.1:1\n");
      expect(environment).toContain("input 0\n");
      expect(environment).not.toContain("SERVICE_TOKEN");
      expect(environment).not.toContain(`folder ${cwd}\n`);
    });

    test.each(some(FAILURES, 3))("a program that is %s", async (word, says) => {
      const cwd = write({
        "http-client.env.json": JSON.stringify({ dev: { token: `op://Private/${word}/token` } }),
        "a.http": "GET {{base}}/?t={{token}}",
      });
      const ran = await run(cwd, withBase(["run", "a.http"]));
      expect(ran.status).toBe(1);
      expect(ran.stderr).toMatch(says);
      expect(ran.stderr).toContain(
        `Cannot fetch the variable "token" (http-client.env.json:1: op://Private/${word}/token)`,
      );
      expect(lab.takeReceived()).toEqual([]);
    });

    test.each(some(HOSTILE, 1))(
      "%#: nothing is run for a reference that is no good",
      async (reference, says) => {
        const cwd = write({
          "http-client.env.json": JSON.stringify({ dev: { token: reference } }),
          "a.http": "GET {{base}}/?t={{token}}",
        });
        for (const command of ["check", "run"]) {
          const ended = await run(cwd, withBase([command, "a.http"]));
          expect(ended.status).toBe(1);
          expect(ended.output).toMatch(says);
          expect(ended.output.length).toBeLessThan(4_000);
        }
        expect(lab.takeCalls()).toEqual([]);
        expect(lab.takeReceived()).toEqual([]);
      },
    );

    test.each(some(["op://a/$(touch x)/`y`", "op://a/b;touch x/c", "op://a/b c/'d\" | e"], 1))(
      "%s is one argument, and no command",
      async (reference) => {
        const cwd = write({
          "http-client.env.json": JSON.stringify({ dev: { token: reference } }),
          "a.http": "GET {{base}}/?t={{token}}",
        });
        await pass(cwd, withBase(["run", "a.http"]));
        expect(lab.takeCalls()).toEqual([["op", "read", reference]]);
      },
    );

    test("a program of the repository does not answer", async () => {
      lab.install("gh", "1/node_modules/.bin");
      lab.install("gh", "1/bin");
      const cwd = join(lab.folder, "1");
      lab.write("1/a.http", "@token = gh://github.com\nGET {{base}}/?t={{token}}");
      const env = {
        PATH: `${join(cwd, "node_modules/.bin")}:bin:.:${join(lab.folder, "bin")}:/bin`,
      };
      const ran = await run(cwd, ["run", "a.http", "--var", `base=${lab.base}`], { env });
      expect(ran.stderr).toContain(
        '"gh" is not on the PATH of this machine. Install it, or set the variable with --var',
      );
      expect(lab.takeCalls()).toEqual([]);
    });

    test("a .env file, which Bun reads by itself, chooses neither programs nor their settings", async () => {
      const cwd = write({
        ".env": "XDG_CONFIG_HOME=/proc/self/cwd\nOP_CONNECT_HOST=http://elsewhere\n",
        "restlab/secrets.json": JSON.stringify({ op: ["corp-vault", "{reference}"] }),
        "a.http": `@token = ${REFERENCE}\nGET {{base}}/?t={{token}}`,
      });
      chmodSync(join(cwd, "restlab/secrets.json"), 0o600);
      const { XDG_CONFIG_HOME: _, ...env } = lab.environment;
      lab.takeEnvironment();
      const args = ["run", "a.http", "--var", `base=${lab.base}`];
      const ended = await restlab(runtime, args, { cwd, env });
      expect([ended.status, lab.takeCalls()]).toEqual([0, [["op", "read", REFERENCE]]]);
      expect(lab.takeEnvironment()).not.toContain("elsewhere");
    });

    test("programs of the user's own settings, which nobody else may read", async () => {
      const settings = {
        corp: ["corp-vault", "get", "{path}", "--field={field}"],
        op: ["corp-vault", "{reference}"],
      };
      const path = lab.write("home/.config/restlab/secrets.json", JSON.stringify(settings));
      const cwd = write({
        "a.http": `@a = corp://team/token#x\n@b = ${REFERENCE}\nGET {{base}}/?a={{a}}&b={{b}}`,
      });
      chmodSync(path, 0o644);
      const open = await run(cwd, ["check", "a.http", "--var", `base=${lab.base}`]);
      expect(open.output).toContain("others can read or write it; chmod 600");
      chmodSync(path, 0o600);
      await pass(cwd, ["run", "a.http", "--var", `base=${lab.base}`]);
      expect(lab.takeCalls()).toEqual([
        ["corp-vault", "get", "team/token", "--field=x"],
        ["corp-vault", REFERENCE],
      ]);
      chmodSync(path, 0o600);
      lab.write("home/.config/restlab/secrets.json", '{"corp": "corp-vault {path}"}');
      const broken = await run(cwd, ["run", "a.http", "--var", `base=${lab.base}`]);
      expect(broken.output).toContain('"corp" is no list of a program and its arguments');
      lab.write("home/.config/restlab/secrets.json", "{}");
      expect(lab.takeReceived()).toHaveLength(1);
    });

    test("the objects of Visual Studio", async () => {
      const environment = {
        User: { provider: "AspnetUserSecrets", secretName: "config:ApiKey" },
        Azure: {
          provider: "AzureKeyVault",
          secretName: "key",
          keyVaultName: "vault",
          resourceId: "/subscriptions/1/vaults/vault",
        },
      };
      const cwd = write({
        "http-client.env.json": JSON.stringify({ dev: environment }),
        "app.csproj":
          "<Project><PropertyGroup><UserSecretsId>lab-id</UserSecretsId></PropertyGroup></Project>",
        "sub/a.http": "GET {{base}}/?t={{User}}&a={{Azure}}",
        ".git/HEAD": "",
      });
      const early = await run(cwd, withBase(["run", "sub/a.http"]));
      expect(early.stderr).toMatch(
        /secrets\.json cannot be read, which .*app\.csproj names: set it with dotnet user-secrets set "config:ApiKey" VALUE/,
      );
      lab.write(
        "home/.microsoft/usersecrets/lab-id/secrets.json",
        '\uFEFF{ /* flat */ "config:ApiKey": "the-user-secret-of-it", }',
      );
      lab.takeCalls();
      await pass(cwd, withBase(["run", "sub/a.http"]));
      expect(lab.takeReceived().map(query)).toEqual(["the-user-secret-of-it"]);
      const [call] = lab.takeCalls();
      expect(call?.join(" ")).toBe(
        "az keyvault secret show --vault-name vault --name key --query value --output tsv",
      );
    });

    test.each([
      ["Encrypted", { provider: "Encrypted", value: "AQAA" }, "only Visual Studio can read it"],
      [
        "unknown",
        { provider: "Elsewhere", secretName: "x" },
        'the provider "Elsewhere" is unknown',
      ],
    ])(
      "an object of Visual Studio whose provider is %s is a fault, and never sent",
      async (_name, value, says) => {
        const cwd = write({
          "http-client.env.json": JSON.stringify({ dev: { token: value } }),
          "a.http": "GET {{base}}/?t={{token}}",
        });
        for (const command of ["check", "run"]) {
          const ended = await run(cwd, withBase([command, "a.http"]));
          expect(ended.status).toBe(1);
          expect(ended.output).toContain(says);
        }
        expect(lab.takeReceived()).toEqual([]);
      },
    );

    test("what a program keeps as JSON, in lines, or with line breaks", async () => {
      const lines = "@a = aws-sm://member#password\n@b = pass://lines\n@c = vault://two-breaks/x#f";
      const cwd = write({ "a.http": `${lines}\nPOST {{base}}/\n\n{{a}}|{{b}}|{{c}}|` });
      await pass(cwd, ["run", "a.http", "--var", `base=${lab.base}`]);
      expect(lab.takeReceived()[0]?.body).toBe(
        "the member of it|first line of it|a secret with a break\n|",
      );
    });

    test("Ctrl-C ends the wait", async () => {
      const cwd = write({
        "a.http": "@token = op://Private/hang/token\nGET {{base}}/?t={{token}}",
      });
      let kill: ((signal: NodeJS.Signals) => void) | undefined;
      const ran = run(cwd, ["run", "a.http", "--var", `base=${lab.base}`], {
        onStart: (end) => {
          kill = end;
        },
      });
      await expect.poll(() => lab.takeCalls(), { timeout: 20_000 }).toHaveLength(1);
      kill?.("SIGINT");
      expect((await ran).status).toBe(130);
      expect(lab.takeReceived()).toEqual([]);
    });

    test("restlab secrets lists them, and fetches one", async () => {
      const cwd = write({
        "http-client.env.json": JSON.stringify({
          dev: { token: REFERENCE, base: "http://localhost" },
        }),
        "a.http": "@mine = gh://github.com\n@url = http://localhost/x\nGET {{base}}/?t={{mine}}",
      });
      const listed = await run(cwd, ["secrets", "a.http", "--env", "dev"], {
        env: { PATH: join(lab.folder, "bin") },
      });
      expect(listed.stdout.trimEnd().split("\n")).toEqual([
        `token  ${REFERENCE}  a.http: http-client.env.json:1  ${join(lab.folder, "bin/op")}`,
        "mine  gh://github.com  a.http: line 1  gh is not installed",
      ]);
      const written = notebook(
        "GET http://localhost/",
        "# a key\n@mine = gh://github.com\nGET http://localhost/",
      );
      lab.write(`${made}/b.ipynb`, written);
      expect((await pass(cwd, ["secrets", "b.ipynb"])).stdout).toContain(
        "b.ipynb: cell 2, line 2  ",
      );
      expect(lab.takeCalls()).toEqual([]);
      const tested = await pass(cwd, ["secrets", "--env", "dev", "--test", "token"]);
      expect(tested.stdout).toContain(`token has ${SECRET.length} characters`);
      expect(tested.output).not.toContain(SECRET);
      expect((await run(cwd, ["secrets", "--env", "dev", "--test", "base"])).status).toBe(2);
    });

    test("what a server writes is no reference", async () => {
      const cells = [
        `# @name first\nGET ${lab.base}/`,
        "@line = {{first.response.body.wanted}}\nGET {{base}}/?t={{line}}&u={{first.response.body.wanted}}",
        "client.setVar('set', client.last.json.wanted); client.setVar('object', client.last.json);",
        "GET {{base}}/?t={{set}}&u={{object.wanted}}",
        `GET {{base}}/?t=1\n\n> {% client.global.set("handled", response.body.wanted) %}`,
        "GET {{base}}/?t={{handled}}",
      ];
      const cwd = write({ "a.ipynb": notebook(...cells) });
      const ran = await run(cwd, ["run", "-k", "a.ipynb", "--var", `base=${lab.base}`]);
      expect(lab.takeCalls()).toEqual([]);
      const sent = lab.takeReceived().filter(({ target }) => target.includes("op://"));
      expect(sent.map(({ target }) => target)).toEqual([
        "/?t=op://Private/other/secret&u=op://Private/other/secret",
      ]);
      // What a script has set is neither fetched nor sent.
      expect(ran.stderr.match(/a response contains this reference/g)).toHaveLength(2);
    });
  });
}

describeReferences(RUNTIME);
