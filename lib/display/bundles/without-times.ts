import type { Block, TableBlock } from "../blocks/mod.ts";

/**
 * Removes times and dates: what differs when the same request gets the same answer again. The forms of one bundle
 * are saved together, so only its HTML contains them, and a second run changes a notebook in one place.
 *
 * @param stable Whether columns of times are removed as well. A table of durations is read for them, at a
 *   terminal too, so all forms have them otherwise.
 */
export function withoutTimes(blocks: readonly Block[], stable = false): readonly Block[] {
  return blocks.flatMap((block): readonly Block[] => {
    switch (block.kind) {
      case "status": {
        const { time: _, ...others } = block;
        return [others];
      }
      case "headers": {
        const headers = block.headers.filter(([name]) => name.toLowerCase() !== "date");
        const total = block.total - (block.headers.length - headers.length);
        return total === 0 ? [] : [{ ...block, headers, total }];
      }
      case "table":
        return [stable ? withoutTimeColumns(block) : block];
      case "fold":
        if (block.isTiming === true) return [];
        return [{ ...block, blocks: withoutTimes(block.blocks, stable) }];
      default:
        return [block];
    }
  });
}

function withoutTimeColumns({ times = [], ...block }: TableBlock): TableBlock {
  const keep = <T>(list: readonly T[]): readonly T[] =>
    list.filter((_, index) => !times.includes(index));
  const { columns, rows, columnPaths, totalColumns } = block;
  return {
    ...block,
    columns: keep(columns),
    rows: rows.map(keep),
    totalColumns: totalColumns - times.length,
    ...(columnPaths === undefined ? {} : { columnPaths: keep(columnPaths) }),
  };
}
