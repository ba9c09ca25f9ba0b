import { z } from "zod";

/** INCRBY and expiry in one step: a counter without an expiry after a crash would lock its caller out forever. */
export const incrementScript = `
local value = redis.call('INCRBY', KEYS[1], ARGV[2])
if value == tonumber(ARGV[2]) then redis.call('EXPIRE', KEYS[1], ARGV[1]) end
return {value, redis.call('PTTL', KEYS[1])}`;

const replySchema = z.tuple([z.coerce.number(), z.coerce.number()]);

/** Reads the reply of `incrementScript`. */
export function readIncrement(reply: unknown): { value: number; expiresInSeconds: number } {
  const [value, milliseconds] = replySchema.parse(reply);
  return { value, expiresInSeconds: Math.max(1, Math.ceil(milliseconds / 1000)) };
}
