import { describeSuite } from "./suite-contract.ts";

describeSuite("deno");
