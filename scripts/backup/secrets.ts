import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { appVariables } from "@/lib/settings/app";
import { aboutOf, type Shape } from "@/lib/settings/declare";
import { facilitatorVariables } from "@/lib/settings/facilitator";
import { proverVariables } from "@/lib/settings/prover";
import { type Environment, secretText } from "@/lib/settings/read";
import type { Program } from "./manifest";
import { BackupError, codeOf } from "./problem";

const variables: Readonly<Record<Program, Shape>> = {
  app: appVariables,
  prover: { ...proverVariables, ...facilitatorVariables },
};
/** What a program wrote itself, in PARLEY_HOME. */
const files = { app: "secrets.json", prover: "prover-secret" } as const satisfies Record<Program, string>;
/** Secrets without which rows of the database are of no use. */
const permanent: Readonly<Record<Program, readonly string[]>> = {
  app: ["USER_ID_SECRET", "SESSION_SECRET", "VAPID_PRIVATE_KEY"],
  prover: ["PROVER_SECRET"],
};

const secretsSchema = z.strictObject({
  /** Variables by name, from the environment or from the files that it names. */
  variables: z.record(z.string(), z.string()),
  /** Contents of files in PARLEY_HOME by name. */
  files: z.partialRecord(z.enum(["secrets.json", "prover-secret"]), z.string()),
});
export type Secrets = z.infer<typeof secretsSchema>;

/** Returns the secrets of programs: those of the environment, and those that the first start wrote. */
export async function readSecrets(
  programs: readonly Program[],
  environment: Environment,
  home: string,
): Promise<Secrets> {
  const declared = programs.flatMap((program) => Object.entries(variables[program]));
  const texts = declared.flatMap(([name, variable]) => {
    // A key pair is of use as a whole only, so that the parts that are no secrets come along.
    if (!aboutOf(variable).secret && !/^(VAPID|CDP)_/.test(name)) return [];
    const text = secretText(environment, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const contents = await Promise.all(
    programs.map(
      async (program) => [files[program], await contentOf(path.join(home, files[program]))] as const,
    ),
  );
  return secretsSchema.parse({
    variables: Object.fromEntries(texts),
    files: Object.fromEntries(contents.filter(([, text]) => text !== undefined)),
  });
}

/** Reads secrets from a decrypted stream. @throws BackupError */
export async function parseSecrets(stream: AsyncIterable<Uint8Array>): Promise<Secrets> {
  const text = (await buffer(stream)).toString();
  const parsed = secretsSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new BackupError("the backup's secrets are not in the form of this release");
  return parsed.data;
}

/** Returns the secrets of a backup without the files of other programs. */
export function secretsFor(
  programs: readonly Program[],
  { variables: texts, files: contents }: Secrets,
): Secrets {
  const own = programs.map((program) => [files[program], contents[files[program]]] as const);
  return { variables: texts, files: Object.fromEntries(own.filter(([, content]) => content !== undefined)) };
}

/** Returns what is in the way of restored secrets. */
export async function inHome(secrets: Secrets, home: string): Promise<string | undefined> {
  for (const [name, content] of Object.entries(secrets.files)) {
    const found = await contentOf(path.join(home, name));
    if (found !== undefined && found !== content) return `${path.join(home, name)} has other secrets`;
  }
  return undefined;
}

/** Writes the files of the programs themselves, readable by their owner only. */
export async function restoreSecrets(secrets: Secrets, home: string): Promise<void> {
  for (const [name, content] of Object.entries(secrets.files))
    await writeFile(path.join(home, name), content, { mode: 0o600 });
}

/** Writes the variables to a new file, as a shell and systemd read them. @throws BackupError if the file exists */
export async function writeVariables(secrets: Secrets, file: string): Promise<void> {
  const lines = Object.entries(secrets.variables).map(
    ([name, text]) => `${name}='${text.replaceAll("'", `'\\''`)}'\n`,
  );
  await writeFile(file, lines.join(""), { flag: "wx", mode: 0o600 }).catch((error: unknown) => {
    if (codeOf(error) === "EEXIST") throw new BackupError(`--secrets-to: ${file} exists`);
    throw error;
  });
}

/** Returns the permanent secrets of a program that differ. */
export function differing(program: Program, kept: Secrets, now: Secrets): readonly string[] {
  return permanent[program].filter((name) => {
    const before = settingOf(name, kept);
    return before !== undefined && before !== settingOf(name, now);
  });
}

/** Returns the value that a program works with. */
export function settingOf(name: string, { variables: texts, files: contents }: Secrets): string | undefined {
  if (texts[name] !== undefined) return texts[name];
  if (name === "PROVER_SECRET") return contents["prover-secret"]?.trim();
  const inFile = z.record(z.string(), z.unknown()).safeParse(JSON.parse(contents["secrets.json"] ?? "{}"));
  const value = inFile.data?.[name];
  return typeof value === "string" ? value : undefined;
}

async function contentOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
