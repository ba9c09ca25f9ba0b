import { useEffect, useState } from "react";
import { reader } from "@/components/offline/state";
import { enrol, readStanding, type Standing } from "@/lib/client/anonymous/crowd";
import { replaceDue } from "@/lib/client/anonymous/replace";
import { warmUp } from "./engine";
import { parts, signed } from "./parts";

/** Each topic is asked once per page: its parts share the answer. */
const known = new Map<string, Promise<Standing | null>>();
const watchers = new Set<() => void>();

function standingAt(topicId: string): Promise<Standing | null> {
  const userId = reader();
  const key = `${userId} ${topicId}`;
  const asked =
    known.get(key) ??
    // Without the network or a database: what needs it is not offered.
    (userId ? lookedAfter(userId, topicId).catch(() => null) : Promise.resolve(null));
  known.set(key, asked);
  return asked;
}

async function lookedAfter(userId: string, topicId: string): Promise<Standing> {
  const standing = await readStanding(signed, userId, topicId);
  // What cannot be replaced yet, waits.
  return await replaceDue(userId, topicId, standing, parts).catch(() => standing);
}

/** How the reader stands to the crowd of a topic; null until it is known. */
export function useStanding(topicId: string): Standing | null {
  const [standing, setStanding] = useState<Standing | null>(null);
  useEffect(() => {
    let gone = false;
    const look = () =>
      void standingAt(topicId).then((found) => {
        if (!gone) setStanding(found);
      });
    look();
    watchers.add(look);
    return () => {
      gone = true;
      watchers.delete(look);
    };
  }, [topicId]);
  return standing;
}

/** Joins the crowd of a topic with this device's secret. @throws ApiError; Error where the browser keeps no database */
export async function joinCrowd(topicId: string): Promise<Standing> {
  const userId = reader();
  if (!userId) throw new Error("nobody is signed in");
  const found = await enrol(signed, userId, topicId);
  known.set(`${userId} ${topicId}`, Promise.resolve(found));
  for (const watcher of watchers) watcher();
  // What a first proof would fetch would say when it was made.
  void warmUp().catch(() => undefined);
  return found;
}
