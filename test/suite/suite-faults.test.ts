import { describeSuiteFaults } from "./suite-faults-contract.ts";

describeSuiteFaults("node");
