import type { Block, Lens } from "../blocks/mod.ts";
import { cutText } from "../blocks/mod.ts";
import { viewText } from "./text-view.ts";

const MOST_TEXT = 1_000_000;

/** Displays the decoded fields of an HTML form (`application/x-www-form-urlencoded`). */
export function viewForm(text: string, lens: Lens): readonly Block[] {
  const { limits, hide } = lens;
  const pairs = [...new URLSearchParams(text.slice(0, MOST_TEXT).trim())];
  if (text.length > MOST_TEXT || pairs.length === 0) return viewText(text, undefined, lens);
  const fields = pairs.slice(0, limits.fields).map(([name, value]) => ({
    key: cutText(hide(name), limits.cell),
    value: { text: cutText(hide(value), limits.cell * 4), numeric: false },
  }));
  return [{ kind: "fields", of: "object", fields, total: pairs.length }];
}
