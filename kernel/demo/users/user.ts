export type Role = "admin" | "editor" | "viewer";

/** A position in degrees. */
interface Geo {
  readonly lat: number;
  readonly lng: number;
}

interface Address {
  readonly city: string;
  readonly geo: Geo | null;
}

/** The members of a user that clients set. */
export interface UserDetails {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly address: Address | null;
  readonly tags: readonly string[];
}

/** A user as stored and returned. */
export interface User extends UserDetails {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}
