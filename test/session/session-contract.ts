import { control } from "./contract/control.ts";
import { demo } from "./contract/demo.ts";
import { displays } from "./contract/displays.ts";
import { errors } from "./contract/errors.ts";
import { faults } from "./contract/faults.ts";
import { help } from "./contract/help.ts";
import { imports } from "./contract/imports.ts";
import type { Contract } from "./contract/lab.ts";
import { loading } from "./contract/loading.ts";
import { matchers } from "./contract/matchers.ts";
import { names } from "./contract/names.ts";
import { output } from "./contract/output.ts";
import { owners } from "./contract/owners.ts";
import { packages } from "./contract/packages.ts";
import { scriptBlocks } from "./contract/script-blocks.ts";
import { scripts } from "./contract/scripts.ts";
import { start } from "./contract/start.ts";
import { state } from "./contract/state.ts";
import { streams } from "./contract/streams.ts";
import { syntax } from "./contract/syntax.ts";
import { tests } from "./contract/tests.ts";
import { types } from "./contract/types.ts";
import { values } from "./contract/values.ts";
import { waiting } from "./contract/waiting.ts";

/** What a session does on every runtime, by subject. */
export const SESSION_CONTRACT: Readonly<Record<string, Contract>> = {
  start,
  loading,
  control,
  demo,
  owners,
  values,
  types,
  syntax,
  faults,
  packages,
  errors,
  output,
  displays,
  imports,
  help,
  names,
  scriptBlocks,
  scripts,
  tests,
  matchers,
  state,
  streams,
  waiting,
};
