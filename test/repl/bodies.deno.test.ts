import { describeBodies } from "./bodies-contract.ts";

describeBodies("deno");
