import { describeVerify } from "./verify-contract.ts";

describeVerify("bun");
