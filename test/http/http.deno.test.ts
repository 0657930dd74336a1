import { describeContractUnder } from "./run-under.ts";

describeContractUnder("deno", "run", "--allow-all", "--cached-only", "--no-lock", "--quiet");
