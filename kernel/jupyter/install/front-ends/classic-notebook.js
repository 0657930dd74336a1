import { readHead, requestMode } from "./request-mode.js";

// kernel.js of the kernel spec: the mode "restlab", by which the `language_info` of the kernel names it.
// @see https://jupyter-notebook.readthedocs.io/en/v6.5.4/extending/frontend_extensions.html

define([
  "codemirror/lib/codemirror",
  "base/js/namespace",
  "codemirror/mode/javascript/javascript",
], (CodeMirror, Jupyter) => {
  CodeMirror.defineMode("restlab", (config) => {
    const code = CodeMirror.getMode(config, "application/typescript");
    return {
      startState: () => ({ mode: undefined, state: undefined }),
      copyState: ({ mode, state }) => ({ mode, state: mode && CodeMirror.copyState(mode, state) }),
      blankLine: ({ mode, state }) => mode?.blankLine?.(state),
      token(stream, cell) {
        if (cell.mode === undefined) {
          const kind = readHead(stream.string);
          if (kind === "comment" || kind === "setting") {
            stream.skipToEnd();
            return kind === "comment" ? "comment" : "meta";
          }
          cell.mode = kind === "request" ? requestMode : code;
          cell.state = CodeMirror.startState(cell.mode);
        }
        return cell.mode.token(stream, cell.state);
      },
      indent: ({ mode, state }, after, line) =>
        mode === code ? code.indent(state, after, line) : CodeMirror.Pass,
      innerMode: ({ mode, state }) => (mode === code ? { mode, state } : undefined),
      electricInput: code.electricInput,
      lineComment: "//",
    };
  });

  /** Cells that were opened before the mode was there. */
  function refresh() {
    for (const cell of Jupyter.notebook.get_cells()) {
      const mode = cell.code_mirror?.getOption("mode");
      if (mode?.name === "restlab") cell.code_mirror.setOption("mode", { ...mode });
    }
  }

  return { onload: refresh };
});
