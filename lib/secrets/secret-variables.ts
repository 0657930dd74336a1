import { findSecretValues } from "./find/mod.ts";
import type { KnownTexts } from "./known-texts.ts";
import type { Learner } from "./learn.ts";
import { HIDDEN, isPlaceholder, type NameRule, whyUnsafe } from "./names/mod.ts";
import type { Remarks } from "./remarks.ts";

/** How the variables of a client change its secrets. */
export interface SecretVariables {
  /**
   * Takes the new value of a variable.
   *
   * @param isSecret Whether it is secret; decided by its name where it is left out.
   * @param onUnsafe Whether a value that cannot be masked safely is refused or remarked upon.
   * @throws {TypeError} It should be secret, and masking it would hide unrelated text.
   */
  setVariable(
    name: string,
    value: unknown,
    isSecret: boolean | undefined,
    onUnsafe?: "refuse" | "remark",
  ): void;
  /** Hides a value that no variable holds. */
  hide(value: unknown): void;
  /** Removes a variable; its value stays a secret of this session. */
  deleteVariable(name: string): void;
  /** Whether a variable was declared secret, or is by its name. */
  isSecretVariable(name: string): boolean;
  /** Whether a variable is secret, or a part of it. */
  holdsSecret(name: string): boolean;
}

/** Creates the variables' side of a store. */
export function createSecretVariables(
  known: KnownTexts,
  { learn, finish }: Learner,
  isSecretName: NameRule,
  remarks: Remarks,
): SecretVariables {
  /** What was said of variables by name. */
  const declared = new Map<string, boolean>();
  const isSecretVariable = (name: string): boolean => declared.get(name) ?? isSecretName(name);

  return {
    setVariable: (name, value, isSecret, onUnsafe = "refuse") => {
      const said = isSecret ?? declared.get(name);
      // A deferred scan must not learn the value again after it was published.
      if (said === false) finish();
      const { found, unsafe } = secretsOf(name, value, said, isSecretName);
      const [reason] = unsafe;
      if (said === true && onUnsafe === "refuse" && reason !== undefined && found.size === 0) {
        throw new TypeError(
          `Cannot keep the variable "${name}" secret: ${reason.replace(/^.*? cannot be masked: /, "")}; ` +
            "set it without secret: true, or choose a longer value",
        );
      }
      for (const text of unsafe) remarks.add(`The value of ${text}`);
      // A URL with credentials is not itself a secret.
      if (typeof value === "string" && value.includes("://")) {
        learn({ kind: "url", url: value }, "person");
      }
      if (isSecret !== undefined) declared.set(name, isSecret);
      if (said === false) known.publishVariable(name);
      else if (found.size > 0 || known.hasVariable(name)) known.setVariable(name, found);
    },
    hide: (value) => {
      findSecretValues(value, { path: undefined, state: "told", isSecretName }, (text) => {
        const reason = whyUnsafe(text);
        if (reason !== undefined && text !== "")
          remarks.add(`A secret cannot be masked: ${reason}`);
        known.add(text, "person");
      });
    },
    deleteVariable: (name) => {
      declared.delete(name);
      if (known.hasVariable(name)) known.setVariable(name, new Map());
    },
    isSecretVariable,
    holdsSecret: (name) => isSecretVariable(name) || known.hasVariable(name),
  };
}

/** The texts of a variable's value that can be masked, with their placeholders, and why others cannot. */
function secretsOf(
  name: string,
  value: unknown,
  said: boolean | undefined,
  isSecretName: NameRule,
): { readonly found: ReadonlyMap<string, string>; readonly unsafe: ReadonlySet<string> } {
  const found = new Map<string, string>();
  const unsafe = new Set<string>();
  if (said === false) return { found, unsafe };
  const state = said === true ? "told" : isSecretName(name) ? "named" : "open";
  findSecretValues(value, { path: name, state, isSecretName }, (text, placeholder = HIDDEN) => {
    if (text === "" || (said !== true && isPlaceholder(text))) return;
    const reason = whyUnsafe(text);
    if (reason !== undefined) unsafe.add(`${placeholder} cannot be masked: ${reason}`);
    else if (!found.has(text)) found.set(text, placeholder.includes(text) ? HIDDEN : placeholder);
  });
  return { found, unsafe };
}
