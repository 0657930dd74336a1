import { resolve } from "node:path";
import process from "node:process";
import type { SecretReference } from "../../lib/mod.ts";

/** How the secrets of a scheme are asked for: data alone, since references stand in files of others. */
export interface SecretProgram {
  /** How what follows `scheme://` is written: names between `/` and `#`, in brackets what may be left out. */
  readonly written: string;
  /** The program and its arguments, with `{name}` for a part; in brackets those of a part that may be left out. */
  readonly run: readonly string[];
  /** The beginnings of the names of its own variables of the process. */
  readonly variables: readonly string[];
  /** How to sign in, or to unlock it. */
  readonly signIn: string;
}

/** The scheme, how a reference is written, with values of what is left out, the program, its variables, and how to sign in. */
const TABLE = `
op        | vault/item/field                 | op read {reference} | OP_ | op signin
bw        | item[/field=password]            | bw get {field} {item} --raw | BW_ | bw unlock, and export BW_SESSION
bws       | id[#member=value]                | bws secret get {id} --output json | BWS_ | export BWS_ACCESS_TOKEN
pass      | path                             | pass show {path} | PASSWORD_STORE_ GNUPG GPG_ | pass show in a terminal
gopass    | path                             | gopass show --password {path} | GOPASS_ PASSWORD_STORE_ GNUPG GPG_ | gopass show in a terminal
keychain  | service[/account]                | ${process.platform === "darwin" ? "security find-generic-password -w -s {service} [-a {account}]" : "secret-tool lookup service {service} [account {account}]"} | DBUS_ XDG_ | log in to your desktop
vault     | path#field                       | vault kv get -field={field} {path} | VAULT_ | vault login
aws-sm    | id[#member]                      | aws secretsmanager get-secret-value --secret-id {id} --query SecretString --output text | AWS_ | aws sso login
aws-ssm   | name                             | aws ssm get-parameter --with-decryption --name {name} --query Parameter.Value --output text | AWS_ | aws sso login
gcp-sm    | project/secret[/version=latest]  | gcloud secrets versions access {version} --secret={secret} --project={project} | CLOUDSDK_ GOOGLE_ | gcloud auth login
azure-kv  | vault/secret[/version]           | az keyvault secret show --vault-name {vault} --name {secret} [--version {version}] --query value --output tsv | AZURE_ | az login
doppler   | project/config/name              | doppler secrets get {name} --plain --project {project} --config {config} | DOPPLER_ | doppler login
infisical | project/environment/name[#folder] | infisical secrets get {name} --plain --silent --projectId {project} --env {environment} [--path {folder}] | INFISICAL_ | infisical login
sops      | file#key                         | sops --decrypt --extract {extract} {file} | SOPS_ AWS_ GOOGLE_ AZURE_ VAULT_ GNUPG GPG_ | sops --decrypt in a terminal
gh        | host[/user]                      | gh auth token --hostname {host} [--user {user}] | GH_ GITHUB_ | gh auth login
fnox      | name                             | fnox get {name} | FNOX_ OP_ AWS_ VAULT_ AZURE_ GOOGLE_ | fnox get in a terminal
`;

/** Whether the output of a program is a file whose first line is the secret. */
export const FIRST_LINE: ReadonlySet<string> = new Set(["pass"]);

/** Programs that look for their settings in the folder of the document. */
export const IN_FOLDER: ReadonlySet<string> = new Set(["fnox"]);

/** The programs of the common schemes. */
export const PROGRAMS: ReadonlyMap<string, SecretProgram> = new Map(
  TABLE.trim()
    .split("\n")
    .map((row) => {
      const [scheme = "", written = "", run = "", variables = "", signIn = ""] = row.split(/ +\| /);
      return [scheme, { written, run: run.split(" "), variables: variables.split(" "), signIn }];
    }),
);

/** The program of a line of the user's own settings: `"corp": ["corp-vault", "get", "{path}"]`. */
export function ownProgram(scheme: string, run: readonly string[]): SecretProgram {
  const names = [scheme, String(run[0]).replace(/^.*[\\/]/, "")];
  const own = names.map((name) => `${name.toUpperCase().replace(/\W+/g, "_")}_`);
  const variables = [...own, ...(PROGRAMS.get(scheme)?.variables ?? [])];
  return { written: "path[#field]", run, variables, signIn: `${run[0]} in a terminal` };
}

/** The parts of a reference, by their names. */
type Parts = Readonly<Record<string, string | undefined>>;

/**
 * The parts of a reference.
 *
 * @param directory The folder of the document, for references to files.
 * @throws {Error} It is not written as its scheme needs it.
 */
export function partsOf(
  { written }: SecretProgram,
  { scheme, path, text }: SecretReference,
  directory: string,
): Parts {
  // A name before `#`, or at the end, may contain slashes.
  const pattern = written
    .replaceAll(/=\w+/g, "")
    .replaceAll("[", "(?:")
    .replaceAll("]", ")?")
    .replace(/(\w+)(?=\/|\(\?:\/)/g, "(?<$1>[^/#]+)")
    .replace(/(?<![<\w])(\w+)(?![\w>])/g, "(?<$1>[^#]+)");
  const { groups } = new RegExp(`^${pattern}$`).exec(path) ?? {};
  if (groups === undefined) {
    const form = written.replaceAll(/=\w+/g, "");
    throw new Error(`write a reference of ${scheme} as ${scheme}://${form}`);
  }
  const defaults = [...written.matchAll(/(\w+)=(\w+)/g)].map(([, name, value]) => [name, value]);
  const given = Object.entries(groups).filter(([, value]) => value !== undefined);
  const parts: Parts = Object.fromEntries([...defaults, ...given, ["reference", text]]);
  const { file, key = "" } = parts;
  const extract = key.split(".").map((one) => `[${JSON.stringify(one)}]`);
  return { ...parts, extract: extract.join(""), ...(file && { file: resolve(directory, file) }) };
}

/**
 * The program and its arguments for a reference.
 *
 * @throws {Error} A part of the reference would become an option.
 */
export function argumentsOf({ run }: SecretProgram, parts: Parts): readonly string[] {
  const filled: string[] = [];
  for (const [at, written] of run.entries()) {
    // A flag in brackets belongs to the value after it.
    const isFlag = written.startsWith("[");
    const named = (isFlag ? `${written} ${run[at + 1]}` : written).matchAll(/\{(\w+)\}/g);
    if ([...named].some(([, name = ""]) => parts[name] === undefined)) continue;
    const argument = isFlag ? written.slice(1) : written.replace(/\]$/, "");
    const value = argument.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? "");
    if (value.startsWith("-") && !argument.startsWith("-")) {
      throw new Error(
        `"${value}" would be an option of ${run[0]}: no part of a reference begins with "-"`,
      );
    }
    filled.push(value);
  }
  return filled;
}
