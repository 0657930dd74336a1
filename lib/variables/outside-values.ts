import type { Generated, Value } from "../interpolation/mod.ts";
import type { LoadedEnvironment } from "./environments/mod.ts";
import type { Outside } from "./generators/mod.ts";
import type { ScopeOptions } from "./scope-options.ts";

/** Where the values of `{{$env …}}`, `{{$dotenv …}}` and `{{$shared …}}` come from. */
interface OutsideValues {
  readonly processEnv: ScopeOptions["processEnv"];
  readonly environment: LoadedEnvironment | undefined;
}

/** Reads a value that is not a variable of the client. */
export function readOutside(
  source: Outside,
  name: string,
  { processEnv, environment }: OutsideValues,
): Generated {
  switch (source) {
    case "process":
      return readProcess(processEnv, name);
    case "dotenv":
      return readFileValue(environment?.dotenv, name, 'the file ".env"');
    case "shared":
      return readFileValue(environment?.shared, name, 'the environment "$shared"');
  }
}

function readProcess(processEnv: OutsideValues["processEnv"], name: string): Generated {
  if (processEnv === undefined) {
    return {
      message: "this client does not know the environment of the process",
      hint: "Give createClient processEnv",
    };
  }
  const value = Object.hasOwn(processEnv, name) ? processEnv[name] : undefined;
  if (value !== undefined) return { value };
  return { message: `the environment of the process has no variable "${name}"` };
}

function readFileValue(
  values: ReadonlyMap<string, Value> | undefined,
  name: string,
  place: string,
): Generated {
  if (values === undefined) {
    return {
      message: "no environment files have been read",
      hint: "await client.useEnv() reads them",
    };
  }
  const value = values.get(name);
  return value === undefined ? { message: `${place} has no variable "${name}"` } : { value };
}
