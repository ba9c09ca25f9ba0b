import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seal } from "@/lib/proofs/sealing";
import {
  databasePlace,
  findLeaks,
  killBb,
  type Place,
  remainsOf,
  temporaryPlaces,
  textPlace,
} from "../testing/canaries";
import { newEncryptionKey } from "../testing/encryption-key";
import { circuit } from "../testing/prover-client";
import { price, type RunningProver, type Stack, scope } from "../testing/stack";

/** What was sent in must be nowhere: not in a log, a table, a file, a number, or an answer. */
export function privacy(stack: () => Stack): void {
  describe("private inputs", () => {
    const startedAt = Date.now() - 1_000;
    let home: string;
    const told: string[] = [];
    beforeAll(async () => {
      home = await mkdtemp(path.join(tmpdir(), "parley-privacy-"));
    });
    afterAll(async () => await rm(home, { recursive: true, force: true }));

    /** A prover with its database on disk, so that its files can be searched. */
    async function start(name: string, ...changes: Parameters<Stack["start"]>): Promise<RunningProver> {
      const [config = {}, backend = {}] = changes;
      const databaseUrl = `pglite:${path.join(home, name)}`;
      const metrics = { port: 0, host: "127.0.0.1" };
      return await stack().start({ databaseUrl, metrics, ...config }, backend);
    }

    /** Buys with a fresh payer and keeps every byte of the answer, and of the job it names. */
    async function buy({ client }: RunningProver, inputs: unknown): Promise<number> {
      const { header } = await stack().pay(client);
      const response = await fetch(`${client.url}/api/v1/prove`, {
        method: "POST",
        headers: { "content-type": "application/json", "payment-signature": header },
        body: JSON.stringify({ circuit, inputs }),
      });
      const text = await response.text();
      told.push(text, JSON.stringify([...response.headers]));
      const job = /"jobToken":"([^"]+)"/.exec(text)?.[1];
      for (const accept of job ? ["application/json", "text/html"] : []) {
        const shown = await fetch(`${client.url}/api/v1/jobs/${job}`, { headers: { accept } });
        told.push(await shown.text());
      }
      return response.status;
    }

    const remains = (name: string, { server }: RunningProver) => remainsOf(server, path.join(home, name));

    const outside = async (): Promise<Place[]> => [
      textPlace("log", stack().logs.join("")),
      textPlace("answers", told.join("\n")),
      ...(await temporaryPlaces(startedAt)),
    ];

    async function canary(name: string) {
      const local = `canary-${name}-7f3a9c1e`;
      const jwt = await stack().idp.token(`${local}@example.com`, { sub: `subject-${name}-51d0e7aa` });
      const [, payload = "", signature = ""] = jwt.split(".");
      return {
        inputs: { jwt, scope },
        secrets: { email: local, subject: `subject-${name}-51d0e7aa`, payload, signature },
      };
    }

    it("leave no trace after a proof, a refusal, a failed proof and a bb that dies with them", async () => {
      const { inputs, secrets } = await canary("plain");
      let mode: "works" | "fails" | "dies" = process.platform === "linux" ? "dies" : "works";
      const { backend } = stack();
      const prover = await start(
        "plain",
        {},
        {
          async prove(id, witness) {
            // As a library would that quotes what it was given.
            if (mode === "fails") throw new Error(`cannot prove ${inputs.jwt}`);
            const proof = backend.prove(id, witness);
            if (mode !== "dies") return await proof;
            mode = "works";
            await expect.poll(killBb, { timeout: 10_000, interval: 20 }).toBe(true);
            return await proof;
          },
        },
      );
      expect(await buy(prover, inputs)).toBe(200);
      if (process.platform === "linux") expect(backend.restarts()).toBeGreaterThan(0);
      mode = "fails";
      expect(await buy(prover, inputs)).toBe(500);
      expect(await buy(prover, { ...inputs, jwt: `${inputs.jwt}x` })).toBe(400);
      expect(await buy(prover, { ...inputs, provider: "provider_b" })).toBe(400);
      expect(await buy(prover, { ...inputs, provider: inputs.jwt })).toBe(400);
      expect(await buy(prover, { ...inputs, jwks: stack().otherIdp.jwks })).toBe(400);
      const places = [...(await remains("plain", prover)), ...(await outside())];
      expect(findLeaks(secrets, places)).toEqual([]);
      // An empty log would hold nothing either.
      expect(places.find(({ name }) => name === "log")?.bytes.includes("proof delivered")).toBe(true);
    });

    it("leave no trace when they come encrypted, nor does the key they were encrypted for", async () => {
      const { inputs, secrets } = await canary("sealed");
      const key = await newEncryptionKey();
      const prover = await start("sealed", { encryptionKey: key.text }, stack().replaying());
      expect((await prover.client.challenge()).teePublicKey).toBe(key.publicKey);
      const encrypted = await seal(key.publicKey, circuit, inputs);
      expect(await buy(prover, { encrypted })).toBe(200);
      expect(await buy(prover, inputs)).toBe(400);
      const foreign = await seal(key.publicKey, "network_eligibility", inputs);
      expect(await buy(prover, { encrypted: foreign })).toBe(400);
      const odd = await seal(key.publicKey, circuit, { ...inputs, jwt: 1 });
      expect(await buy(prover, { encrypted: odd })).toBe(400);
      const sealed = { ciphertext: encrypted.split(".")[3] ?? "", key: key.text };
      const places = [...(await remains("sealed", prover)), ...(await outside())];
      expect(findLeaks({ ...secrets, ...sealed }, places)).toEqual([]);
    });

    it("payments F11: the database holds no job token after a job, and nothing in it opens the job", async () => {
      const prover = await start("tokens", {}, stack().replaying());
      const { client, server } = prover;
      const { header } = await stack().pay(client);
      const { result } = await client.buy(stack().inputs, header);
      const token = result?.jobToken ?? "";
      const opens = async (value: string) =>
        (await fetch(`${client.url}/api/v1/jobs/${encodeURIComponent(value)}`)).status === 200;
      expect(await opens(token)).toBe(true);
      const { bytes } = await databasePlace(server.store.payments.db);
      // Proofs are longer than any token may be.
      const values = new Set(bytes.toString("utf8").match(/[\w:/+=-]{8,200}/g));
      expect(values).toContain(result?.publicInputs[0]);
      const keys: string[] = [];
      for (const value of values) if (await opens(value)) keys.push(value);
      expect(keys).toEqual([]);
      expect(findLeaks({ token }, await remains("tokens", prover))).toEqual([]);
    });

    it("are found wherever they are let out: the search works in each of these places", async () => {
      const { inputs, secrets } = await canary("leak");
      const prover = await start("leaking", {}, stack().replaying());
      const { db } = prover.server.store.payments;
      const hex = Buffer.from(secrets.email).toString("hex");
      await sql`insert into nonce (nonce, circuit, expires_at) values (${hex}, 'x', now())`.execute(db);
      const file = path.join(tmpdir(), `parley-leak-${process.pid}`);
      await writeFile(file, Buffer.from(`${secrets.email} ${inputs.jwt}`).toString("base64"));
      stack().logs.push(`{"cause":"cannot prove ${secrets.payload.slice(0, 30)}"}`);
      told.push(`{"error":"INVALID_INPUTS","message":"${secrets.signature}"}`);
      const places = [...(await remains("leaking", prover)), ...(await outside())];
      const leaks = findLeaks(secrets, places);
      await rm(file);
      stack().logs.pop();
      told.pop();
      expect([...new Set(leaks)].sort()).toEqual([
        "answers: signature",
        "database files: email",
        "database: email",
        "log: payload",
        "temporary folder: email",
        "temporary folder: payload",
        "temporary folder: signature",
      ]);
    });
  });
}

/** Inputs that are encrypted on their way, and what is told to a client that has it wrong. */
export function encryption(stack: () => Stack): void {
  describe("encrypted inputs", () => {
    let key: Awaited<ReturnType<typeof newEncryptionKey>>;
    let sealed: RunningProver;
    beforeAll(async () => {
      key = await newEncryptionKey();
      sealed = await stack().start({ encryptionKey: key.text }, stack().replaying());
    });

    /** Buys, and says what came of it and what is left of the money. */
    async function buy({ client }: RunningProver, inputs: unknown) {
      const { header, left } = await stack().pay(client);
      const send = () => client.buy(inputs, header);
      const { status, error, result } = await send();
      return { told: [status, error?.error, error?.field, error?.reason], left: await left(), result, send };
    }

    it("buy a proof, and the same payment with the same inputs sealed anew is the same request", async () => {
      const { inputs } = stack();
      expect((await sealed.client.challenge()).teePublicKey).toBe(key.publicKey);
      const bought = await buy(sealed, { encrypted: await seal(key.publicKey, circuit, inputs) });
      expect([...bought.told, bought.left]).toEqual([200, undefined, undefined, undefined, 0n]);
      expect((await bought.send()).result).toEqual(bought.result);
    });

    it("are all that a prover with a key takes; whatever else is refused costs nothing", async () => {
      const { inputs } = stack();
      const other = await newEncryptionKey();
      const good = await seal(key.publicKey, circuit, inputs);
      const cases = [
        [inputs, "encryption_required"],
        [{ ...inputs, encrypted: good }, "encryption_required"],
        [{ encrypted: 7 }, "encryption_required"],
        [{ encrypted: "nonsense" }, "decryption_failed"],
        [{ encrypted: await seal(other.publicKey, circuit, inputs) }, "decryption_failed"],
        // Taken from a request for another circuit.
        [{ encrypted: await seal(key.publicKey, "network_eligibility", inputs) }, "decryption_failed"],
        [{ encrypted: `${good.slice(0, -2)}AA` }, "decryption_failed"],
        [{ encrypted: await seal(key.publicKey, circuit, [inputs]) }, "decryption_failed"],
      ] as const;
      for (const [sent, reason] of cases) {
        const { told, left } = await buy(sealed, sent);
        expect([...told, left]).toEqual([400, "INVALID_INPUTS", "inputs", reason, price]);
      }
    });

    it("are checked as inputs in clear are, and may not be deeper", async () => {
      const seals = async (value: unknown) => ({ encrypted: await seal(key.publicKey, circuit, value) });
      const wrong = await buy(sealed, await seals({ ...stack().inputs, scope: 1 }));
      expect(wrong.told).toEqual([400, "INVALID_INPUTS", "scope", "schema"]);
      const deep: unknown = JSON.parse(`{"jwt":${"[".repeat(4_000)}${"]".repeat(4_000)}}`);
      const { told } = await buy(sealed, await seals(deep));
      expect(told).toEqual([400, "INVALID_REQUEST", undefined, undefined]);
    });

    it("are described in the guide, and refused where there is no key", async () => {
      const guide: unknown = await (await fetch(`${sealed.client.url}/api/v1/guide/${circuit}`)).json();
      expect(guide).toMatchObject({
        encryption: {
          teePublicKey: key.publicKey,
          required: true,
          protected_header: { alg: "ECDH-ES", enc: "A256GCM", purpose: circuit },
        },
      });
      const { client } = stack().prover;
      expect((await client.challenge()).teePublicKey).toBeNull();
      const sent = { encrypted: await seal(key.publicKey, circuit, stack().inputs) };
      const { told } = await buy(stack().prover, sent);
      expect(told).toEqual([400, "INVALID_INPUTS", "inputs", "encryption_unavailable"]);
    });
  });
}
