/** What stands in the place of a secret. */
export const HIDDEN = "•••";

/** Replaces secrets in a text, as they are and as they look in a URL and in JSON. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (shown, secret) => formsOf(secret).reduce((rest, form) => rest.replaceAll(form, HIDDEN), shown),
    text,
  );
}

function formsOf(secret: string): readonly string[] {
  // A lone surrogate has no form in a URL.
  const wellFormed = secret.replace(/\p{Surrogate}/gu, "\ufffd");
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, encodeURI(wellFormed), encodeURIComponent(wellFormed), inJson];
}
