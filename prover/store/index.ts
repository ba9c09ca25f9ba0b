import { sql } from "kysely";
import { createDatabase, type DatabaseOptions, migrate } from "@/lib/sql/index";
import { migrations } from "./migrations";
import { Nonces } from "./nonces";
import { Payments } from "./payments";
import type { ProverSchema } from "./schema";

export interface Store {
  payments: Payments;
  nonces: Nonces;
  /** Whether the database answers. */
  isReachable(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the prover's database and brings it up to date. */
export async function openStore(options: DatabaseOptions): Promise<Store> {
  const { db, close } = await createDatabase<ProverSchema>(options);
  await migrate(db, migrations, "prover");
  return {
    payments: new Payments(db),
    nonces: new Nonces(db),
    async isReachable() {
      try {
        await sql`select 1`.execute(db);
        return true;
      } catch {
        return false;
      }
    },
    close,
  };
}
