import type { Block } from "../blocks/mod.ts";

/**
 * A form of what is to be seen, such as HTML: one view for each kind of block, so that a new kind is
 * missed by none of them without the compiler's saying so.
 */
export type Form<Shown, Context extends readonly unknown[] = []> = {
  readonly [Kind in Block["kind"]]: (
    block: Extract<Block, { kind: Kind }>,
    ...context: Context
  ) => Shown;
};

/** Shows a block in a form. */
export function showBlock<Shown, Context extends readonly unknown[]>(
  form: Form<Shown, Context>,
  block: Block,
  ...context: Context
): Shown {
  // The compiler does not see that the view found by a block's kind takes that very block.
  const view = form[block.kind] as (block: Block, ...context: Context) => Shown;
  return view(block, ...context);
}
