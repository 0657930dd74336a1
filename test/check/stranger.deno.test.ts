import { describeStrangersUnder } from "./stranger-contract.ts";

describeStrangersUnder("deno");
