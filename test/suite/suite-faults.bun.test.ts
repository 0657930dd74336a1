import { describeSuiteFaults } from "./suite-faults-contract.ts";

describeSuiteFaults("bun");
