/**
 * Credentials could not be used: a server of tokens refused, nobody logged in, a challenge asks for
 * what is not known here. The request itself was not sent, or was refused.
 */
export class CredentialError extends Error {
  /** Always `CredentialError`. */
  override readonly name = "CredentialError";
}
