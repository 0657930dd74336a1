import { LANGUAGE_INFO } from "../session/cell/mod.ts";
import { type KernelInfo, PROTOCOL_VERSION } from "./protocol.ts";

/** The library's version, repeated because loading the library would take too long. */
export const KERNEL_VERSION = "2.3.0";

/**
 * Creates the `kernel_info_reply`.
 *
 * @param runtime The runtime's name as people write it.
 */
export function createKernelInfo(runtime: string): KernelInfo {
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: "restlab",
    implementation_version: KERNEL_VERSION,
    language_info: LANGUAGE_INFO,
    banner:
      `restlab ${KERNEL_VERSION} on ${runtime}: HTTP requests and TypeScript\n` +
      "Write GET https://example.com to send a request, or any TypeScript; client stores the variables",
    debugger: false,
    help_links: [
      { text: "TypeScript", url: "https://www.typescriptlang.org/docs/" },
      { text: "HTTP methods and status codes", url: "https://developer.mozilla.org/docs/Web/HTTP" },
    ],
    // The defined features are a debugger and subshells.
    supported_features: [],
  };
}
