import type { Harness } from "./harness";

/** What is kept of a user's proofs, opened. */
export async function verificationsOf(
  { services: { db, facts } }: Pick<Harness, "services">,
  userId: string,
) {
  const rows = await db
    .selectFrom("verifications")
    .select(["circuit", "sealed"])
    .where("user_id", "=", userId)
    .execute();
  return await Promise.all(
    rows.map(async ({ circuit, sealed }) => ({
      circuit,
      ...(await facts.open({ userId, circuit }, sealed)),
    })),
  );
}
