import { describePrompt } from "./prompt-contract.ts";

describePrompt("node");
