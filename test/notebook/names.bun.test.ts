import { describeNamesUnder } from "./names-contract.ts";

describeNamesUnder("bun");
