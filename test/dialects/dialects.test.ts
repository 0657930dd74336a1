import { describeDialects } from "./dialects-contract.ts";

describeDialects("node");
