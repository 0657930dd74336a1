import { describeDialects } from "./dialects-contract.ts";

describeDialects("deno");
