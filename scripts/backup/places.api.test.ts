import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Db } from "@/db/schema";
import { oldPost, recordTopic } from "@/lib/community/records/testing";
import { makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { parseStorageUrl } from "@/lib/settings/storage-url";
import type { Storage } from "@/lib/storage";
import { newKey } from "@/lib/storage/keys";
import { s3Storage } from "@/lib/storage/s3";
import { startStubBucket } from "@/lib/storage/testing/stub-bucket";
import { emptyTemplate } from "@/lib/testing/empty";
import { startRecordWorld } from "@/lib/testing/records";
import { openStore } from "@/prover/store";
import { readManifest } from "./manifest";
import { secretsOf } from "./restore";
import { writeVariables } from "./secrets";
import { type BackupWorld, diskOf, problems, secrets, startBackupWorld } from "./testing";

// Mostly on PostgreSQL, which makes databases in a tenth of the time; backup.api.test.ts has both.
let world: BackupWorld;
beforeAll(async () => {
  world = await startBackupWorld();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(() => world.close());

const picture = (number: number) => new Uint8Array([137, 80, 78, 71, number]);

/** A file with its row. */
async function upload(db: Db, storage: Storage, number: number, withheld = false) {
  const { id: userId } = await db.selectFrom("users").select("id").executeTakeFirstOrThrow();
  const key = newKey({ env: "development", purpose: "post", userId, contentType: "image/png" });
  const row = { key, user_id: userId, content_type: "image/png", size: 5, stored: true, withheld };
  await db.insertInto("uploads").values(row).execute();
  await storage.put(key, picture(number), "image/png");
  if (withheld) await storage.withhold(key);
  return key;
}

/** A file that its owner deleted, and a legal hold keeps. */
async function onlyHeld(db: Db, storage: Storage, number: number) {
  const key = await upload(db, storage, number, true);
  const { user_id } = await db
    .deleteFrom("uploads")
    .where("key", "=", key)
    .returning("user_id")
    .executeTakeFirstOrThrow();
  const at = new Date();
  const held = { kind: "profile", target_id: user_id, reason: "r", placed_by: user_id } as const;
  const { id } = await db
    .insertInto("legal_holds")
    .values({ ...held, placed_at: at, renewed_at: at })
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("held_files")
    .values({ hold_id: id, key, content_type: "image/png", sha256: null })
    .execute();
  return key;
}

it("moves uploads from a folder to a bucket and back, withheld ones unseen, and names what is missing", async () => {
  const place = await world.install("postgres");
  await signIn(place.h);
  const { db } = place.h;
  const shown = await Promise.all([1, 2, 3].map((number) => upload(db, place.storage, number)));
  const hidden = await upload(db, place.storage, 4, true);
  const gone = await upload(db, place.storage, 5);
  await place.storage.remove([gone]);
  const held = await onlyHeld(db, place.storage, 6);
  const toBucket = world.newFolder();
  await world.backUp(place.environment, toBucket);
  await place.h.close();

  const credentials = { accessKeyId: "AKID", secretAccessKey: "a/secret" };
  const stub = await startStubBucket({ ...credentials, region: "auto", name: "parley" });
  const STORAGE_URL = `s3+${stub.url.replace("//", "//AKID:a%2Fsecret@")}?public=https://cdn.example/p`;
  const inBucket = { ...(await world.emptyPlace("postgres")), STORAGE_URL };
  const checks = await world.restore(toBucket, inBucket);
  expect(problems(checks)).toEqual([]);
  expect(checks.find(({ what }) => what === "uploads")?.found).toBe(
    `5 files; missing when the backup was made: ${gone}`,
  );
  const settings = parseStorageUrl(STORAGE_URL) ?? expect.fail();
  const bucket = s3Storage(settings, "development");
  expect([...stub.objects.keys()].filter((key) => key.startsWith("development/")).sort()).toEqual(
    shown.sort(),
  );
  for (const key of [hidden, held]) expect(await bucket.read(key)).toBeNull();

  const toFolder = world.newFolder();
  await world.backUp(inBucket, toFolder);
  const back = await world.emptyPlace("postgres");
  expect(problems(await world.restore(toFolder, back))).toEqual([]);
  const disk = diskOf(back);
  expect(await disk.read(hidden)).toBeNull();
  expect(Buffer.from((await disk.readWithheld(hidden)) ?? [])).toEqual(Buffer.from(picture(4)));
  expect(await disk.read(held)).toBeNull();
  expect(Buffer.from((await disk.readWithheld(held)) ?? [])).toEqual(Buffer.from(picture(6)));
  for (const key of shown) expect((await disk.read(key))?.length).toBe(5);
  await expect(world.restore(toFolder, inBucket)).rejects.toThrow(
    /the database has \d+ tables .*; the uploads are not empty/,
  );
  await stub.close();
});

it("compares records with the chain", async () => {
  const records = await startRecordWorld();
  const options = records.options((await records.wallet()).key);
  const place = await world.install("postgres", options);
  const topic = await recordTopic(place.h, 1);
  const post = await oldPost(place.h, topic);
  const [member = expect.fail()] = topic.people;
  await member.api.call(contract.records.record, { postId: post.id });
  const confirmed = () =>
    place.h.db.selectFrom("records").select("id").where("status", "=", "confirmed").executeTakeFirst();
  await vi.waitUntil(confirmed, { timeout: 30_000 });
  const online = { offline: false };
  const check = async (described: boolean) => {
    const to = world.newFolder();
    await world.backUp(place.environment, to);
    const target = await world.emptyPlace("postgres");
    const described_ = JSON.stringify({
      ...JSON.parse(target.PARLEY_DEPLOYMENT ?? ""),
      ...options.deployment,
    });
    const environment = described ? { ...target, PARLEY_DEPLOYMENT: described_ } : target;
    const checks = await world.restore(to, environment, online);
    return checks.find(({ what }) => what === "records on the chain");
  };
  expect(await check(true)).toMatchObject({ ok: true, found: "1 have the same post and text there" });
  expect(await check(false)).toMatchObject({ ok: false, found: expect.stringContaining("no record board") });
  await sql`update records set content_hash = '0x00'`.execute(place.h.db);
  expect(await check(true)).toMatchObject({
    ok: false,
    found: expect.stringContaining("records another text"),
  });
  await records.stop();
  expect(await check(true)).toMatchObject({ ok: false, found: expect.stringContaining("does not answer") });
  await place.h.close();
});

it("keeps passwords off command lines, and says what to install", async () => {
  const place = await world.install("postgres");
  const url = new URL(place.environment.DATABASE_URL ?? "");
  url.password = "hush-hush";
  const environment = { ...place.environment, DATABASE_URL: url.toString() };
  const bin = path.join(world.folder, "bin");
  const said = path.join(bin, "said");
  const PATH = process.env.PATH ?? "";
  await mkdir(bin);
  for (const name of ["pg_dump", "pg_restore"]) {
    const file = path.join(bin, name);
    await writeFile(
      file,
      `#!/bin/sh\necho "${name} $* as $PGPASSWORD" >>${said}\nPATH=${PATH}\nexport PATH\nexec ${name} "$@"\n`,
    );
    await chmod(file, 0o755);
  }
  vi.stubEnv("PATH", bin);
  const to = world.newFolder();
  await world.backUp(environment, to);
  const target = await world.emptyPlace("postgres");
  expect(problems(await world.restore(to, target))).toEqual([]);
  const lines = (await readFile(said, "utf8"))
    .trim()
    .split("\n")
    .filter((line) => !line.includes("--version"));
  expect(lines).toEqual([
    expect.stringMatching(/^pg_dump --format=custom .* as hush-hush$/),
    expect.stringMatching(/^pg_restore --exit-on-error .* as$/),
  ]);
  expect(lines.every((line) => line.indexOf("hush") === line.lastIndexOf("hush-hush"))).toBe(true);
  vi.stubEnv("PATH", "/nowhere");
  await expect(world.backUp(environment, world.newFolder())).rejects.toThrow(
    /pg_dump is missing: install Debian's package postgresql-client-\d+/,
  );
  await place.h.close();
});

const both = ["app", "prover"] as const;

it("backs up both programs with their secrets where they share one database", async () => {
  const app = await world.install("postgres");
  await makeTopic(await signIn(app.h));
  const shared = {
    ...app.environment,
    PROVER_DATABASE_URL: app.environment.DATABASE_URL,
    PROVER_SECRET: "p".repeat(32),
  };
  await (await openStore({ url: app.environment.DATABASE_URL ?? "" })).close();
  const one = world.newFolder();
  await world.backUp(shared, one, { programs: both });
  await app.h.close();
  const { databases } = await readManifest(one);
  expect(databases.map(({ programs }) => programs)).toEqual([["app", "prover"]]);
  expect(databases[0]?.rows).toMatchObject({ "public.topics": 1, "public.payment": 0 });
  const target = await world.emptyPlace("postgres");
  const own = { ...target, PROVER_DATABASE_URL: target.DATABASE_URL, PROVER_SECRET: "p".repeat(32) };
  await expect(
    world.restore(one, { ...target, PROVER_SECRET: "p".repeat(32) }, { programs: both }),
  ).rejects.toThrow("name one by both");
  expect(problems(await world.restore(one, own, { programs: both }))).toEqual([]);
});

it("backs up a folder that nobody has open, with the prover's secret in a file of its own", async () => {
  const separate = await world.emptyPlace("embedded");
  const url = `pglite:${separate.PARLEY_HOME}/prover-db`;
  await (await openStore({ url, template: await emptyTemplate() })).close();
  await writeFile(path.join(separate.PARLEY_HOME, "prover-secret"), "ab".repeat(32));
  const two = world.newFolder();
  await world.backUp(separate, two, { programs: ["prover"] });
  await expect(world.backUp(separate, world.newFolder(), { programs: both })).rejects.toThrow(
    "there is no database in",
  );
  const empty = await world.emptyPlace("embedded");
  expect(problems(await world.restore(two, empty, { programs: both }))).toEqual([]);
  expect(await readFile(path.join(empty.PARLEY_HOME, "prover-secret"), "utf8")).toBe("ab".repeat(32));
  await (await openStore({ url: `pglite:${empty.PARLEY_HOME}/prover-db` })).close();
});

it("gives the variables back as a file of their own", async () => {
  const place = await world.install("postgres");
  const to = world.newFolder();
  const key = 'it\'s "quoted" $HOME and 32 bytes long';
  await world.backUp({ ...place.environment, USER_ID_SECRET: key }, to);
  const file = path.join(world.folder, "restored.env");
  await writeVariables(await secretsOf(to, await readManifest(to), world.decrypter()), file);
  const lines = (await readFile(file, "utf8")).split("\n");
  expect(lines).toContain(`SESSION_SECRET='${secrets.SESSION_SECRET}'`);
  expect(lines).toContain(`USER_ID_SECRET='it'\\''s "quoted" $HOME and 32 bytes long'`);
  const without = world.newFolder();
  await world.backUp(place.environment, without, { withSecrets: false });
  const manifest = await readManifest(without);
  expect(manifest.secrets).toBeUndefined();
  await expect(secretsOf(without, manifest, world.decrypter())).rejects.toThrow("made without secrets");
  // Kept apart, they are not asked for.
  await rm(path.join(to, "secrets.json.age"));
  const target = await world.emptyPlace("postgres");
  await expect(world.restore(to, target)).rejects.toThrow("secrets.json.age is missing");
  expect(problems(await world.restore(to, target, { withSecrets: false }))).toEqual([]);
  await place.h.close();
});
