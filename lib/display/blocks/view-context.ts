import {
  combineSecrets,
  createMasker,
  createRedactor,
  HIDDEN,
  type Hidden,
  type Masker,
  type Masking,
  maskBeginning,
  type Redactor,
  SHOW_SECRETS,
  UNREDACTED,
} from "../../secrets/mod.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { shownTexts } from "./shown-texts.ts";

export { createMasker, HIDDEN, type Hidden, type Masker, type Redactor, SHOW_SECRETS, UNREDACTED };

/** How values are viewed: how much of them, and without which secrets. */
export interface ViewContext {
  readonly limits: Limits;
  /** What masks secrets. */
  readonly masking: Masking;
  /**
   * Masks a text before it is cut, since half a secret would not be found. Only the part of a long text that
   * can be shown is masked.
   */
  readonly redact: Masking["mask"];
  /** Masks the parts of data. */
  readonly redactor: Redactor;
  /** Whether secrets are shown, including those that are recognized by their place alone. */
  readonly showsSecrets: boolean;
}

/** Creates a view context that masks texts, and all secrets of clients, in whatever form. */
export function createViewContext(
  limits: Limits = DEFAULT_LIMITS,
  secrets: readonly Hidden[] = [],
): ViewContext {
  const masking = combineSecrets(secrets);
  const most = maxText(limits);
  const redact: ViewContext["redact"] = (text, write) =>
    maskBeginning(text, most, (part) => masking.mask(part, write));
  return {
    limits,
    masking,
    redact,
    redactor: createRedactor((text) => redact(text)),
    showsSecrets: secrets.includes(SHOW_SECRETS),
  };
}

/**
 * The same context for data of a response. The texts that are shown are searched together, and all members
 * below secret names are hidden.
 *
 * @param masker Keeps what was searched.
 */
export function forData(context: ViewContext, data: unknown, masker: Masker): ViewContext {
  const most = maxText(context.limits);
  masker.searchAll(shownTexts(data, context.limits));
  const mask = (text: string): string => masker.mask(text, most);
  return { ...context, redactor: createRedactor(mask, context.masking.isSecretName) };
}

/** The same context for a member of data. */
export function forMember(context: ViewContext, name: string): ViewContext {
  return { ...context, redactor: context.redactor.at(name) };
}

/** How many characters of one text are shown at most. */
export function maxText({ text, line, json, cell }: Limits): number {
  return Math.max(text, line, json, cell * 4);
}
