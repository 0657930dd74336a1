interface DocumentEntry {
  readonly text: string;
  /** The line on which it begins, from 1, in a file of requests, whose cells are never TypeScript. */
  readonly line?: number;
}

/**
 * Reads and renders files with cells. The prompt itself knows no file format; the program passes this
 * in.
 */
export interface Documents {
  /**
   * Reads the runnable cells of a `.ipynb`, `.http` or `.rest` file.
   *
   * @throws {Error} The file cannot be read; the message names it and says why.
   */
  read(path: string): Promise<readonly DocumentEntry[]>;
  /**
   * Renders cells in the format of the path's extension.
   *
   * @throws {Error} No format has that extension.
   */
  render(path: string, entries: readonly string[]): Promise<string>;
}
