import { sql } from "kysely";
import type { Db } from "@/db/schema";
import { median } from "@/prover/barretenberg";
import type { LoadGenerator, LoadRequest } from "../load";
import type { MeasureName } from "./bodies";
import { measures } from "./measures";
import { headersOf, requestsOf } from "./requests";
import type { Servers } from "./servers";

export const ROUNDS = 3;
export const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;

/** Responses per second: medians of the rounds. */
export interface Rates {
  readonly ours: number;
  readonly bare: number;
  readonly next: number;
  /** Of our writes into one topic; null for reads. */
  readonly busy: number | null;
}

interface Measuring {
  readonly servers: Servers;
  readonly db: Db;
  readonly generator: LoadGenerator;
  /** Of one round. */
  readonly seconds: number;
}

/** Measures the servers in turns, so that other load affects all of them. */
export async function ratesOf(
  name: MeasureName,
  { servers: { seed, ports }, db, generator, seconds }: Measuring,
): Promise<Rates> {
  const { status, reset, busy } = measures[name];
  const many = requestsOf(name, seed);
  const targets = {
    ours: { port: ports.ours, requests: many },
    bare: { port: ports.bare, requests: many },
    next: { port: ports.next, requests: many.map((request) => ({ ...request, path: `/${name}` })) },
    ...(busy && { busy: { port: ports.ours, requests: requestsOf(name, seed, busy(seed)) } }),
  };
  const common = { status, connections: CONNECTIONS, headers: headersOf(seed), once: reset !== undefined };
  const run = async (target: { port: number; requests: readonly LoadRequest[] }, length: number) => {
    if (reset) await sql.raw(reset).execute(db);
    return (await generator.run({ ...common, ...target, seconds: length })).rate;
  };
  const rounds = new Map<string, number[]>();
  // Compiles code, opens connections and prepares statements.
  for (const target of Object.values(targets)) await run(target, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [who, target] of Object.entries(targets)) {
      rounds.set(who, [...(rounds.get(who) ?? []), await run(target, seconds)]);
    }
  }
  const rateOf = (who: keyof typeof targets) => median(rounds.get(who) ?? []);
  return {
    ours: rateOf("ours"),
    bare: rateOf("bare"),
    next: rateOf("next"),
    busy: busy ? rateOf("busy") : null,
  };
}
