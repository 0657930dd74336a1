import { REQUEST_LANGUAGE } from "../../language/mod.ts";
import { kindOfCell } from "../../session/mod.ts";
import type { DocumentCell } from "./document.ts";

type Metadata = Readonly<Record<string, unknown>>;

/**
 * The metadata of a cell with its language for VS Code, in the form in which VS Code saves it. Without it, VS Code
 * reads requests as TypeScript and reports them as errors.
 */
export function cellMetadata(cell: DocumentCell): Metadata {
  if (cell.type !== "code") return cell.metadata;
  const { vscode, ...others } = cell.metadata;
  const { languageId, ...kept } = (vscode ?? {}) as Metadata;
  if (isTypescript(cell)) {
    // Another language is a person's choice.
    if (languageId !== REQUEST_LANGUAGE) return cell.metadata;
    return Object.keys(kept).length === 0 ? others : { ...others, vscode: kept };
  }
  return { ...others, vscode: { ...kept, languageId: REQUEST_LANGUAGE } };
}

/** A cell with nothing but settings such as `%env test` is not TypeScript either. */
function isTypescript({ source, line }: DocumentCell): boolean {
  const { kind } = kindOfCell(source, line !== undefined);
  return kind === "typescript" || (kind === "empty" && !source.trimStart().startsWith("%"));
}
