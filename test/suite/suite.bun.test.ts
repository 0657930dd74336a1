import { describeSuite } from "./suite-contract.ts";

describeSuite("bun");
