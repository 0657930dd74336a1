import { describeLong } from "./long-contract.ts";

describeLong("node");
