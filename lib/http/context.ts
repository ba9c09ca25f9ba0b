import type { Context } from "@/lib/context";
import type { Caller } from "@/lib/context/caller";
import type { Services } from "@/lib/runtime/assemble";

/** What community functions may use, for one caller. */
export function makeContext(services: Services, caller: Caller | null): Context {
  const { db, cache, storage, web, live, push, recorder, deployment, acceptProof, facts, now, later } =
    services;
  return {
    caller,
    db,
    cache,
    storage,
    web,
    live,
    push,
    recorder,
    deployment,
    acceptProof,
    facts,
    now,
    later,
  };
}
