import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { wrapFetchWithPaymentFromConfig } from "@x402/fetch";
import { type Hex, size } from "viem";
import type { PrivateKeyAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EligibleAction } from "@/contracts";
import { attestAccountCall, attestationSite, attestCountryCall } from "@/contracts/attestation";
import {
  ELIGIBLE_ACTION_GAS,
  ELIGIBLE_ACTION_SCOPE,
  petitionTypedData,
  statementHash,
} from "@/contracts/eligible-action";
import { actionSchema } from "@/lib/proofs/attestation/action";
import { findAttestation } from "@/lib/proofs/attestation/find";
import type { AttestedStatement } from "@/lib/proofs/client/attested";
import { circuitTag, scopeWord, walletNullifier } from "@/lib/proofs/derivations";
import { decodePublicInputs } from "@/lib/proofs/registry";
import { type AttestedCircuit, attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { verifyOnChain } from "@/lib/proofs/verify";
import { type ProveResult, proveResultSchema } from "@/lib/proofs/wire";
import { type AttestedWorld, newHolder, startAttestedWorld, wireInputs } from "./testing/attested-world";
import { findLeaks, remainsOf, temporaryPlaces, textPlace } from "./testing/canaries";
import { price, type RunningProver, type Stack, scope, startStack } from "./testing/stack";

let stack: Stack;
let world: AttestedWorld;
/** Makes each proof for real, and the same one only once. */
let running: RunningProver;
/** Attested on 8453 and on 91342. */
const holder = newHolder();
const since = Date.now() - 1_000;

beforeAll(async () => {
  stack = await startStack(attestedCircuits, async (chains) => {
    world = await startAttestedWorld(chains);
    return world.attestations;
  });
  running = await stack.start({ scopes: [scope, ELIGIBLE_ACTION_SCOPE] }, stack.replaying());
  for (const chain of [8453, 91342] as const) await world.attestAccount(chain, holder);
});
afterAll(async () => {
  await stack?.close();
  await world?.close();
});

/** Buys a proof with a fresh payer; the answer as it is. */
async function buy(circuit: AttestedCircuit, inputs: unknown) {
  const client = running.client.for(circuit);
  const payer = await stack.payer();
  const { header } = await payer.sign(await client.offer("eip155:8453"));
  const answer = await client.buy(inputs, header);
  return { answer, left: await stack.main.balance(payer.account.address) };
}

/** Where the price is paid: the first offer settles through the facilitator, the other by the prover's own key. */
type Network = "eip155:8453" | "eip155:1";

/**
 * Buys a proof with the x402 project's own client as it comes, then holds it against the words the statement must have
 * and against its verifier. Only the inputs are ours. (cases/buying.ts buys oidc_domain_attestation in the same way.)
 */
async function proven(
  user: PrivateKeyAccount,
  statement: AttestedStatement,
  network: Network = "eip155:8453",
): Promise<ProveResult> {
  const { circuit } = statement;
  const { wire, expectedPublicInputs } = await wireInputs(stack.deployment, user, statement);
  const { account } = await stack.payer();
  const pay = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network, client: new ExactEvmScheme(account) }],
  });
  const response = await pay(`${running.client.url}/api/v1/prove`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ circuit, inputs: wire }),
  });
  const answer: unknown = await response.json();
  expect([response.status, answer]).toEqual([200, expect.objectContaining({ circuit })]);
  const paidOn = network === "eip155:1" ? stack.second : stack.main;
  expect(await paidOn.balance(account.address)).toBe(0n);
  const result = proveResultSchema.parse(answer);
  expect(result.publicInputs).toEqual(expectedPublicInputs);
  expect(await verifyOnChain(stack.deployment, result)).toBe("valid");
  return result;
}

/** Expects a refusal before payment, naming field and reason. */
async function refused(circuit: AttestedCircuit, inputs: unknown) {
  const { answer, left } = await buy(circuit, inputs);
  expect(left).toBe(price);
  return [answer.status, answer.error?.error, answer.error?.field, answer.error?.reason];
}

describe("proofs of attested wallets, bought with the unmodified x402 client", () => {
  it("country, included and excluded, by any signer of the list", async () => {
    const user = newHolder();
    await world.attestCountry(user, "FR", 3);
    const circuit = "partner_country_attestation";
    const inside = { countries: ["DE", "FR"], isIncluded: true };
    const outside = { countries: ["KP"], isIncluded: false };
    const first = await proven(user, { circuit, scope, list: inside });
    const second = await proven(user, { circuit, scope, list: outside }, "eip155:1");
    const facts = [first, second].map((result) => decodePublicInputs(circuit, result.publicInputs));
    expect(facts[0]).toMatchObject({ countries: ["DE", "FR"], isIncluded: true, scope: scopeWord(scope) });
    expect(facts[1]).toMatchObject({ countries: ["KP"], isIncluded: false });
    // One wallet, one nullifier, whatever is proven of it.
    expect(facts[1]?.nullifier).toBe(facts[0]?.nullifier);
    expect(JSON.stringify([first, second]).toLowerCase()).not.toContain(user.address.slice(2).toLowerCase());
  });

  it("regional_attestation, on 91342, signed by the only signer there", async () => {
    const circuit = "regional_attestation";
    const result = await proven(holder, { circuit, scope, nonce: "n" });
    expect(result.verification.chainId).toBe(91342);
    expect(decodePublicInputs(circuit, result.publicInputs)).toMatchObject({
      action: null,
      nullifier: walletNullifier(holder.address, circuitTag(circuit), scopeWord(scope)),
    });
  });

  it("network_eligibility, alone and authorizing an action that its contract carries out once", async () => {
    const circuit = "network_eligibility";
    const alone = await proven(holder, { circuit, scope: ELIGIBLE_ACTION_SCOPE, nonce: "n" });

    const { client } = world.chain(5042002);
    const front = stack.deployment.verifiers[circuit]?.address ?? expect.fail();
    const { root } = attestersOf("development")[circuit];
    const deployed = await client.deployContract({
      ...EligibleAction,
      args: [front, root, scopeWord(ELIGIBLE_ACTION_SCOPE)],
    });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash: deployed });
    const register = contractAddress ?? expect.fail();
    const statement = statementHash("prove it");
    const message = { statement, nonce: 0n, deadline: 4_000_000_000n };
    const data = petitionTypedData({ chainId: 5042002, address: register }, message);
    const action = actionSchema.parse(data);
    const acting = await proven(holder, { circuit, scope: ELIGIBLE_ACTION_SCOPE, action });
    const [identity, authorized] = [alone, acting].map((r) => decodePublicInputs(circuit, r.publicInputs));
    expect(authorized?.nullifier).toBe(identity?.nullifier);

    const submit = (result: ProveResult, told: typeof message) =>
      client.simulateContract({
        address: register,
        abi: EligibleAction.abi,
        functionName: "sign",
        args: [result.proof, result.publicInputs, told],
        gas: ELIGIBLE_ACTION_GAS,
      });
    await expect(submit(alone, message)).rejects.toThrow("NotForThisContract");
    await expect(submit(acting, { ...message, deadline: 4_000_000_001n })).rejects.toThrow("NotThisAction");
    // Another last word, whatever it is: one in 256 proofs ends with this byte.
    const last = acting.publicInputs.at(-1);
    const other: Hex = `0x${"00".repeat(31)}${last?.endsWith("01") ? "02" : "01"}`;
    const forged = { ...acting, publicInputs: [...acting.publicInputs.slice(0, -1), other] };
    await expect(submit(forged, message)).rejects.toThrow("InvalidProof");

    const { request } = await submit(acting, message);
    const receipt = await client.waitForTransactionReceipt({ hash: await client.writeContract(request) });
    expect(receipt.status).toBe("success");
    await expect(submit(acting, message)).rejects.toThrow("WrongNonce");
  });
});

/** Another transaction of the first signer's, as the wire has it. */
function transaction(raw: Hex) {
  return { raw_transaction: raw, tx_length: size(raw) };
}

describe("refusing attested inputs, with nothing charged", () => {
  const circuit = "network_eligibility";
  const statement = { circuit, scope: ELIGIBLE_ACTION_SCOPE, nonce: "n" } as const;

  it("claims that do not follow from what was signed", async () => {
    const { wire } = await wireInputs(stack.deployment, holder, statement);
    const zero = `0x${"00".repeat(32)}`;
    for (const [field, value] of [
      ["merkle_root", zero],
      ["nullifier", zero],
      ["user_pubkey_x", zero],
      ["attester_pubkey_y", zero],
      ["leaf_index", 1],
      ["tx_length", 1],
    ] as const) {
      expect(await refused(circuit, { ...wire, [field]: value })).toEqual([
        400,
        "INVALID_INPUTS",
        field,
        "CLAIM_MISMATCH",
      ]);
    }
    const half = { domain_separator: `0x${"11".repeat(32)}` };
    expect(await refused(circuit, { ...wire, ...half })).toEqual([
      400,
      "INVALID_INPUTS",
      "action_hash",
      "ACTION_INVALID",
    ]);
    expect(await refused(circuit, { ...wire, scope: undefined, scope_bytes: zero })).toEqual([
      400,
      "INVALID_INPUTS",
      "scope_bytes",
      "SCOPE_UNKNOWN",
    ]);
    expect(await refused(circuit, {})).toEqual([400, "INVALID_INPUTS", expect.any(String), "schema"]);
    // What is right is sold all the same: nothing above used anything up.
    expect((await buy(circuit, { ...wire, scope: undefined })).answer.status).toBe(200);
  });

  it("an attestation that was revoked, or replaced by a newer one", async () => {
    const user = newHolder();
    await world.attestAccount(8453, user);
    const { wire } = await wireInputs(stack.deployment, user, statement);
    const { uid } = await findAttestation({ deployment: stack.deployment, circuit, recipient: user.address });
    await world.attestAccount(8453, user, 1);
    const superseded = [400, "INVALID_INPUTS", "raw_transaction", "ATTESTATION_SUPERSEDED"];
    expect(await refused(circuit, wire)).toEqual(superseded);
    await world.revoke(8453, attestationSite(8453).accountSchema, uid);
    const revoked = [400, "INVALID_INPUTS", "raw_transaction", "ATTESTATION_REVOKED"];
    expect(await refused(circuit, wire)).toEqual(revoked);
  });

  it("an attestation whose transaction failed, or was signed and never sent", async () => {
    const user = newHolder();
    await world.attestAccount(8453, user);
    const { wire } = await wireInputs(stack.deployment, user, statement);
    for (const [raw, reason] of [
      [await world.failing(user), "ATTESTATION_REVERTED"],
      [await world.unsent(attestAccountCall(user.address)), "ATTESTATION_NOT_FOUND"],
    ] as const) {
      expect(await refused(circuit, { ...wire, ...transaction(raw) })).toEqual([
        400,
        "INVALID_INPUTS",
        "raw_transaction",
        reason,
      ]);
    }
  });

  it("a list the country is not in, or is in", async () => {
    const user = newHolder();
    await world.attestCountry(user, "FR");
    const country = "partner_country_attestation";
    const list = { countries: ["FR"], isIncluded: true };
    const { wire } = await wireInputs(stack.deployment, user, { circuit: country, scope, list });
    for (const wrong of [{ country_list: ["DE"] }, { is_included: false }]) {
      expect(await refused(country, { ...wire, ...wrong })).toEqual([
        400,
        "INVALID_INPUTS",
        expect.stringMatching(/^(country_list|is_included)$/),
        "COUNTRY_NOT_PROVEN",
      ]);
    }
    // Another wallet's attestation does not serve this one.
    const other = newHolder();
    const raw = await world.unsent(attestCountryCall(other.address, "FR"));
    expect((await refused(country, { ...wire, ...transaction(raw) }))[3]).toBe("WRONG_RECIPIENT");
  });

  it("anything while the source of attestations is out of reach: come back, do not pay", async () => {
    const user = newHolder();
    await world.attestAccount(8453, user);
    const { wire } = await wireInputs(stack.deployment, user, statement);
    const { attestations } = stack.deployment;
    stack.deployment.attestations = { graphqlUrl: "http://127.0.0.1:9/graphql", explorerUrl: null };
    try {
      expect(await refused(circuit, wire)).toEqual([503, "BUSY", undefined, "attestation_unavailable"]);
    } finally {
      stack.deployment.attestations = attestations;
    }
  });
});

describe("what a wallet signs and was attested", () => {
  it("leaves no trace after a proof, a failed proof and a refusal", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "parley-privacy-"));
    const circuit = "regional_attestation";
    const { wire } = await wireInputs(stack.deployment, holder, { circuit, scope, nonce: "n" });
    const backend = stack.replaying();
    let broken = false;
    const { server, client } = await stack.start(
      { databaseUrl: `pglite:${path.join(folder, "db")}`, metrics: { port: 0, host: "127.0.0.1" } },
      {
        ...backend,
        async prove(id, witness) {
          if (broken) throw new Error(`cannot prove ${holder.address} ${wire.signature}`);
          return await backend.prove(id, witness);
        },
      },
    );
    const answers: unknown[] = [];
    const send = async (inputs: unknown) => {
      const buyer = client.for(circuit);
      const { header } = await (await stack.payer()).sign(await buyer.offer("eip155:8453"));
      const answer = await buyer.buy(inputs, header);
      answers.push({ ...answer, headers: [...answer.headers] });
      if (answer.result) answers.push(await buyer.job(answer.result.jobToken));
      return answer.status;
    };
    expect(await send(wire)).toBe(200);
    broken = true;
    expect(await send(wire)).toBe(500);
    expect(await send({ ...wire, raw_transaction: wire.raw_transaction.slice(0, -2) })).toBe(400);
    expect(await send({ ...wire, user_address: newHolder().address })).toBe(400);
    const { signature, raw_transaction: transaction, user_pubkey_x: key } = wire;
    const places = [
      ...(await remainsOf(server, path.join(folder, "db"))),
      ...(await temporaryPlaces(since)),
      textPlace("answers", JSON.stringify(answers)),
      textPlace("log", stack.logs.join("")),
    ];
    await rm(folder, { recursive: true });
    expect(findLeaks({ wallet: holder.address, signature, transaction, key }, places)).toEqual([]);
  });
});
