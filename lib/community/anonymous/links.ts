import { Refusal } from "@/lib/errors";
import type { TextUsage } from "@/lib/policy/trust";
import type { AnonymousTopic } from "./terms";

/** Refuses links where only proven authors post them: nobody can tell how much this one wrote before. */
export function assertNoEarlyLinks({ links_after_posts }: AnonymousTopic, { links }: TextUsage): void {
  if (links === 0 || links_after_posts === 0) return;
  throw new Refusal("links_too_early", { extra: { acceptedMissing: links_after_posts } });
}
