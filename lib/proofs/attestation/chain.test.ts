import type { Hex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { attestAccountCall, attestCountryCall, revokeCall } from "@/contracts/attestation";
import { attestedChain } from "@/contracts/test/attested-chain";
import { anvilAccount } from "../testing/attestations";
import type { AttestedCircuit } from "../trust/attesters";
import { type AttestationDeployment, checkAttestation, findAttestation } from "./find";

/** The same against a real node with the development contracts; only the two indexes stand beside it. */

let base: Awaited<ReturnType<typeof attestedChain>>;
let regional: Awaited<ReturnType<typeof attestedChain>>;
let deployment: AttestationDeployment;
beforeAll(async () => {
  [base, regional] = await Promise.all([attestedChain(8453), attestedChain(91342)]);
  const chains = [base, regional].map(({ id, anvil: { rpcUrl } }) => ({
    ...{ id, name: "local", rpcUrl, publicRpcUrl: rpcUrl, explorerUrl: null },
  }));
  const attestations = { graphqlUrl: "https://index.test/graphql", explorerUrl: "https://explorer.test" };
  deployment = { mode: "development", chains, attestations };
}, 60_000);
afterAll(() => Promise.all([base?.stop(), regional?.stop()]));

/** Both indexes answer from the chain's own events; all else goes to the node. */
const outside: typeof fetch = async (input, init) => {
  const url = new URL(String(input));
  if (url.host === "index.test") {
    const rows = (await base.events()).map(async ({ args, transactionHash, blockNumber }) => {
      const { timestamp } = await base.client.getBlock({ blockNumber });
      const { uid: id, attester, recipient, schemaUID: schemaId } = args;
      return { id, attester, recipient, schemaId, time: Number(timestamp), txid: transactionHash };
    });
    return Response.json({ data: { attestations: await Promise.all(rows) } });
  }
  if (url.host !== "explorer.test") return fetch(input, init);
  const logs = (await regional.events()).map(
    async ({ address, topics, data, transactionHash, blockNumber }) => {
      const { timestamp } = await regional.client.getBlock({ blockNumber });
      return { address, topics, data, transactionHash, timeStamp: `0x${timestamp.toString(16)}` };
    },
  );
  return Response.json({ status: "1", message: "OK", result: await Promise.all(logs) });
};

describe.each<[AttestedCircuit, number]>([
  ["partner_country_attestation", 21],
  ["network_eligibility", 20],
  ["regional_attestation", 24],
])("an attestation for %s on a node", (circuit, signer) => {
  const recipient = anvilAccount(signer + 10).address;
  const chain = () => (circuit === "regional_attestation" ? regional : base);
  const call = () =>
    circuit === "partner_country_attestation"
      ? attestCountryCall(recipient, "KR")
      : attestAccountCall(recipient);
  const find = () => findAttestation({ deployment, circuit, recipient, fetch: outside });
  const check = (rawTransaction: Hex) =>
    checkAttestation({ deployment, circuit, recipient, rawTransaction, fetch: outside });
  let made: Awaited<ReturnType<ReturnType<typeof chain>["send"]>>;
  beforeEach(async () => {
    made = await chain().send(signer, call());
  });

  it("is found, rebuilt to the byte, and passes the prover's check", async () => {
    const found = await find();
    expect(found.transactionHash).toBe(made.transactionHash);
    expect(found.country).toBe(circuit === "partner_country_attestation" ? "KR" : null);
    await check(found.rawTransaction);
  });

  it("gives way to a newer one, and to its revocation", async () => {
    const first = await find();
    await chain().send(signer, call());
    const second = await find();
    expect(second.uid).not.toBe(first.uid);
    await expect(check(first.rawTransaction)).rejects.toMatchObject({ code: "ATTESTATION_SUPERSEDED" });
    await check(second.rawTransaction);
    const { accountSchema, countrySchema } = chain().site;
    const schema = circuit === "partner_country_attestation" ? countrySchema : accountSchema;
    await chain().send(signer, revokeCall(schema ?? "0x", second.uid));
    await expect(find()).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
    await expect(check(second.rawTransaction)).rejects.toMatchObject({ code: "ATTESTATION_REVOKED" });
  });

  it("that ran out of gas is none", async () => {
    const wallet = chain().wallet(signer);
    const request = { to: chain().site.contract, data: call(), gas: 40_000n, type: "eip1559" } as const;
    const prepared = await wallet.prepareTransactionRequest(request);
    const raw = await anvilAccount(signer).signTransaction({ ...prepared, ...request, type: "eip1559" });
    const hash = await chain().client.sendRawTransaction({ serializedTransaction: raw });
    expect((await chain().client.waitForTransactionReceipt({ hash })).status).toBe("reverted");
    await expect(check(raw)).rejects.toMatchObject({ code: "ATTESTATION_REVERTED" });
    expect((await find()).transactionHash).toBe(made.transactionHash);
  });
});
