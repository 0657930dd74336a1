import { type Block, cutText, forData, shortCell, type ViewContext } from "../blocks/mod.ts";
import { type Body, shownText } from "./body.ts";
import { viewText } from "./text-view.ts";

const MAX_TEXT = 1_000_000;

/** Displays the decoded fields of an HTML form (`application/x-www-form-urlencoded`). */
export function viewForm(body: Body, context: ViewContext): readonly Block[] {
  const { limits } = context;
  const text = body.text();
  const pairs = [...new URLSearchParams(text.slice(0, MAX_TEXT).trim())];
  if (text.length > MAX_TEXT || pairs.length === 0) {
    return viewText(shownText(body, context), undefined, context);
  }
  const shown = pairs.slice(0, limits.fields);
  const { redactor } = forData(context, shown, body.masker(context));
  const fields = shown.map(([key, value]) => ({
    key: cutText(redactor.key(key), limits.cell),
    value: shortCell("text", redactor.at(key).text(value), limits.cell * 4),
  }));
  return [{ kind: "fields", of: "object", fields, total: pairs.length }];
}
