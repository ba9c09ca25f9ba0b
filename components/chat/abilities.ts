import type { ChatMessage } from "@/lib/contract";
import type { Ability } from "@/lib/contract/abilities";
import type { ChatAbilities } from "./room-state";

/** What muted members may do, too. */
const MUTED_TOO: ReadonlySet<Ability<"message">> = new Set(["delete", "hide", "report"]);

/** Returns what a reader may do with a message. */
export function messageAbilities(
  { type, userId, message, isDeleted, isHidden }: ChatMessage,
  { own, others }: ChatAbilities,
  { me, isMuted }: { readonly me: string; readonly isMuted: boolean },
): readonly Ability<"message">[] {
  if (type !== "message" || isDeleted || (isHidden && message === "")) return [];
  const all = userId === me ? own : others;
  return isMuted ? all.filter((one) => MUTED_TOO.has(one)) : all;
}
