import { describeNamesUnder } from "./names-contract.ts";

describeNamesUnder("node");
