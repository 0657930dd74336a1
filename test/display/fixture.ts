import { sampleBundles } from "./sample-bundles.ts";

console.log(JSON.stringify(sampleBundles()));
