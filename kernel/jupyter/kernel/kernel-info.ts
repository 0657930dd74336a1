import type { KernelInfo } from "../messages/mod.ts";
import { PROTOCOL_VERSION } from "../messages/mod.ts";

/** The library's version, repeated because loading the library would take too long. */
export const KERNEL_VERSION = "2.2.0";

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
    language_info: {
      name: "typescript",
      // That of the compiler, which is loaded with the first cell only.
      version: "5.9",
      mimetype: "text/typescript",
      file_extension: ".ts",
      pygments_lexer: "typescript",
      // The classic Notebook passes this to CodeMirror 5, which has no mode "typescript"; JupyterLab and
      // Notebook 7 look up the media type.
      codemirror_mode: {
        mode: "javascript",
        name: "application/typescript",
        mime: "application/typescript",
      },
      nbconvert_exporter: "script",
    },
    banner:
      `restlab ${KERNEL_VERSION} on ${runtime}: HTTP requests and TypeScript\n` +
      "Write GET https://example.com to send a request, or any TypeScript; client holds variables",
    debugger: false,
    help_links: [
      { text: "TypeScript", url: "https://www.typescriptlang.org/docs/" },
      { text: "HTTP methods and status codes", url: "https://developer.mozilla.org/docs/Web/HTTP" },
    ],
    // The defined features are a debugger and subshells.
    supported_features: [],
  };
}
