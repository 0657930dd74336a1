import type { ShownView } from "../client/mod.ts";
import type { Block } from "./block.ts";
import { DISPLAY, type MimeBundle } from "./bundle.ts";
import { lookAtError } from "./error.ts";
import { fitBundle } from "./fit.ts";
import { toHtml } from "./html.ts";
import { createLens, type Hidden, type Lens } from "./lens.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { toMarkdown } from "./markdown.ts";
import { REVEALED_NOTE } from "./revealed.ts";
import { toText } from "./text.ts";

/** A look at a value that shows itself: in notebooks by its bundle, at a terminal by its blocks. */
export interface View extends ShownView {
  /** What is to be seen, as far as a lens lets through. */
  readonly look: (lens: Lens) => readonly Block[];
}

/** What a view may show and what it may not. */
export interface ViewOptions {
  /** How much is shown; a screen or two unless told. */
  readonly limits?: Limits;
  /** What is hidden: texts, and what clients know to be secret. */
  readonly secrets?: readonly Hidden[];
}

const VIEW: unique symbol = Symbol.for("restlab.view");
const INSPECTIONS = [Symbol.for("nodejs.util.inspect.custom"), Symbol.for("Deno.customInspect")];

/**
 * Makes a view.
 *
 * @param given Says what is to be seen. Where it throws, as getters of a program's objects may, the
 *   error is what there is to see.
 * @param data What a viewer of JSON gets, where there is such a form.
 */
export function createView(
  given: View["look"],
  { limits = DEFAULT_LIMITS, secrets = [] }: ViewOptions = {},
  data: (lens: Lens) => unknown = () => undefined,
): View {
  const look: View["look"] = (lens) => {
    try {
      return given(lens);
    } catch (error) {
      return lookAtError(error, lens);
    }
  };
  const render = (allowed: Limits): MimeBundle => {
    const lens = createLens(allowed, secrets);
    const blocks = withNote(look(lens), lens);
    // Data have no place for the note that they hold secrets.
    const json = lens.showsSecrets ? undefined : data(lens);
    return {
      "text/plain": toText(blocks),
      "text/html": toHtml(blocks),
      "text/markdown": toMarkdown(blocks),
      ...(json === undefined ? {} : { "application/json": json }),
    };
  };
  const text = (): string => {
    const lens = createLens(limits, secrets);
    return toText(withNote(look(lens), lens));
  };
  const view = {
    [VIEW]: true,
    [DISPLAY]: () => fitBundle(limits, render),
    ...Object.fromEntries(INSPECTIONS.map((symbol) => [symbol, text])),
  };
  // The fields are not counted among the keys: a view that is looked at shows itself, not its parts.
  return Object.defineProperties(view, {
    look: { value: look },
    toString: { value: text },
  }) as unknown as View;
}

function withNote(blocks: readonly Block[], { showsSecrets }: Lens): readonly Block[] {
  return showsSecrets ? [...blocks, REVEALED_NOTE] : blocks;
}

/** Whether a value is a view, whichever copy of the library made it. */
export function isView(value: unknown): value is View {
  return typeof value === "object" && value !== null && Reflect.get(value, VIEW) === true;
}
