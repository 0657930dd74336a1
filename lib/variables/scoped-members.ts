import { parseJson } from "../exchange/mod.ts";
import type { Value } from "../interpolation/mod.ts";
import { type CheckFault, checkText, parseEntries } from "../request/mod.ts";
import type { Secrets } from "../secrets/mod.ts";
import type { LoadedEnvironment } from "./environments/mod.ts";
import type { Prompter } from "./prompts.ts";
import { loadVariables, SAVED_PATH, saveVariables } from "./save-variables.ts";
import type { EnvironmentInfo, ScopedClient } from "./scoped-client.ts";
import type { ScopeParts, Scopes } from "./scopes.ts";

/** Makes the members of a client that are about names. */
export function createScopedMembers(
  scopes: Scopes,
  prompter: Prompter,
  { options, variables, responses, requests }: ScopeParts,
  secrets: Secrets,
): ScopedClient {
  return {
    get responses() {
      return responses.all;
    },
    get environment() {
      return scopes.environment === undefined ? undefined : toInfo(scopes.environment);
    },
    origin(name) {
      const found = variables.origin(name);
      if (found !== undefined || responses.get(name) === undefined) return found;
      return { kind: "answer", secret: false };
    },
    useEnv: async (name, { folder } = {}) => toInfo(await scopes.useEnvironment(name, folder)),
    needs: (text) => prompter.unanswered(parseEntries(text)),
    define: (text) => requests.add(parseEntries(text)),
    prepare: async (text) => await scopes.prepare(parseEntries(text)),
    check: (text, checkOptions = {}) => {
      const faults = checkText(text, scopes.checking(), {
        ...checkOptions,
        requests: requests.names(),
        parseJson: parseValue,
      });
      if (faults.length > 0) secrets.learn({ kind: "source", text }, "person");
      return faults.map((fault) => withoutSecrets(fault, secrets));
    },
    save: (path = SAVED_PATH) => saveVariables(path, variables, options, secrets.mask),
    load: (path = SAVED_PATH) => loadVariables(path, variables, options.readFile),
  };
}

/** A fault quotes URLs and bodies with their values; an editor or a log of CI is to see none that is hidden. */
function withoutSecrets(fault: CheckFault, { mask }: Secrets): CheckFault {
  const { message, hint } = fault;
  return { ...fault, message: mask(message), ...(hint === undefined ? {} : { hint: mask(hint) }) };
}

/** JSON with all its digits, for the values of variable lines. */
export const parseValue = (text: string): Value => parseJson(text) as Value;

function toInfo({ name, names, files, variables, warnings }: LoadedEnvironment): EnvironmentInfo {
  const info = { names, files, variables: [...variables.keys()], warnings };
  return name === undefined ? info : { name, ...info };
}
