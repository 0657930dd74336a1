/** The version of restlab. */
export const version: string = "2.3.0";
