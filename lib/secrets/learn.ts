import { createDeferredScans } from "./deferred-scans.ts";
import { findIn, type Material } from "./find/mod.ts";
import type { KnownTexts } from "./known-texts.ts";
import { type Found, isPlaceholder, type NameRule } from "./names/mod.ts";
import type { Remarks } from "./remarks.ts";
import type { Provenance } from "./secrets.ts";

/** Learns secrets from what is sent, received, typed and shown. */
export interface Learner {
  /** Learns the secrets of a material; those of headers and bodies once `finish` is called. */
  learn(material: Material, from: Provenance): void;
  /** Scans what has been deferred, before a text is masked. */
  finish(): void;
}

/** Of one body only the first secrets are learned: they are shown first. */
const MOST_OF_BODY = 4_500;

/** Creates a learner that adds to a collection. */
export function createLearner(
  known: KnownTexts,
  isSecretName: NameRule,
  remarks: Remarks,
): Learner {
  const scans = createDeferredScans((reason) =>
    remarks.add(`A message could not be searched for secrets: ${reason}`),
  );

  /** Most of what a program shows came from a server, and is forgotten like it. */
  function learnValue(material: Material, from: Provenance): void {
    const found: Found = (text, placeholder) =>
      known.add(text, isPlaceholder(text) ? from : "server", placeholder);
    try {
      findIn(material, isSecretName, found);
    } catch {
      // A getter or a proxy that throws is shown as its error.
    }
  }

  function learnBody(material: Material, from: Provenance): void {
    // Allocated for the first secret: most bodies contain none.
    let seen: Set<string> | undefined;
    findIn(material, isSecretName, (text, placeholder) => {
      seen ??= new Set();
      if (text !== "" && seen.size < MOST_OF_BODY) known.add(text, from, placeholder);
      seen.add(text);
    });
    if (seen !== undefined && seen.size > MOST_OF_BODY) {
      remarks.add(
        `A body contains more than ${MOST_OF_BODY} secrets: only the first of them are masked in its text`,
      );
    }
  }

  function learnAll(material: Material, from: Provenance): void {
    findIn(material, isSecretName, (text, placeholder) => known.add(text, from, placeholder));
  }

  return {
    learn: (material, from) => {
      if (material.kind === "value") learnValue(material, from);
      else if (material.kind === "body") scans.add(() => learnBody(material, from));
      else if (material.kind === "headers") scans.add(() => learnAll(material, from));
      else learnAll(material, from);
    },
    finish: scans.run,
  };
}
