import { parseWrittenJson } from "../exchange/mod.ts";
import {
  type CheckFault,
  checkParsedText,
  entriesOf,
  expandText,
  namedRequests,
  parseEntries,
  parseText,
  placeholdersOf,
  readText,
  skipScripts,
} from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { ScopeParts } from "./create-scope.ts";
import type { LoadedEnvironment } from "./environments/mod.ts";
import type { Prompter } from "./prompts.ts";
import type { Imports } from "./requests/mod.ts";
import { loadVariables, SAVED_PATH, saveVariables } from "./save-variables.ts";
import type { EnvironmentInfo, ScopedClient } from "./scoped-client.ts";
import type { Scopes } from "./scopes.ts";

/** What the members of a client about names work with. */
interface ScopedParts {
  readonly scopes: Scopes;
  readonly prompter: Prompter;
  readonly imports: Imports;
  readonly parts: ScopeParts;
}

/** Creates the members of a client that are about names. */
export function createScopedMembers(
  { scopes, prompter, imports, parts }: ScopedParts,
  secrets: Secrets,
): ScopedClient {
  const { options, variables, responses, requests } = parts;
  return {
    get responses() {
      return responses.all;
    },
    get environment() {
      return scopes.environment === undefined ? undefined : toInfo(scopes.environment);
    },
    origin(name) {
      const found = variables.origin(name);
      const isFirst = found !== undefined && found.kind !== "typescript";
      if (isFirst || responses.get(name) === undefined) return found;
      return { kind: "answer", secret: false };
    },
    useEnv: async (name, { folder } = {}) => toInfo(await scopes.useEnvironment(name, folder)),
    needs: (text) => prompter.unanswered(parseEntries(text)),
    define: (text, { runsScripts = false, firstLine } = {}) => {
      requests.noteScripts({ source: text, firstLine }, runsScripts);
      const entries = entriesOf(parseText(text, firstLine));
      requests.add(namedRequests(runsScripts ? entries : entries.map(skipScripts)));
    },
    prepare: async (text) => {
      const parsed = typeof text === "string" ? readText(text) : text;
      await imports.load(parsed);
      const { entries } = expandText(parsed, imports.options);
      await scopes.prepare(entries.flatMap(placeholdersOf));
    },
    check: (text, checkOptions = {}) => {
      const parsed = typeof text === "string" ? readText(text, checkOptions.firstLine) : text;
      const faults = checkParsedText(parsed, scopes.checking(), {
        ...checkOptions,
        hasRequest: (name) => requests.get(name) !== undefined,
        imports: imports.options,
        madeOf: (name) => variables.madeOf(name),
        parseJson: parseWrittenJson,
      });
      if (faults.length > 0) secrets.learn({ kind: "source", text: parsed.source }, "person");
      return faults.map((fault) => withoutSecrets(fault, secrets));
    },
    save: (path = SAVED_PATH) => saveVariables(path, variables, options, secrets.mask),
    load: (path = SAVED_PATH) => loadVariables(path, variables, options.readFile),
  };
}

/** Faults quote URLs and bodies with their values, and are shown in editors and CI logs. */
function withoutSecrets(fault: CheckFault, { mask }: Secrets): CheckFault {
  const { message, hint } = fault;
  return { ...fault, message: mask(message), ...(hint === undefined ? {} : { hint: mask(hint) }) };
}

function toInfo({ name, names, files, variables, warnings }: LoadedEnvironment): EnvironmentInfo {
  const info = { names, files, variables: [...variables.keys()], warnings };
  return name === undefined ? info : { name, ...info };
}
