/** What a user may do. */
export type Role = "admin" | "editor" | "viewer";

/** A point on the earth, in degrees. */
export interface Geo {
  readonly lat: number;
  readonly lng: number;
}

/** Where a user lives. */
export interface Address {
  readonly city: string;
  readonly geo: Geo | null;
}

/** The part of a user that clients write. */
export interface UserDetails {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly active: boolean;
  readonly address: Address | null;
  readonly tags: readonly string[];
}

/** A user as it is kept and shown. */
export interface User extends UserDetails {
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}
