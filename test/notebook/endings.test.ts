import { describeEndings } from "./endings-contract.ts";

describeEndings("node");
