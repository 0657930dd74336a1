import type { Block } from "../blocks/mod.ts";

/**
 * Removes times and dates: what differs when the same request gets the same answer again. The forms of one bundle
 * are saved together, so only its HTML contains them, and a second run changes a notebook in one place.
 */
export function withoutTimes(blocks: readonly Block[]): readonly Block[] {
  return blocks.flatMap((block) => {
    const remove = REMOVERS[block.kind] as ((block: Block) => readonly Block[]) | undefined;
    return remove === undefined ? [block] : remove(block);
  });
}

type Removers = {
  readonly [K in Block["kind"]]?: (block: Extract<Block, { kind: K }>) => readonly Block[];
};

const REMOVERS: Removers = {
  status: ({ time: _, ...block }) => [block],
  headers: (block) => {
    const headers = block.headers.filter(([name]) => name.toLowerCase() !== "date");
    const total = block.total - (block.headers.length - headers.length);
    return total === 0 ? [] : [{ ...block, headers, total }];
  },
  fold: (block) =>
    block.isTiming === true ? [] : [{ ...block, blocks: withoutTimes(block.blocks) }],
};
