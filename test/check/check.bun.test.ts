import { describeCheckUnder } from "./check-contract.ts";

describeCheckUnder("bun");
