import { describeEndings } from "./endings-contract.ts";

describeEndings("deno");
