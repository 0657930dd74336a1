import { serveTransport } from "../../kernel/jupyter/zmtp/mod.ts";

/** Handles the control channel in the worker, whatever the main thread does. */
serveTransport(({ send, post }) => ({
  received({ socket, identity, frames }) {
    if (socket !== "control") return false;
    if (String(Buffer.from(frames[0] ?? [])) === "post") post("from the hook");
    if (String(Buffer.from(frames[0] ?? [])) === "throw") throw new Error("hook at fault");
    send("control", identity, [Buffer.from("hook"), ...frames]);
    return true;
  },
  posted(value) {
    if (value === "hold up") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    else post({ echoed: value });
  },
}));
