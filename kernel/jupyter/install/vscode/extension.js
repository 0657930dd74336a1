// VS Code keeps one language for each cell. This gives the cells of restlab notebooks theirs while they are written;
// notebooks that restlab saves contain it.

import { readCell } from "../front-ends/request-mode.js";

const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.workspace.onDidChangeNotebookDocument(({ notebook, cellChanges, contentChanges }) => {
      const changed = cellChanges.filter(({ document }) => document).map(({ cell }) => cell);
      const added = contentChanges.flatMap(({ addedCells }) => addedCells);
      if (isOurs(notebook)) for (const cell of [...changed, ...added]) setLanguage(cell);
    }),
  );
};

/** Whether the notebook has a kernel of `restlab install`. */
function isOurs({ notebookType, metadata }) {
  const { kernelspec } = metadata?.metadata ?? metadata ?? {};
  return notebookType === "jupyter-notebook" && /^restlab/.test(kernelspec?.language ?? "");
}

/** An empty cell keeps its language, and so does one in a language of the person's choice. */
function setLanguage(cell) {
  const { document } = cell;
  const text = document.getText();
  if (cell.kind !== vscode.NotebookCellKind.Code || text.trim() === "") return;
  const kind = readCell(text);
  const language = kind === "request" || kind === "setting" ? "http" : "typescript";
  const isOther = document.languageId !== language;
  if (isOther && ["http", "typescript", "plaintext", "python"].includes(document.languageId)) {
    vscode.languages.setTextDocumentLanguage(document, language);
  }
}
