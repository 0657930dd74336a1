/** One cell of a file, as the prompt runs it. */
export interface DocumentEntry {
  readonly text: string;
  /** The line of the file on which it begins, from 1, where the file is plain text. */
  readonly line?: number;
}

/**
 * Files that hold cells. The prompt knows no format: what reads and writes them is handed in by
 * whoever puts the program together.
 */
export interface Documents {
  /**
   * Reads the cells of a `.ipynb`, `.http` or `.rest` file that are to be run.
   *
   * @throws {Error} The file cannot be read; the message says which, why, and what to do.
   */
  read(path: string): Promise<readonly DocumentEntry[]>;
  /**
   * Renders cells as a file of the format that the path's ending names.
   *
   * @throws {Error} No format has that ending.
   */
  render(path: string, entries: readonly string[]): Promise<string>;
}
