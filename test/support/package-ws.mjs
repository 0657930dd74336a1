// Loaded before scripts that Bun runs from their source: there "ws" would be an implementation of Bun's own. The
// package as it is published has the real one in it.
import { plugin } from "bun";

plugin({
  name: "ws",
  setup(build) {
    const path = new URL("../../node_modules/ws/wrapper.mjs", import.meta.url).pathname;
    build.onResolve({ filter: /^ws$/ }, () => ({ path }));
  },
});
