/** The version of restlab, as its package says it. */
export const version: string = "2.2.0";
