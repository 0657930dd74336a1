import { createDeferredScans } from "./deferred-scans.ts";
import {
  finderOf,
  findInSource,
  findInUrl,
  findInUrls,
  findSecretValues,
  openUrl,
} from "./find/mod.ts";
import {
  createHeaderKinds,
  createNameRule,
  type Found,
  HIDDEN,
  isPlaceholder,
  joinRanges,
  marksIn,
  maskRanges,
  secretsOfHeader,
  whyUnsafe,
} from "./names/mod.ts";
import { createRemarks } from "./remarks.ts";
import {
  createSearch,
  createStreamMasker,
  earlier,
  noMatch,
  type PartialMatch,
} from "./search/mod.ts";
import type { Provenance, Secrets } from "./secrets.ts";

/** The secrets of a client, and how its variables change them. */
export interface SecretStore extends Secrets {
  /**
   * Takes the new value of a variable.
   *
   * @param isSecret What was said of it; by its name where nothing was said.
   * @param onUnsafe Whether a value that cannot be masked safely is refused or remarked upon.
   * @throws {TypeError} It is to be secret, and masking it would hide what is none.
   */
  setVariable(
    name: string,
    value: unknown,
    isSecret: boolean | undefined,
    onUnsafe?: "refuse" | "remark",
  ): void;
  /** Hides a value that no variable holds. */
  hide(value: unknown): void;
  /** Hides a text, whatever it is. */
  hideText(text: string): void;
  /** A variable is gone; its value stays a secret of this session. */
  deleteVariable(name: string): void;
  /** Whether a variable was said to be secret, or is by its name. */
  isSecretVariable(name: string): boolean;
  /** Whether a variable is secret, or a part of it. */
  holdsSecret(name: string): boolean;
}

/** How many secrets are kept that servers have sent; the oldest are forgotten. */
const MOST_RECEIVED = 5_000;
/** Of one body so many are learned, the first ones: they are shown first. */
const MOST_OF_ONE = 4_500;
const MOST_REMEMBERED = 1_000;

/**
 * Creates an empty store.
 *
 * @param names Names whose values are secrets; `SECRET_NAMES` where it is left out.
 */
export function createSecretStore(names?: readonly string[]): SecretStore {
  const isSecretName = createNameRule(names);
  const kindOf = createHeaderKinds(isSecretName);
  const ofVariables = new Map<string, ReadonlyMap<string, string>>();
  const told = new Map<string, boolean>();
  /** What a person has written or set is never forgotten: a server could see to it otherwise. */
  const own = new Map<string, string>();
  const received = new Map<string, string>();
  const texts = new Map<string, string>();
  const search = createSearch(texts);
  const remarks = createRemarks();
  const written = new Set<string>();
  let revision = 0;
  const scans = createDeferredScans((reason) =>
    remarks.add(`The secrets of a message could not be looked for: ${reason}`),
  );

  /** Texts of variables go before those that were seen somewhere: they have a name. */
  function refresh(): void {
    texts.clear();
    for (const known of [received, own, ...ofVariables.values()]) {
      for (const [text, shown] of known) texts.set(text, shown);
    }
    search.forget();
  }

  /** Placeholders that a person has put in the place of a secret are none; those that a server sends may be. */
  const learn: Found = (text, placeholder) => {
    if (!isPlaceholder(text)) keep(text, placeholder, own);
    else if (written.size < MOST_REMEMBERED) for (const mark of marksIn(text)) written.add(mark);
  };

  const learnReceived: Found = (text, placeholder) => {
    const isEcho = isPlaceholder(text) && marksIn(text).every((mark) => written.has(mark));
    if (!isEcho) keep(text, placeholder, received);
  };

  /** Most of what a program shows was sent to it. */
  const learnShown: Found = (text, placeholder) => {
    if (isPlaceholder(text)) learn(text);
    else keep(text, placeholder, received);
  };

  function keep(text: string, placeholder: string = HIDDEN, to: Map<string, string>): void {
    if (whyUnsafe(text) !== undefined) return;
    const before = texts.get(text);
    if (before === undefined) revision += 1;
    const isNews = before === undefined || (before === HIDDEN && placeholder !== HIDDEN);
    const shown = !isNews ? before : placeholder.includes(text) ? HIDDEN : placeholder;
    // What is seen again is not among the oldest.
    received.delete(text);
    if (to === own || !own.has(text)) to.set(text, shown);
    if (isNews) texts.set(text, shown);
    if (received.size <= MOST_RECEIVED) return;
    // A tenth at once: forgetting means to build the search anew.
    for (const old of [...received.keys()].slice(0, MOST_RECEIVED / 10)) received.delete(old);
    refresh();
    remarks.add(
      `Servers have sent more than ${MOST_RECEIVED} secrets: the oldest of them are no longer masked`,
    );
  }

  function learnOf(from: Provenance = "written"): Found {
    return from === "received" ? learnReceived : learn;
  }

  function mask(text: string, write?: (shown: string) => string): string {
    return maskRanges(text, locate(text), write);
  }

  function locate(text: string): ReturnType<Secrets["locate"]> {
    scans.run();
    const placed = findInUrls(text, isSecretName).map((place) => ({ ...place, shown: HIDDEN }));
    return joinRanges([...search.locate(text), ...placed]);
  }

  function partialMatch(text: string): PartialMatch {
    scans.run();
    return earlier(search.partialMatch(text), noMatch(openUrl(text, isSecretName)));
  }

  return {
    mask,
    locate,
    isSecretName,
    openStream: () => createStreamMasker({ mask, locate, partialMatch }),
    learnSource: (code) => findInSource(code, isSecretName, learn),
    learnValue: (value) => {
      const options = { path: undefined, state: "open", isSecretName } as const;
      try {
        findSecretValues(value, options, learnShown);
      } catch {
        // A getter or a proxy that throws is shown as its error, which holds what it says.
      }
    },
    learnUrl: (url, from) => findInUrl(url, isSecretName, learnOf(from)),
    learnHeaders: (headers, from) => {
      const found = learnOf(from);
      scans.add(() => {
        for (const [name, value] of headers) {
          const kind = kindOf(name);
          if (kind === "credential") for (const text of secretsOfHeader(name, value)) found(text);
          else if (kind === "address") findInUrl(value, isSecretName, found);
        }
      });
    },
    learnBody: (body, mediaType, path) => {
      const find = finderOf(mediaType);
      if (find === undefined) return;
      scans.add(() => {
        const text = typeof body === "string" ? body : body();
        const take = learnOf(typeof body === "string" ? "written" : "received");
        // Most bodies hold no secret.
        let seen: Set<string> | undefined;
        const found: Found = (secret, placeholder) => {
          seen ??= new Set();
          if (secret !== "" && seen.size < MOST_OF_ONE) take(secret, placeholder);
          seen.add(secret);
        };
        find({ text, path }, isSecretName, found);
        if (seen !== undefined && seen.size > MOST_OF_ONE) {
          remarks.add(
            `A body holds more than ${MOST_OF_ONE} secrets: in its text only these are masked`,
          );
        }
      });
    },
    get revision() {
      scans.run();
      return revision;
    },
    takeRemarks: remarks.take,
    isSecretVariable: (name) => told.get(name) ?? isSecretName(name),
    holdsSecret: (name) => (told.get(name) ?? isSecretName(name)) || ofVariables.has(name),
    hide: (value) => {
      findSecretValues(value, { path: undefined, state: "told", isSecretName }, (text) => {
        const reason = whyUnsafe(text);
        if (reason !== undefined && text !== "")
          remarks.add(`A secret cannot be masked: ${reason}`);
        learn(text);
      });
    },
    hideText: (text) => {
      revision += 1;
      own.set(text, HIDDEN);
      texts.set(text, HIDDEN);
    },
    setVariable: (name, value, isSecret, onUnsafe = "refuse") => {
      const said = isSecret ?? told.get(name);
      // What has been seen of it until now is forgotten, and must not be learned afterwards.
      if (said === false) scans.run();
      const found = new Map<string, string>();
      const unsafe = new Set<string>();
      if (said !== false) {
        const state = said === true ? "told" : isSecretName(name) ? "named" : "open";
        const options = { path: name, state, isSecretName } as const;
        findSecretValues(value, options, (text, placeholder = HIDDEN) => {
          if (text === "" || (said !== true && isPlaceholder(text))) return;
          const reason = whyUnsafe(text);
          if (reason !== undefined) unsafe.add(`${placeholder} cannot be masked: ${reason}`);
          else if (!found.has(text)) {
            found.set(text, placeholder.includes(text) ? HIDDEN : placeholder);
          }
        });
      }
      const [reason] = unsafe;
      if (said === true && onUnsafe === "refuse" && reason !== undefined && found.size === 0) {
        throw new TypeError(
          `Cannot keep the variable "${name}" secret: ${reason.replace(/^.*? cannot be masked: /, "")}; ` +
            "set it without secret: true, or choose a longer value",
        );
      }
      if (found.size > 0) revision += 1;
      for (const text of unsafe) remarks.add(`The value of ${text}`);
      // A URL that holds credentials is no secret itself, and they are.
      if (typeof value === "string" && value.includes("://")) findInUrl(value, isSecretName, learn);
      const before = ofVariables.get(name);
      if (isSecret !== undefined) told.set(name, isSecret);
      if (found.size > 0) ofVariables.set(name, found);
      else ofVariables.delete(name);
      if (said !== false) retire(before, found);
      else for (const text of before?.keys() ?? []) own.delete(text) || received.delete(text);
      if (before !== undefined) refresh();
      else for (const [text, shown] of found) texts.set(text, shown);
    },
    deleteVariable: (name) => {
      const before = ofVariables.get(name);
      told.delete(name);
      if (!ofVariables.delete(name)) return;
      retire(before, new Map());
      refresh();
    },
  };

  /** The history, and what cells keep, may hold a value that the variable has no more. */
  function retire(
    before: ReadonlyMap<string, string> | undefined,
    now: ReadonlyMap<string, string>,
  ): void {
    for (const text of before?.keys() ?? []) if (!now.has(text)) own.set(text, HIDDEN);
  }
}
