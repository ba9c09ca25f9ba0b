import type { Topic } from "@/lib/contract";

/** Who finds, reads and joins a topic: "members" read one that people join without approval. */
export type Openness = Topic["visibility"] | "members";

/** Returns who finds, reads and joins a topic. */
export function opennessOf({
  visibility,
  requiresApproval,
}: Pick<Topic, "visibility" | "requiresApproval">): Openness {
  return visibility === "private" && !requiresApproval ? "members" : visibility;
}
