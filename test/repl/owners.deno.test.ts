import { describeOwners } from "./owners-contract.ts";

describeOwners("deno");
