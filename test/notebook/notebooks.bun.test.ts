import { describeNotebooks } from "./notebooks-contract.ts";

describeNotebooks("bun");
