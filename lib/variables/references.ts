import type { Reference } from "../interpolation/mod.ts";
import type { SecretStore } from "../secrets/mod.ts";
import { SecretError } from "./errors.ts";

/** The schemes of the references that every client knows. */
const COMMON =
  /^(?:op|bws?|pass|gopass|keychain|vault|aws-sm|aws-ssm|gcp-sm|azure-kv|doppler|infisical|sops|gh|fnox|aspnet-user-secrets)$/;

/** What a client says with a reference whose secret it needs. */
export interface SecretRequest {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a variable of the process is a secret, by its name or since its value is known as one. */
  readonly isSecret: (name: string, value: string) => boolean;
}

/** A reference: `op://Private/api/token`, its beginning `op`, and its rest. */
export type SecretReference = Pick<Reference, "scheme" | "path" | "text">;

/** Where a client gets the secrets that references name. */
export interface SecretSource {
  /** Whether it knows a scheme besides the common ones. */
  readonly knows: (scheme: string) => boolean;
  /** Why a reference cannot be fetched, as far as that is seen without a program: it is not complete. */
  readonly refuse: (reference: SecretReference) => string | undefined;
  /**
   * Fetches a secret.
   *
   * @throws {Error} There is none; the message says why, and what to do.
   */
  readonly fetch: (reference: SecretReference, request: SecretRequest) => Promise<string>;
  /** Forgets what it has fetched. */
  readonly forget?: (() => void) | undefined;
}

const REFERENCE = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const LONGEST = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * The references of a client, and the secrets that were fetched for them. They stay in memory until they are forgotten.
 * Nothing is fetched where a value is only read: reading one that is missing notes it, and {@link References.wantedBy}
 * tells what a use of them was missing.
 */
export class References {
  readonly #source: SecretSource | undefined;
  readonly #secrets: SecretStore;
  readonly #isReceived: (text: string) => boolean;
  /** All that were seen, by their texts. */
  readonly known: Map<string, Reference> = new Map();
  readonly #fetched = new Map<string, string>();
  #wanted: Set<Reference> | undefined;

  /**
   * Creates an empty store; without a source, a reference is an error where it is used.
   *
   * @param isReceived Whether a response of the client contains a text.
   */
  constructor(
    source: SecretSource | undefined,
    secrets: SecretStore,
    isReceived: (text: string) => boolean,
  ) {
    this.#source = source;
    this.#secrets = secrets;
    this.#isReceived = isReceived;
    secrets.isReference = (text) => this.of(text) !== undefined;
  }

  /** The reference that a value as a whole is. */
  of(value: unknown): Reference | undefined {
    if (typeof value !== "string" || !value.includes("://")) return undefined;
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const [text, scheme, path] = REFERENCE.exec(value) ?? [];
    if (text === undefined || scheme === undefined || path === undefined) return undefined;
    if (!COMMON.test(scheme) && this.#source?.knows(scheme) !== true) return undefined;
    const reference = this.#create({ scheme, path, text });
    this.known.set(text, reference);
    return reference;
  }

  /** The reference that a value is which a program sets, and whether it came from a response: it must not choose a secret. */
  given(
    value: unknown,
  ): { readonly reference: Reference; readonly isReceived: boolean } | undefined {
    const reference = this.of(value);
    return reference && { reference, isReceived: this.#isReceived(reference.text) };
  }

  /** The references whose secrets are fetched when something that uses them is sent. */
  waiting(): readonly string[] {
    const waiting = [...this.known.values()].filter(({ isWaiting }) => isWaiting);
    return waiting.map(({ text }) => text);
  }

  /** The references without a secret that a synchronous use of variables reads. */
  wantedBy(use: () => void): readonly Reference[] {
    const wanted = new Set<Reference>();
    this.#wanted = wanted;
    try {
      use();
    } finally {
      this.#wanted = undefined;
    }
    return [...wanted];
  }

  /**
   * Fetches the secret of a reference.
   *
   * @param variable The variable that it is the value of, and where that is set, for the error.
   * @throws {SecretError} It cannot be fetched.
   */
  async fetch(
    reference: Reference,
    variable: { readonly name: string; readonly place: string } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { isSecretName, mask } = this.#secrets;
    const isSecret: SecretRequest["isSecret"] = (name, value) =>
      isSecretName(name) || mask(value) !== value;
    try {
      const secret = await this.#source?.fetch(reference, { signal, isSecret });
      if (secret === undefined) return;
      this.#secrets.hide(secret);
      this.#fetched.set(reference.text, secret);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      const { text } = reference;
      const what =
        variable === undefined
          ? `the secret of ${text}`
          : `the variable "${variable.name}" (${variable.place}: ${text})`;
      const reason = mask(error instanceof Error ? error.message : String(error));
      throw new SecretError(`Cannot fetch ${what}: ${reason}`);
    }
  }

  /** Forgets all secrets; returns the references whose secrets they were. */
  forget(): readonly string[] {
    const texts = [...this.#fetched.keys()];
    this.#fetched.clear();
    this.#source?.forget?.();
    return texts;
  }

  #create(written: SecretReference): Reference {
    const { text, scheme } = written;
    const fetched = this.#fetched;
    const reason = this.#refuse(written);
    const reference: Reference = {
      ...written,
      get isWaiting() {
        return reason === undefined && !fetched.has(text);
      },
      resolve: () => {
        if (reason !== undefined) throw new SyntaxError(reason);
        const found = fetched.get(text);
        if (found !== undefined) return found;
        this.#wanted?.add(reference);
        const message = `${scheme} is asked for it when a request that uses it is sent`;
        throw new SecretError(message, { hint: "Send the request, or set the variable" });
      },
    };
    return reference;
  }

  /** Why a reference is an error wherever it is used. */
  #refuse(reference: SecretReference): string | undefined {
    const { text, path, scheme } = reference;
    if (this.#source === undefined) {
      return `this client cannot ask ${scheme} for it: give createClient a secretSource`;
    }
    if (text.length > LONGEST) return `a reference has at most ${LONGEST} characters`;
    if (CONTROL.test(text)) return "a reference has no line breaks and no control characters";
    if (text.includes("{{")) {
      return "a reference has no placeholders, since a response could choose the secret: write it whole, in each environment";
    }
    if (path === "") return `nothing follows "${scheme}://"`;
    return this.#source.refuse(reference);
  }
}
