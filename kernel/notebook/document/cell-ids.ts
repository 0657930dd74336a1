const VALID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Creates cell ids that are valid and unique in a document, as nbformat 4.5 requires (JEP 62). The same
 * document always gets the same ids, so that a second run makes no diff.
 *
 * @returns A function from the id that a cell has, if any, and its index to the id to write.
 */
export function createCellIds(): (own: unknown, index: number) => string {
  const taken = new Set<string>();
  return (own, index) => {
    const made = `cell-${index + 1}`;
    let id = typeof own === "string" && VALID.test(own) && !taken.has(own) ? own : made;
    for (let number = 2; taken.has(id); number++) id = `${made}-${number}`;
    taken.add(id);
    return id;
  };
}
