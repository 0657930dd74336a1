import { describeEnds } from "./end-contract.ts";
import { describeKernel } from "./kernel-contract.ts";

describeKernel("bun");
describeEnds("bun");
