import { describeRun } from "./run-contract.ts";

describeRun("bun");
