import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SecretPrograms } from "../../kernel/platform/mod.ts";
import { argumentsOf, PROGRAMS, partsOf } from "../../kernel/platform/secret-programs.ts";
import { createClient } from "../../lib/mod.ts";

/** A reference, and the program with its arguments. */
const CALLS: readonly (readonly [reference: string, call: string])[] = [
  [
    "op://vault/item/section/field?attribute=otp",
    "op read op://vault/item/section/field?attribute=otp",
  ],
  ["bw://item", "bw get password item --raw"],
  ["bw://item/username", "bw get username item --raw"],
  ["bws://be8e0ad8", "bws secret get be8e0ad8 --output json"],
  ["pass://work/api", "pass show work/api"],
  ["gopass://work/api", "gopass show --password work/api"],
  ["vault://secret/app#token", "vault kv get -field=token secret/app"],
  [
    "aws-sm://prod/db#password",
    "aws secretsmanager get-secret-value --secret-id prod/db --query SecretString --output text",
  ],
  [
    "aws-ssm:///prod/db",
    "aws ssm get-parameter --with-decryption --name /prod/db --query Parameter.Value --output text",
  ],
  [
    "gcp-sm://project/token",
    "gcloud secrets versions access latest --secret=token --project=project",
  ],
  ["gcp-sm://project/token/3", "gcloud secrets versions access 3 --secret=token --project=project"],
  [
    "azure-kv://vault/token",
    "az keyvault secret show --vault-name vault --name token --query value --output tsv",
  ],
  [
    "azure-kv://vault/token/1",
    "az keyvault secret show --vault-name vault --name token --version 1 --query value --output tsv",
  ],
  [
    "doppler://project/dev/TOKEN",
    "doppler secrets get TOKEN --plain --project project --config dev",
  ],
  [
    "infisical://id/dev/TOKEN",
    "infisical secrets get TOKEN --plain --silent --projectId id --env dev",
  ],
  [
    "infisical://id/dev/TOKEN#/team",
    "infisical secrets get TOKEN --plain --silent --projectId id --env dev --path /team",
  ],
  [
    "sops://secrets.yaml#api.token",
    'sops --decrypt --extract ["api"]["token"] /folder/secrets.yaml',
  ],
  ["gh://github.com", "gh auth token --hostname github.com"],
  ["gh://github.com/ada", "gh auth token --hostname github.com --user ada"],
  ["fnox://TOKEN", "fnox get TOKEN"],
];

const parse = (text: string) => {
  const [, scheme = "", path = ""] = /^(.*?):\/\/(.*)$/.exec(text) ?? [];
  return { scheme, path, text };
};

test.each(CALLS)("%s", (text, call) => {
  const reference = parse(text);
  const program = PROGRAMS.get(reference.scheme);
  expect(program && argumentsOf(program, partsOf(program, reference, "/folder")).join(" ")).toBe(
    call,
  );
});

test("every client knows the schemes of the common programs, and no URL for one", () => {
  for (const scheme of [...PROGRAMS.keys(), "aspnet-user-secrets"]) {
    expect(createClient().check(`@x = ${scheme}://a/b/c\nGET http://lab/{{x}}`)).toHaveLength(1);
  }
  for (const url of ["https://a/b", "wss://a/b", "postgres://a/b", "passes://a/b", "xop://a/b"]) {
    expect(createClient().check(`@x = ${url}\nPOST http://lab/\n\n{{x}}`)).toEqual([]);
  }
});

let folder = "";
let environment: Readonly<Record<string, string>> = {};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "restlab-programs-"));
  environment = {
    PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
    LAB_LOG: join(folder, "log"),
    XDG_CONFIG_HOME: folder,
  };
  mkdirSync(join(folder, "bin"));
  const script =
    '#!/bin/sh\necho "begin $2" >> "$LAB_LOG"\nsleep 0.05\necho "end $2" >> "$LAB_LOG"\ncase $2 in *bad*) exit 1 ;; esac\necho "secret of $2"\n';
  for (const name of ["op", "gopass"]) {
    writeFileSync(join(folder, "bin", name), script);
    chmodSync(join(folder, "bin", name), 0o755);
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const request = { isSecret: () => false };

function takeLog(): readonly string[] {
  const lines = readFileSync(join(folder, "log"), "utf8").trim().split("\n");
  rmSync(join(folder, "log"));
  return lines;
}

test("a program is asked once for a reference, and one at a time for a scheme", async () => {
  const { fetch, forget } = new SecretPrograms({ environment }).in("/");
  const texts = ["op://a/b/1", "op://a/b/2", "op://a/b/1", "op://a/b/3"];
  const secrets = await Promise.all(texts.map((text) => fetch(parse(text), request)));
  expect(secrets).toEqual(texts.map((text) => `secret of ${text}`));
  const different = ["op://a/b/1", "op://a/b/2", "op://a/b/3"];
  expect(takeLog()).toEqual(different.flatMap((text) => [`begin ${text}`, `end ${text}`]));
  forget?.();
  await fetch(parse("op://a/b/1"), request);
  expect(takeLog()).toHaveLength(2);
});

test.each([
  ["again where somebody can unlock it", false, 2],
  ["once in a run", true, 1],
])("after a failure a program is asked %s", async (_name, keepsFailures, count) => {
  const { fetch } = new SecretPrograms({ environment, keepsFailures }).in("/");
  for (let round = 0; round < 2; round += 1) {
    await expect(fetch(parse("op://a/b/bad"), request)).rejects.toThrow("ended with status 1");
  }
  expect(takeLog()).toHaveLength(2 * count);
});
