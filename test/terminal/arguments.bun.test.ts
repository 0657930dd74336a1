import { describeArgumentsUnder } from "./arguments-contract.ts";

describeArgumentsUnder("bun");
