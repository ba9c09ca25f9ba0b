/** Scopes of many operations each; every other operation is named by its id. Components read this file, so it imports nothing. */
export const automationScopes = ["read", "write", "chat", "topics", "staff"] as const;
export type AutomationScope = (typeof automationScopes)[number];
