import type { KernelInfo } from "../messages/mod.ts";
import { PROTOCOL_VERSION } from "../messages/mod.ts";

/** The library's version, once more: loading the library to ask it would take too long. */
export const KERNEL_VERSION = "2.2.0";

/**
 * What this kernel says of itself.
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
      // The classic Notebook gives this to CodeMirror 5 as it stands for new cells, where "typescript"
      // is no mode; JupyterLab and Notebook 7 look the media type up.
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
    // Neither a debugger nor subshells, the two features that have names.
    supported_features: [],
  };
}
