/**
 * `restlab verify`: runs documents as `restlab run` does, and compares each response with what was promised by
 * the saved outputs, by a recording, or by an OpenAPI description.
 *
 * @module
 */

export { verifyCommand } from "./command.ts";
export type { VerifyOptions, VerifyReport } from "./options.ts";
