import { findInUrls, openUrl } from "./find/mod.ts";
import { createKnownTexts } from "./known-texts.ts";
import { createLearner } from "./learn.ts";
import { createNameRule, HIDDEN, joinRanges, maskRanges, type SecretRange } from "./names/mod.ts";
import { createRemarks } from "./remarks.ts";
import { createStreamMasker, earlier, noMatch, type PartialMatch } from "./search/mod.ts";
import { createSecretVariables, type SecretVariables } from "./secret-variables.ts";
import type { Secrets } from "./secrets.ts";

/** The secrets of a client, and how its variables change them. */
export interface SecretStore extends Secrets, SecretVariables {
  /** Hides a text, however short or common it is. */
  hideText(text: string): void;
}

/**
 * Creates an empty store.
 *
 * @param names Names whose values are secrets; `SECRET_NAMES` where it is left out.
 */
export function createSecretStore(names?: readonly string[]): SecretStore {
  const isSecretName = createNameRule(names);
  const remarks = createRemarks();
  const known = createKnownTexts(remarks);
  const learner = createLearner(known, isSecretName, remarks);

  function locate(text: string): readonly SecretRange[] {
    learner.finish();
    const placed = findInUrls(text, isSecretName).map((place) => ({ ...place, shown: HIDDEN }));
    return joinRanges([...known.search.locate(text), ...placed]);
  }

  function mask(text: string, write?: (shown: string) => string): string {
    return maskRanges(text, locate(text), write);
  }

  function partialMatch(text: string): PartialMatch {
    learner.finish();
    return earlier(known.search.partialMatch(text), noMatch(openUrl(text, isSecretName)));
  }

  return {
    ...createSecretVariables(known, learner, isSecretName, remarks),
    mask,
    locate,
    isSecretName,
    openStream: () => createStreamMasker({ mask, locate, partialMatch }),
    learn: learner.learn,
    hideText: known.addUnchecked,
    get revision() {
      learner.finish();
      return known.revision;
    },
    takeRemarks: remarks.take,
  };
}
