import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { MeasureName } from "./bodies";
import { type Input, measures, pathOf } from "./measures";
import { type Program, programOf, type RecordedRequest } from "./program";
import { type RecordedApi, recordedApi } from "./recorder";
import type { Seed } from "./seed";

/** Where the API that is recorded keeps its data. */
export interface RecordOptions {
  readonly db: Db;
  readonly url: string;
  readonly redisUrl: string;
  /** Signs sessions. */
  readonly secret: string;
}

/** Records two requests of each measure, and returns what they ask the database. */
export async function recordPrograms(
  seed: Seed,
  names: readonly MeasureName[],
  { db, url, redisUrl, secret }: RecordOptions,
): Promise<Partial<Record<MeasureName, Program>>> {
  const api = await recordedApi({ postgresUrl: url, cacheUrl: redisUrl }, secret);
  try {
    const programs: Partial<Record<MeasureName, Program>> = {};
    for (const name of names) {
      const { reset, inputs } = measures[name];
      if (reset) await sql.raw(reset).execute(db);
      const every = inputs(seed);
      const record = async (index: number) => await recorded(api, { name, seed, input: every[index] });
      // Neither member, topic nor post of these two is the same.
      programs[name] = programOf(await record(1), await record(Math.floor(every.length / 2) + 27));
    }
    return programs;
  } finally {
    await api.close();
  }
}

async function recorded(
  api: RecordedApi,
  { name, seed, input }: { name: MeasureName; seed: Seed; input: Input | undefined },
): Promise<RecordedRequest> {
  const measure = measures[name];
  const { method, body, status } = measure;
  const member = input && seed.members[input.member];
  if (!member) throw new Error(`${name} has too few requests`);
  const { topicId, postId, word } = input;
  const given = Object.entries({ topicId, postId, word, userId: member.userId, jti: member.jti });
  const inputs = Object.fromEntries(
    given.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
  const at = new Date();
  const answer = await api.record(method, pathOf(measure, input), { token: member.token, body });
  if (answer.status !== status) {
    throw new Error(
      `${method} ${pathOf(measure, input)} got status ${answer.status}: ${JSON.stringify(answer.body)}`,
    );
  }
  return { inputs, at, groups: answer.groups };
}
