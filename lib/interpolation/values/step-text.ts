const PLAIN_PROPERTY = /^[\p{L}\p{M}\p{Nd}_-]+$/u;

/** A step in the syntax of a path: `.name`, `["a b"]` or `[0]`. */
export function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return PLAIN_PROPERTY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
