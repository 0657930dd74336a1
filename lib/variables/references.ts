import type { Exchange } from "../exchange/mod.ts";
import type { LateValue, Placeholder, Reference, Scope, Value } from "../interpolation/mod.ts";
import type { Entry } from "../request/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import type { TrialTerms } from "./scope.ts";
import type { VariableStore } from "./variables.ts";

/** The schemes of the references that every client knows. */
export const COMMON: RegExp =
  /^(?:op|bws?|(?:go)?pass|keychain|vault|aws-ss?m|gcp-sm|azure-kv|doppler|infisical|sops|gh|fnox|aspnet-user-secrets):\/\//;

/** What a check takes for a secret that is fetched when a text is sent. */
export const STAND_IN = "secret";

/** Where a client gets the secrets that references name, as `createSecretSource` makes it. */
export interface SecretSource {
  /**
   * Opens the references of a client, for the client itself.
   *
   * @internal
   */
  readonly open: (context: object) => object;
}

/** A variable that names a secret by a reference, or contains one that does. */
export interface NamedSecret {
  /** The name of the variable, or `$default_headers` and that of a header. */
  readonly name: string;
  /** The reference: `op://Private/api/token`. */
  readonly reference: string;
  /** What it begins with: `op`. */
  readonly scheme: string;
  /** Where it is set: a file and its line, a line of a text, or `setVar`. */
  readonly place: string;
}

/** What the references of a client work with. */
export interface ReferenceContext {
  readonly secrets: SecretStore;
  /** Returns what ends the calling code. */
  readonly owner: () => AbortSignal | undefined;
  /** Returns the latest responses. */
  readonly received: () => readonly Pick<Exchange, "text" | "headers">[];
}

/** What is about to be sent. */
export interface SentText {
  readonly entries: readonly Entry[];
  /** Those of default headers. */
  readonly placeholders: readonly Placeholder[];
  readonly signal?: AbortSignal | undefined;
  /** Refuses other faults, before a secret is fetched. */
  readonly refuse?: (() => void) | undefined;
}

/** The values that something is made of. */
export interface Values {
  readonly variables: VariableStore;
  trial(terms: TrialTerms): Scope;
}

/**
 * The references of a client, and the secrets that were fetched for them. They stay in memory until they are forgotten.
 * Nothing is fetched where a value is only read.
 */
export interface References {
  /** All that were seen, by their texts. */
  readonly known: ReadonlyMap<string, Reference>;
  /** The reference that a value as a whole is. */
  of(value: unknown): Reference | undefined;
  /** The value of a variable that a program has set to a reference. */
  late(reference: Reference): LateValue;
  /** Whether a response contains a reference: it must not choose a secret. */
  isReceived(reference: Reference): boolean;
  /** The references whose secrets are fetched when something that uses them is sent. */
  waiting(): readonly string[];
  /** Whether a variable has no value before a secret is fetched. */
  isWaiting(name: string, variables: VariableStore): boolean;
  /** The names of such variables. */
  waitingNames(variables: VariableStore): readonly string[];
  /** The value of an object in which a secret is waited for, with a stand-in for each. */
  trialOf(name: string, variables: VariableStore): Value | undefined;
  /** The references that variables and default headers have. */
  named(variables: VariableStore): readonly NamedSecret[];
  /** Whether something that is sent needs a secret that was not fetched yet. */
  isNeededBy(sent: SentText, values: Values): boolean;
  /**
   * Fetches what something that is sent needs.
   *
   * @throws {SecretError} A secret cannot be fetched.
   */
  fetchFor(sent: SentText, values: Values): Promise<void>;
  /**
   * Uses the values of a scope in a text that is read only then; again if secrets were missing, which are fetched.
   *
   * @throws {SecretError} A secret cannot be fetched.
   */
  during<T>(
    scope: Scope,
    use: (scope: Scope) => Promise<T>,
    values: Values,
    signal?: AbortSignal,
  ): Promise<T>;
  /**
   * The value of a variable, once the secrets that it is made of are there.
   *
   * @throws {SecretError} One cannot be fetched.
   */
  valueOf(name: string, values: Values): Promise<Value | undefined>;
  /** Forgets all secrets; returns the references whose secrets they were. */
  forget(): readonly string[];
}

/** Those of a client without a source: a reference is an error where it is used. */
export function withoutSource(): References {
  return {
    known: new Map(),
    of: (text) => {
      if (typeof text !== "string" || !COMMON.test(text)) return undefined;
      const [scheme = "", path = text] = text.split("://");
      const resolve = (): never => {
        throw new Error("this client has no secretSource");
      };
      return { scheme, path, text, isWaiting: false, resolve };
    },
    late: ({ scheme, resolve }) => ({ place: "setVar", names: [], isLazy: true, scheme, resolve }),
    isReceived: () => false,
    waiting: () => [],
    isWaiting: () => false,
    waitingNames: () => [],
    trialOf: () => undefined,
    named: () => [],
    isNeededBy: () => false,
    fetchFor: async () => undefined,
    during: (scope, use) => use(scope),
    valueOf: async (name, { variables }) => variables.get(name),
    forget: () => [],
  };
}
