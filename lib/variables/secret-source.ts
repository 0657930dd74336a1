import {
  type LateValue,
  locate,
  type Placeholder,
  type Reference,
  resolvePlaceholder,
  type Scope,
  type Value,
} from "../interpolation/mod.ts";
import { parseWrittenJson } from "../json/mod.ts";
import {
  type Entry,
  isDisabled,
  LineValues,
  placeholdersOf,
  type RequestDraft,
  resolveAssignment,
  withGiven,
} from "../request/mod.ts";
import { SecretError } from "./errors.ts";
import {
  COMMON,
  type NamedSecret,
  type ReferenceContext,
  type References,
  type SecretSource,
  type SentText,
  type Values,
} from "./references.ts";
import type { VariableStore } from "./variables.ts";

/** A reference: `op://Private/api/token`, its beginning `op`, and its rest. */
export type SecretReference = Pick<Reference, "scheme" | "path" | "text">;

/** What a client says with a reference whose secret it needs. */
export interface SecretRequest {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Whether a variable of the process is a secret, by its name or since its value is known as one. */
  readonly isSecret: (name: string, value: string) => boolean;
}

/** What fetches the secrets that references name. */
export interface SecretFetcher {
  /** Whether it knows a scheme besides the common ones. */
  readonly knows?: ((scheme: string) => boolean) | undefined;
  /** Why a reference cannot be fetched, as far as that is seen without asking: it is not complete. */
  readonly refuse?: ((reference: SecretReference) => string | undefined) | undefined;
  /**
   * Fetches a secret.
   *
   * @throws {Error} There is none; the message says why, and what to do.
   */
  readonly fetch: (reference: SecretReference, request: SecretRequest) => Promise<string>;
  /** Forgets what it has fetched. */
  readonly forget?: (() => void) | undefined;
}

/**
 * Creates the option `secretSource` of a client: the values of variables that are references, such as
 * `op://Private/api/token`, are fetched when a request that uses them is about to be sent.
 *
 * @param fetcher What fetches a secret.
 * @example
 * ```ts
 * const secretSource = createSecretSource({ fetch: async ({ path }) => `the secret ${path}` });
 * const lab = createClient({ secretSource });
 * lab.setVar("token", "vault://api/token");
 * const exchange = await lab.send("GET http://127.0.0.1:8787/echo?token={{token}}");
 * exchange.request.writtenUrl; // "http://127.0.0.1:8787/echo?token=the secret api/token"
 * ```
 */
export function createSecretSource(fetcher: SecretFetcher): SecretSource {
  return { open: (context) => new FetchedReferences(fetcher, context as ReferenceContext) };
}

const REFERENCE = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is;
const LONGEST = 2_000;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are refused
const CONTROL = /[\u0000-\u001f\u007f]/;

/** References whose secrets are fetched: reading one without a secret notes it, so that a use tells what it needs. */
class FetchedReferences implements References {
  readonly known = new Map<string, Reference>();
  readonly #fetcher: SecretFetcher;
  readonly #context: ReferenceContext;
  readonly #fetched = new Map<string, string>();
  #wanted: Set<Reference> | undefined;

  constructor(fetcher: SecretFetcher, context: ReferenceContext) {
    this.#fetcher = fetcher;
    this.#context = context;
  }

  of(value: unknown): Reference | undefined {
    if (typeof value !== "string" || !value.includes("://")) return undefined;
    const known = this.known.get(value);
    if (known !== undefined) return known;
    const [text, scheme, path] = REFERENCE.exec(value) ?? [];
    if (text === undefined || scheme === undefined || path === undefined) return undefined;
    if (!COMMON.test(text) && this.#fetcher.knows?.(scheme) !== true) return undefined;
    const reference = this.#create({ scheme, path, text });
    this.known.set(text, reference);
    return reference;
  }

  late(reference: Reference): LateValue {
    const { scheme, text, resolve } = reference;
    const late = { place: "setVar", isLazy: true, scheme };
    // It is not sent either: a person may have written it.
    return this.isReceived(reference)
      ? { ...late, names: [], resolve: refuseReceived }
      : { ...late, names: [text], resolve };
  }

  isReceived({ text }: Reference): boolean {
    const contains = (written: string): boolean => {
      const plain = written.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
      return plain.replaceAll("\\/", "/").includes(text);
    };
    return this.#context
      .received()
      .some(({ text: body, headers }) => [body, ...headers.values()].some(contains));
  }

  waiting(): readonly string[] {
    const waiting = [...this.known.values()].filter(({ isWaiting }) => isWaiting);
    return waiting.map(({ text }) => text);
  }

  isWaiting(name: string, { late }: VariableStore): boolean {
    return late.namesOf(name).some((one) => this.known.get(one)?.isWaiting === true);
  }

  waitingNames(variables: VariableStore): readonly string[] {
    const names = Array.from(variables.late.entries(), ([name]) => name);
    return names.filter((name) => variables.isKnown(name) && this.isWaiting(name, variables));
  }

  trialOf(name: string, variables: VariableStore): Value | undefined {
    try {
      return isDivided(name, variables) ? variables.late.get(name)?.resolveTrial?.() : undefined;
    } catch {
      return undefined; // Something else is missing, which is said of the variable.
    }
  }

  named(variables: VariableStore): readonly NamedSecret[] {
    return [...variables.late.entries()].flatMap(([label, { names, place }]) => {
      const name = label.replace(/^\$shared (?=\$default_headers )/, "");
      if (name === label && !variables.isKnown(label)) return [];
      return names.flatMap((one) => {
        const found = this.of(one);
        return found === undefined ? [] : [{ name, place, reference: one, scheme: found.scheme }];
      });
    });
  }

  isNeededBy(sent: SentText, values: Values): boolean {
    return this.waiting().length > 0 && this.#wantedBy(() => readAll(sent, values)).length > 0;
  }

  async fetchFor(sent: SentText, values: Values): Promise<void> {
    if (this.waiting().length > 0) await this.#fetchAll(() => readAll(sent, values), values, sent);
  }

  async during<T>(
    scope: Scope,
    use: (scope: Scope) => Promise<T>,
    values: Values,
    signal?: AbortSignal,
  ): Promise<T> {
    const missing = new Set<string>();
    const get: Scope["get"] = (name) => {
      const value = scope.get(name);
      if (value === undefined) missing.add(name);
      return value;
    };
    try {
      return await use({ ...scope, get });
    } catch (error) {
      const read = (): void => {
        values.variables.retry();
        for (const name of missing) scope.get(name);
      };
      if (this.#wantedBy(read).length === 0) throw error;
      await this.#fetchAll(read, values, { signal });
      return await use(scope);
    }
  }

  async valueOf(name: string, values: Values): Promise<Value | undefined> {
    const { variables } = values;
    variables.retry();
    await this.#fetchAll(() => void variables.lookUp(name), values, {});
    return variables.get(name);
  }

  forget(): readonly string[] {
    const texts = [...this.#fetched.keys()];
    this.#fetched.clear();
    this.#fetcher.forget?.();
    return texts;
  }

  /** The references without a secret that a use of variables reads. */
  #wantedBy(use: () => void): readonly Reference[] {
    const wanted = new Set<Reference>();
    this.#wanted = wanted;
    try {
      use();
    } finally {
      this.#wanted = undefined;
    }
    return [...wanted];
  }

  async #fetchAll(
    read: () => void,
    { variables }: Values,
    { entries = [], signal, refuse }: Partial<SentText>,
  ): Promise<void> {
    let wanted = this.#wantedBy(read);
    if (wanted.length > 0) refuse?.();
    // A secret may be a part of what names another one.
    for (; wanted.length > 0; wanted = this.#wantedBy(read)) {
      for (const reference of wanted) {
        const { text } = reference;
        const user = this.named(variables).find((one) => one.reference === text);
        await this.#fetch(reference, user ?? lineOf(text, entries), signal);
        variables.refresh(text);
      }
    }
  }

  /**
   * Fetches a secret.
   *
   * @param variable The variable that the reference is the value of, and where it is set, for the error.
   * @throws {SecretError} It cannot be fetched.
   */
  async #fetch(
    { scheme, path, text }: Reference,
    variable: { readonly name: string; readonly place: string } | undefined,
    given: AbortSignal | undefined,
  ): Promise<void> {
    const { secrets, owner } = this.#context;
    const signal = given ?? owner();
    const isSecret: SecretRequest["isSecret"] = (name, value) =>
      secrets.isSecretName(name) || secrets.mask(value) !== value;
    try {
      const secret = await this.#fetcher.fetch({ scheme, path, text }, { signal, isSecret });
      secrets.hide(secret);
      this.#fetched.set(text, secret);
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason;
      const what =
        variable === undefined
          ? `the secret of ${text}`
          : `the variable "${variable.name}" (${variable.place}: ${text})`;
      const reason = secrets.mask(error instanceof Error ? error.message : String(error));
      throw new SecretError(`Cannot fetch ${what}: ${reason}`);
    }
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
    if (text.length > LONGEST) return `a reference has at most ${LONGEST} characters`;
    if (CONTROL.test(text)) return "a reference has no line breaks and no control characters";
    if (text.includes("{{")) {
      return "a reference has no placeholders, since a response could choose the secret: write it whole, in each environment";
    }
    if (path === "") return `nothing follows "${scheme}://"`;
    return this.#fetcher.refuse?.(reference);
  }
}

function refuseReceived(): never {
  throw new SecretError("a response contains this reference, which is therefore not fetched", {
    hint: "Write it in a file or a line, or set it with { secret: false } to send it as it is",
  });
}

/** Whether a variable is an object in which a secret is waited for. */
function isDivided(name: string, variables: VariableStore): boolean {
  const { resolveTrial } = variables.late.get(name) ?? {};
  return resolveTrial !== undefined && variables.references.isWaiting(name, variables);
}

/** Reads what requests take from variables and from lines above them. */
function readAll({ entries, placeholders }: SentText, { variables, trial }: Values): void {
  const lines = new LineValues();
  const scope = trial({ first: lines, entries, isDivided: (name) => isDivided(name, variables) });
  const read = (one: Placeholder, from: Scope): void => {
    try {
      resolvePlaceholder(one, from);
      if (one.kind === "path" && one.steps.length === 0 && !lines.has(one.name))
        variables.lookUp(one.name);
    } catch {
      // It is broken, which is said where it is rendered.
    }
  };
  for (const one of placeholders) read(one, scope);
  for (const entry of entries) {
    if (entry.kind === "assignment") {
      lines.set({ ...entry, isLazy: true }, scope, (line, own) =>
        resolveAssignment(line, own, { parseJson: parseWrittenJson }),
      );
    } else if (entry.kind === "request" && !isDisabled(entry)) {
      const own = withGiven(entry, scope);
      for (const one of placeholdersOf(entry)) read(one, own);
      const names = Array.from(lines.late.entries(), ([name]) => name);
      for (const name of [...variables.references.waitingNames(variables), ...names]) {
        if (isOfLogin(name, entry)) lines.has(name) ? lines.get(name) : variables.lookUp(name);
      }
    }
  }
}

/** Whether a variable is one of those that `Authorization: oauth2 client_credentials name` names. */
function isOfLogin(name: string, { headers }: RequestDraft): boolean {
  return headers.some((header) => {
    if (header.name.toLowerCase() !== "authorization") return false;
    const found = LOGIN.exec(String(header.value.parts[0]));
    const [, login = "oauth2"] = found ?? [];
    return found !== null && (name === login || name.startsWith(`${login}_`));
  });
}

const LOGIN = /^\s*(?:oauth2|openid)\b(?:\s+\S+)?(?:\s+(\S+))?/i;

/** The variable line whose value is a reference. */
function lineOf(
  reference: string,
  entries: readonly Entry[],
): { readonly name: string; readonly place: string } | undefined {
  const line = entries.find(
    (entry) => entry.kind === "assignment" && entry.value.parts[0] === reference,
  );
  if (line?.kind !== "assignment") return undefined;
  const { line: number } = locate(line, line.span.start);
  return {
    name: line.name,
    place: `${line.file === undefined ? "line " : `${line.file}:`}${number}`,
  };
}
