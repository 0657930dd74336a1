import type { KernelInfo } from "./protocol.ts";
import { PROTOCOL_VERSION } from "./protocol.ts";

/** What this kernel says of itself. */
export function createKernelInfo(version: string, runtime: string): KernelInfo {
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: "restlab",
    implementation_version: version,
    language_info: {
      name: "typescript",
      // That of the compiler inside tslab, which is loaded with the first cell only.
      version: "5.0.4",
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      codemirror_mode: "typescript",
      nbconvert_exporter: "script",
    },
    banner:
      `restlab ${version} on ${runtime}: HTTP requests and TypeScript\n` +
      "Write GET https://example.com to send a request, or any TypeScript; client holds variables",
    debugger: false,
    help_links: [
      { text: "TypeScript", url: "https://www.typescriptlang.org/docs/" },
      { text: "HTTP methods and status codes", url: "https://developer.mozilla.org/docs/Web/HTTP" },
    ],
    // Neither a debugger nor subshells, the two features that have names.
    supported_features: [],
  };
}
