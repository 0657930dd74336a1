import { describeCommandLine } from "./command-line-contract.ts";

describeCommandLine("deno");
