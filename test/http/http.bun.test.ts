import { describeContractUnder } from "./run-under.ts";

describeContractUnder("bun", "run");
