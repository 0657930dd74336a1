import { describeUntrustedFiles } from "./untrusted-contract.ts";

describeUntrustedFiles("bun");
