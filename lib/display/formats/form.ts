import type { Block } from "../blocks/mod.ts";

/**
 * A format of blocks, such as HTML: one function for each kind of block, so that the compiler finds formats
 * that lack a new kind.
 */
export type Form<Shown, Context extends readonly unknown[] = []> = {
  readonly [Kind in Block["kind"]]: (
    block: Extract<Block, { kind: Kind }>,
    ...context: Context
  ) => Shown;
};

/** Renders a block in a format. */
export function showBlock<Shown, Context extends readonly unknown[]>(
  form: Form<Shown, Context>,
  block: Block,
  ...context: Context
): Shown {
  // The compiler does not know that the function found by the kind of a block accepts that block.
  const view = form[block.kind] as (block: Block, ...context: Context) => Shown;
  return view(block, ...context);
}
