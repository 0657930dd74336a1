/**
 * Credentials could not be used: the token server refused, the login was not completed, or a challenge is
 * not supported. The request itself was not sent, or was refused.
 */
export class CredentialError extends Error {
  /** Always `CredentialError`. */
  override readonly name = "CredentialError";
}
