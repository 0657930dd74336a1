import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { findHome } from "./read-file.ts";

/**
 * Reads a secret of ASP.NET Core's Secret Manager
 * (https://learn.microsoft.com/aspnet/core/security/app-secrets): from the `secrets.json` of the project file that is
 * nearest to a folder.
 *
 * @param name The name, whose parts are separated by `:`.
 * @throws {Error} There is none; the message says what is missing.
 */
export function readUserSecret(
  name: string,
  directory: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const { project, id } = findProject(directory);
  const path = secretsPath(id, environment);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    throw new Error(
      `${path} cannot be read, which ${project} names: set it with dotnet user-secrets set "${name}" VALUE`,
    );
  }
  const errors: ParseError[] = [];
  const found = memberOf(
    parse(text.replace(/^\uFEFF/, ""), errors, { allowTrailingComma: true }),
    name.split(":"),
  );
  const [error] = errors;
  if (error !== undefined)
    throw new Error(`${path} is not JSON: ${printParseErrorCode(error.error)}`);
  if (typeof found === "string") return found;
  throw new Error(`${path} has no "${name}": set it with dotnet user-secrets set "${name}" VALUE`);
}

/** Members are written flat, as `"a:b"`, or nested; their letter case does not matter. */
function memberOf(value: unknown, steps: readonly string[]): unknown {
  if (steps.length === 0)
    return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  if (typeof value !== "object" || value === null) return undefined;
  for (let count = steps.length; count > 0; count -= 1) {
    const key = steps.slice(0, count).join(":").toLowerCase();
    for (const [name, inner] of Object.entries(value)) {
      const found = name.toLowerCase() === key ? memberOf(inner, steps.slice(count)) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

const PROJECT = /\.(?:cs|fs|vb)proj$/i;
const ID = /<UserSecretsId>\s*([\w.-]+)\s*<\/UserSecretsId>/i;

function findProject(directory: string): { readonly project: string; readonly id: string } {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    for (const name of readdirSync(folder).filter((one) => PROJECT.test(one))) {
      const project = join(folder, name);
      const [, id] = ID.exec(readFileSync(project, "utf8")) ?? [];
      if (id !== undefined && !/^\.+$/.test(id)) return { project, id };
    }
    if (dirname(folder) === folder) break;
  }
  throw new Error(
    `no project file in ${directory} or above it has a UserSecretsId: create it with dotnet user-secrets init`,
  );
}

function secretsPath(
  id: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const roaming = environment["APPDATA"];
  return roaming === undefined
    ? join(findHome() ?? "/", ".microsoft", "usersecrets", id, "secrets.json")
    : join(roaming, "Microsoft", "UserSecrets", id, "secrets.json");
}
