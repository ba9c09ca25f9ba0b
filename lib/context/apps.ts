/** What the apps of an installation need of its secret. Nothing of it is stored. */
export interface AppKeys {
  /** Returns the `client_secret` of an app: 43 characters. */
  readonly secretOf: (clientId: string, version: number) => string;
  /** Returns the id by which one app, and no other, knows a person: 43 characters. */
  readonly subjectOf: (clientId: string, userId: string) => string;
  /** Returns what shows that a request was opened by a person in the browser in which it began. */
  readonly ticketOf: (requestId: string, userId: string) => string;
  /** Compares a ticket in constant time. */
  readonly isTicket: (given: string, requestId: string, userId: string) => boolean;
  /** Seals signing keys for the database: 32 bytes. */
  readonly sealingKey: Uint8Array;
}
