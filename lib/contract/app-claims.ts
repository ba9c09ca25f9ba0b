/** What an app can ask about whoever signs in with Parley, as scopes and claims. This file imports nothing. */
export const appClaims = ["domain", "country_in", "human"] as const;
export type AppClaim = (typeof appClaims)[number];
