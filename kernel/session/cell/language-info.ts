/**
 * The `language_info` of the kernel, with sorted keys as in a saved notebook. Front ends copy it into every
 * notebook that they save.
 *
 * @see https://jupyter-client.readthedocs.io/en/latest/messaging.html#kernel-info
 */
export const LANGUAGE_INFO = {
  // The mode of `restlab install`, by name. Without it, JupyterLab and Notebook 7 look up the media type;
  // "mode" is what the classic Notebook loads first.
  codemirror_mode: { mime: "application/typescript", mode: "javascript", name: "restlab" },
  file_extension: ".ts",
  mimetype: "text/typescript",
  name: "typescript",
  nbconvert_exporter: "script",
  pygments_lexer: "typescript",
  // That of the compiler, which is loaded with the first cell only.
  version: "5.9",
} as const;

/**
 * The language of the kernel specs. VS Code lets a kernel whose language it knows run cells of that language only,
 * and converts all others to it; with this one, a cell may be "http" or "typescript".
 */
export const KERNEL_LANGUAGE = "restlab";

/** The language of request cells in VS Code. */
export const REQUEST_LANGUAGE = "http";

/** The metadata of a new notebook, as Jupyter writes it. */
export const NOTEBOOK_METADATA: Readonly<Record<"kernelspec" | "language_info", object>> = {
  kernelspec: { display_name: "restlab", language: KERNEL_LANGUAGE, name: "restlab" },
  language_info: LANGUAGE_INFO,
};
