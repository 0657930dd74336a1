import { describeStrangersUnder } from "./stranger-contract.ts";

describeStrangersUnder("bun");
