import { findIn, type Material } from "./find.ts";
import { LONGEST, whyUnsafe } from "./forms.ts";
import { KnownTexts, type Provenance } from "./known-texts.ts";
import {
  createNameRule,
  DECLARED,
  findSecretValues,
  type NameRule,
  OPEN,
  placeOfMember,
} from "./names.ts";
import { locateInUrls } from "./pairs.ts";
import { HIDDEN, isPlaceholder, joinRanges, maskRanges, type SecretRange } from "./placeholders.ts";
import { StreamMasker } from "./search.ts";

/** Each message that waits to be searched stays in memory. */
const MAX_DEFERRED = 48;
/** Of one body only the first secrets are learned: they are shown first. */
const MAX_BODY_SECRETS = 4_500;
/** Their characters together: searching for more takes seconds, and hundreds of megabytes. */
const MAX_BODY_SECRETS_LENGTH = 1_000_000;
const MAX_REMARKS = 20;

/**
 * The secrets of a client, and how its variables change them. Those of {@link Secrets} are functions,
 * not methods, so that they can be passed on.
 */
export class SecretStore implements Secrets {
  readonly isSecretName: NameRule;
  /** Whether a text of a person only names a secret, and is none: `op://Private/api/token`. */
  isReference: (text: string) => boolean = () => false;
  /** Whether variables were declared to be secret, by name. */
  readonly #declared = new Map<string, boolean>();
  readonly #known: KnownTexts = new KnownTexts((remark) => this.#remark(remark));
  #deferred: (() => void)[] = [];
  readonly #remarked = new Set<string>();
  #remarks: string[] = [];

  constructor(isSecretName: NameRule) {
    this.isSecretName = isSecretName;
  }

  readonly mask = (text: string, write?: (shown: string) => string): string => {
    const found = this.locate(text);
    return found.length === 0 ? text : maskRanges(text, found, write);
  };

  readonly locate = (text: string): readonly SecretRange[] => {
    if (this.#deferred.length > 0) this.#finishScans();
    const known = this.#known.locate(text);
    // Each text that is shown comes here, and few have a part of a URL.
    const places = /[=@]/.test(text) ? locateInUrls(text, this.isSecretName) : [];
    if (known.length === 0 && places.length === 0) return known;
    return joinRanges([...known, ...places.map((place) => ({ ...place, shown: HIDDEN }))]);
  };

  readonly openStream = (): StreamMasker => {
    const { locate } = this;
    return new StreamMasker({
      locate,
      partialMatch: (text) => {
        this.#finishScans();
        return this.#known.partialMatch(text);
      },
    });
  };

  readonly learn = (material: Material, from: Provenance): void => {
    if (material.kind === "body" || material.kind === "headers") {
      // Scanned once a text is masked: many messages are never shown.
      this.#deferred.push(() => this.#scan(material, from));
      if (this.#deferred.length > MAX_DEFERRED) this.#finishScans();
    } else if (material.kind !== "value") this.#scan(material, from);
    else {
      try {
        this.#scan(material, "server");
      } catch {
        // A getter or a proxy that throws is shown as its error.
      }
    }
  };

  get revision(): number {
    this.#finishScans();
    return this.#known.revision;
  }

  readonly takeRemarks = (): readonly string[] => this.#remarks.splice(0);

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
    onUnsafe: "refuse" | "remark" = "refuse",
  ): void {
    const declared = isSecret ?? this.#declared.get(name);
    // A deferred scan must not learn the value again after it was published.
    if (declared === false) this.#finishScans();
    const { found, unsafe } = secretsOf(name, value, declared, this.isSecretName);
    const [reason] = unsafe.values();
    if (declared === true && onUnsafe === "refuse" && reason !== undefined && found.size === 0) {
      throw new TypeError(
        `Cannot keep the variable "${name}" secret: ${reason}; ` +
          "set it without secret: true, or choose a longer value",
      );
    }
    for (const [placeholder, why] of unsafe) {
      this.#remark(`The value of ${placeholder} cannot be masked: ${why}`);
    }
    // A URL with credentials is not itself a secret.
    if (typeof value === "string" && value.includes("://")) {
      this.learn({ kind: "url", url: value }, "person");
    }
    if (isSecret !== undefined) this.#declared.set(name, isSecret);
    if (declared === false) this.#known.publishVariable(name);
    else if (found.size > 0 || this.#known.hasVariable(name)) this.#known.setVariable(name, found);
  }

  /** Removes a variable; its value stays a secret of this session. */
  deleteVariable(name: string): void {
    this.#declared.delete(name);
    if (this.#known.hasVariable(name)) this.#known.setVariable(name, new Map());
  }

  /** Whether a variable was declared secret, or is by its name. */
  isSecretVariable(name: string): boolean {
    return this.#declared.get(name) ?? this.isSecretName(name);
  }

  /** Whether a variable is secret, or a part of it. */
  holdsSecret(name: string): boolean {
    return this.isSecretVariable(name) || this.#known.hasVariable(name);
  }

  /** Hides a value that is not that of a variable. */
  hide(value: unknown): void {
    const { isSecretName } = this;
    findSecretValues(value, { place: DECLARED, isSecretName }, (text) => {
      if (text === "" || text === HIDDEN) return;
      const reason = whyUnsafe(text);
      if (reason !== undefined) this.#remark(`A secret cannot be masked: ${reason}`);
      this.#known.add(text, "person");
    });
  }

  /** Hides a text, however short or common it is. */
  hideText(text: string): void {
    this.#known.addUnchecked(text);
  }

  #scan(material: Material, from: Provenance): void {
    const seen = new Set<string>();
    let length = 0;
    const isTooMuch = (): boolean =>
      seen.size > MAX_BODY_SECRETS || length > MAX_BODY_SECRETS_LENGTH;
    findIn(material, this.isSecretName, (text, placeholder) => {
      if (text === "" || text.length > LONGEST) return;
      if (material.kind === "source" && this.isReference(text)) return;
      if (!seen.has(text)) length += text.length;
      seen.add(text);
      if (!isTooMuch()) this.#known.add(text, from, placeholder);
    });
    if (isTooMuch()) {
      this.#remark(
        `A body contains more than ${MAX_BODY_SECRETS} secrets, or more than ${MAX_BODY_SECRETS_LENGTH} characters of them: ` +
          "only the first of them are masked in its text",
      );
    }
  }

  #finishScans(): void {
    if (this.#deferred.length === 0) return;
    const deferred = this.#deferred;
    this.#deferred = [];
    for (const scan of deferred) {
      try {
        scan();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        this.#remark(`A message could not be searched for secrets: ${reason}`);
      }
    }
  }

  /** Each remark once, and no more than a screenful. */
  #remark(text: string): void {
    if (this.#remarked.has(text) || this.#remarked.size >= MAX_REMARKS) return;
    this.#remarked.add(text);
    this.#remarks.push(text);
  }
}

/**
 * Creates an empty store.
 *
 * @param names Names whose values are secrets; `SECRET_NAMES` where it is left out.
 */
export function createSecretStore(names?: readonly string[]): SecretStore {
  return new SecretStore(createNameRule(names));
}

/** The texts of a variable's value that can be masked, with their placeholders, and why others cannot. */
function secretsOf(
  name: string,
  value: unknown,
  declared: boolean | undefined,
  isSecretName: NameRule,
): {
  readonly found: ReadonlyMap<string, string>;
  readonly unsafe: ReadonlyMap<string, string>;
} {
  const found = new Map<string, string>();
  const unsafe = new Map<string, string>();
  if (declared === false) return { found, unsafe };
  if (declared === true && typeof value === "boolean") {
    unsafe.set(`{{${name}}}`, "it is true or false, and texts are full of both");
  }
  const place = declared === true ? DECLARED : placeOfMember(OPEN, name, isSecretName);
  findSecretValues(value, { path: name, place, isSecretName }, (text, placeholder = HIDDEN) => {
    // What a recording has masked hides nothing.
    if (text === "" || text === HIDDEN || (declared !== true && isPlaceholder(text))) return;
    const reason = whyUnsafe(text);
    if (reason !== undefined) unsafe.set(placeholder, reason);
    else if (!found.has(text)) found.set(text, placeholder);
  });
  return { found, unsafe };
}

/**
 * The secrets that a client knows, so that no output contains them. Values themselves stay real:
 * only what a person sees is masked.
 */
export interface Secrets {
  /**
   * Masks a text: each secret in it, in whatever form, becomes the placeholder that it came from, or
   * `•••`. A text without secrets is returned as it is.
   *
   * @param text The text to show.
   * @param write Writes a placeholder as the surrounding form needs it, for example as HTML.
   */
  mask(text: string, write?: (shown: string) => string): string;
  /** The ranges of secrets in a text, in order. */
  locate(text: string): readonly SecretRange[];
  /** Whether the value of a property, variable or parameter of this name is a secret. */
  isSecretName(name: string): boolean;
  /** Whether a text of a person only names a secret, and is none: `op://Private/api/token`. */
  isReference(text: string): boolean;
  /** Masks a stream, whose pieces may split a secret. */
  openStream(): StreamMasker;
  /**
   * Learns the secrets of a material by their place: below a secret name, in a URL, in a header.
   *
   * @param material Source code, a URL, headers, a body or a value of a program.
   * @param from Who wrote it. Most of what a program shows came from a server, and is forgotten like it.
   */
  learn(material: Material, from: Provenance): void;
  /** Grows with each change of what is secret: a text that was shown before may contain a secret now. */
  readonly revision: number;
  /** Takes the remarks since the last call: which secrets cannot be masked, and why. */
  takeRemarks(): readonly string[];
}

/** In a list of what to hide: hides nothing. */
export const SHOW_SECRETS: unique symbol = Symbol("show secrets");

/** What is hidden: a text, or all secrets of a client. */
export type Hidden = string | Secrets | typeof SHOW_SECRETS;

/** The part of {@link Secrets} that masks. */
export type Masking = Pick<Secrets, "mask" | "locate" | "isSecretName" | "revision">;

const NOTHING: Masking = {
  mask: (text) => text,
  locate: () => [],
  isSecretName: () => false,
  revision: 0,
};

/** Masks the secrets of several clients, and further texts, however short they are. */
export function combineSecrets(hidden: readonly Hidden[] = []): Masking {
  if (hidden.length === 0 || hidden.includes(SHOW_SECRETS)) return NOTHING;
  const stores = new Set(hidden.filter((one) => typeof one === "object"));
  const texts = hidden.filter((one): one is string => typeof one === "string" && one !== "");
  if (texts.length > 0) {
    const own = createSecretStore();
    for (const text of texts) own.hideText(text);
    stores.add(own);
  }
  const all = [...stores];
  const [first = NOTHING] = all;
  if (all.length < 2) return first;
  return {
    mask: (text, write) => all.reduce((shown, one) => one.mask(shown, write), text),
    locate: (text) => joinRanges(all.flatMap((one) => one.locate(text))),
    isSecretName: (name) => all.some((one) => one.isSecretName(name)),
    get revision() {
      return all.reduce((sum, one) => sum + one.revision, 0);
    },
  };
}
