/** A notebook of code cells. */
export function notebook(...sources: readonly string[]): string {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `c${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
}
