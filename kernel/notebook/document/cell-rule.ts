import type { VerifyRule } from "../../../lib/mod.ts";
import { readVerifyRule, verifyRuleFault } from "../../../lib/shape/mod.ts";
import { type Document, type DocumentCell, DocumentError } from "./document.ts";

/**
 * What `restlab verify` compares of the responses of a cell: `verify` and `ignore` of `restlab` in its metadata,
 * or tags such as `verify:off`. Invalid values are passed over.
 */
export function cellRule(cell: DocumentCell): VerifyRule | undefined {
  return readVerifyRule(entriesOf(cell));
}

/**
 * Checks the rules of all cells.
 *
 * @throws {DocumentError} A rule is invalid; the message names its cell.
 */
export function checkCellRules({ path, cells }: Document): void {
  for (const [index, cell] of cells.entries()) {
    for (const [key, value] of entriesOf(cell)) {
      const fault = verifyRuleFault(key, value);
      if (fault === undefined) continue;
      const where = `the metadata of cell ${index + 1}`;
      throw new DocumentError(
        `Reading "${path}" failed: ${where}: ${fault.message}. ${fault.hint}`,
      );
    }
  }
}

type Entry = readonly [key: string, value: unknown];

function entriesOf({ metadata }: DocumentCell): readonly Entry[] {
  const { tags, restlab } = metadata;
  const listed = (Array.isArray(tags) ? tags : []).flatMap((tag): readonly Entry[] => {
    const [, key, value] = /^(verify|ignore):(.*)$/s.exec(String(tag)) ?? [];
    return key === undefined ? [] : [[key, value]];
  });
  if (typeof restlab !== "object" || restlab === null) return listed;
  const { verify, ignore } = restlab as { readonly verify?: unknown; readonly ignore?: unknown };
  const paths = ignore === undefined ? [] : Array.isArray(ignore) ? ignore : [ignore];
  return [
    ...listed,
    ...(verify === undefined ? [] : [["verify", verify] as const]),
    ...paths.map((path) => ["ignore", path] as const),
  ];
}
