import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import { openDatabase } from "@/db/client";
import { senderSteps } from "@/lib/chain/sender";
import { addressSchema, hexSchema } from "@/lib/proofs/hex";
import { createHarness } from "@/lib/testing/harness";
import { recordingOn } from "@/lib/testing/records";

/**
 * A process of the crash tests: the real API on an embedded database and a real chain. It takes what to do as a line
 * of JSON on its standard input, sends one POST record, and ends itself with SIGKILL at one step.
 */
const schema = z.object({
  databaseUrl: z.string(),
  rpcUrl: z.string(),
  board: addressSchema,
  key: hexSchema,
  postId: z.string(),
  token: z.string(),
  dieAt: z.enum(senderSteps),
});

const [line] = await once(createInterface(process.stdin), "line");
const told = schema.parse(JSON.parse(String(line)));
const database = await openDatabase({ url: told.databaseUrl, migrate: false });
const h = await createHarness({
  ...recordingOn(told, told.key, {
    checkpoint: async (step) => {
      if (step !== told.dieAt) return;
      process.kill(process.pid, "SIGKILL");
      // Nothing more happens; the signal may take a moment.
      await new Promise(() => undefined);
    },
  }),
  database,
});
await h.send("POST", `/api/posts/${told.postId}/record`, { token: told.token });
process.stdout.write("survived\n");
await h.close();
