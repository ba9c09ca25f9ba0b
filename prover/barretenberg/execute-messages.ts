import { z } from "zod";

/** What execute.ts sends its worker thread: each circuit once, then inputs for it. JSON text is cheap to copy. */
export const ExecuteRequest = z.union([
  z.object({ circuit: z.number().int(), program: z.string() }),
  z.object({ circuit: z.number().int(), id: z.number().int(), inputs: z.string() }),
]);
export type ExecuteRequest = z.infer<typeof ExecuteRequest>;

/** What the worker thread answers. */
export const ExecuteReply = z.discriminatedUnion("ok", [
  z.object({
    id: z.number(),
    ok: z.literal(true),
    witness: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    durationMs: z.number(),
  }),
  z.object({
    id: z.number(),
    ok: z.literal(false),
    reason: z.enum(["inputs", "constraint", "internal"]),
    parameter: z.string().optional(),
    assertion: z.string().optional(),
  }),
]);
export type ExecuteReply = z.infer<typeof ExecuteReply>;
