import { LIMITS } from "@/lib/contract/limits";

/** What an installation does about spam. */
export interface TrustSettings {
  /** Whether new accounts have lower limits, and a text may not be repeated within an hour. */
  readonly spamLimits: boolean;
  /** Accounts that sign in with an address of a consumer mail provider: as any other, new for longer, or refused. */
  readonly consumerAccounts: "allow" | "limit" | "refuse";
}

/** What the rules need to know of an account. */
export interface Standing {
  readonly createdAt: Date;
  /** Posts and comments that staff neither hid nor deleted; counted up to what the rules ask for. */
  readonly accepted: number;
  /** Whether it was made with an address of a consumer mail provider. */
  readonly isConsumer: boolean;
}

/** Why an account still counts as new. */
export interface NewAccount {
  /** When it is old enough; null if it is. */
  readonly until: Date | null;
  /** Accepted posts and comments that it lacks. */
  readonly acceptedMissing: number;
}

/** Returns what an account must have to count as established. */
function establishedAfter({ isConsumer }: Pick<Standing, "isConsumer">, settings: TrustSettings) {
  return isConsumer && settings.consumerAccounts === "limit" ? LIMITS.consumerAccount : LIMITS.newAccount;
}

/** Returns why an account counts as new; null for an established one. It must have both the age and the posts. */
export function newAccount(standing: Standing, settings: TrustSettings, now: Date): NewAccount | null {
  const { hours, accepted } = establishedAfter(standing, settings);
  const oldEnough = new Date(standing.createdAt.getTime() + hours * 3_600_000);
  const until = oldEnough > now ? oldEnough : null;
  const acceptedMissing = Math.max(0, accepted - standing.accepted);
  return until || acceptedMissing > 0 ? { until, acceptedMissing } : null;
}

/** What a post or comment contains of what spam lives by. */
export interface TextUsage {
  readonly links: number;
  readonly images: number;
  readonly mentions: number;
}

export type LimitedKind = keyof TextUsage | "topics";

/** Returns the first limit of new accounts that a text exceeds; null if it exceeds none. */
export function exceededKind(usage: TextUsage): keyof TextUsage | null {
  const kinds = ["links", "images", "mentions"] as const;
  return kinds.find((kind) => usage[kind] > LIMITS.newAccount[kind]) ?? null;
}

/** How long the same text of one person counts as a repetition. */
export const REPEATED_WITHIN_MS = 60 * 60 * 1000;
/** Characters from which a text without a link counts: "Thank you!" may be said twice. */
const MIN_REPEATED_LENGTH = 20;

/** Returns whether a normalized text is compared with the author's earlier ones. */
export function countsAsRepeatable(normalized: string, { links }: TextUsage): boolean {
  return links > 0 || normalized.length >= MIN_REPEATED_LENGTH;
}
