import { describeSecretsOfRun } from "./run-contract.ts";

describeSecretsOfRun("bun");
