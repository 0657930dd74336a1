const PLAIN_PROPERTY = /^[\p{L}\p{M}\p{Nd}_-]+$/u;

/** A step as a path writes it: `.name`, `["a b"]` or `[0]`. */
export function stepText(step: string | number): string {
  if (typeof step === "number") return `[${step}]`;
  return PLAIN_PROPERTY.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
