import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import envPaths from "env-paths";
import { z } from "zod";
import { parseJson } from "@/lib/json";
import { Failure } from "./failure";

/** Tokens by the address of their installation, and the one that is used unless a command names another. */
const stored = z.object({ current: z.url(), tokens: z.record(z.url(), z.string()) });
type Stored = z.infer<typeof stored>;

/** Where this platform keeps what a program remembers of its user. */
const file = () => path.join(envPaths("parley", { suffix: "" }).config, "credentials.json");

/** Reads what is kept; null before the first sign-in. @throws Failure if others can read it, or it was damaged */
export async function readCredentials(): Promise<Stored | null> {
  const place = file();
  const found = await stat(place).catch(() => null);
  if (!found) return null;
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0) {
    throw new Failure(
      "failed",
      `Others can read ${place}. Revoke the tokens in it, or run: chmod 600 '${place}'`,
    );
  }
  // JavaScript's own error would show a part of the text, which may be a token's.
  const parsed = stored.safeParse(parseJson(await readFile(place, "utf8")));
  if (!parsed.success) throw new Failure("failed", `${place} is damaged. Delete it and sign in again.`);
  return parsed.data;
}

/** Keeps a token, readable by this user alone, and makes its installation the current one. */
export async function keepToken(url: string, token: string): Promise<void> {
  const before = await readCredentials();
  await write({ current: url, tokens: { ...before?.tokens, [url]: token } });
}

/** Forgets the token of an installation. @returns whether there was one */
export async function forgetToken(url: string): Promise<boolean> {
  const before = await readCredentials();
  if (before?.tokens[url] === undefined) return false;
  const { [url]: _, ...tokens } = before.tokens;
  const [next] = Object.keys(tokens);
  if (next === undefined) await rm(file());
  else await write({ current: before.current === url ? next : before.current, tokens });
  return true;
}

/** A file that is half written would lose every token. */
async function write(credentials: Stored): Promise<void> {
  const place = file();
  await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
  const fresh = `${place}.${process.pid}`;
  await writeFile(fresh, JSON.stringify(credentials), { mode: 0o600 });
  await chmod(fresh, 0o600);
  await rename(fresh, place);
}
