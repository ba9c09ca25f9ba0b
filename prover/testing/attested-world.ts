import { type Hex, publicActions } from "viem";
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import {
  attestAccountCall,
  attestationSite,
  attestCountryCall,
  installAttestation,
  revokeCall,
} from "@/contracts/attestation";
import { findAttestation } from "@/lib/proofs/attestation/find";
import type { CountryWireInputs, EligibilityWireInputs } from "@/lib/proofs/attestation/wire";
import { type AttestedStatement, attestedWireInputs, signingRequest } from "@/lib/proofs/client/attested";
import type { Deployment } from "@/lib/proofs/deployment";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { startAttesterServer } from "@/scripts/stack/attester/server";
import type { TestChain } from "./chain";

/** Index of the first development signer of each chain (contracts/attestation.ts). */
const signerIndex = { 8453: 20, 91342: 24 } as const;

/** The development attesters on test chains, with the services production code finds attestations by. */
export async function startAttestedWorld(chains: readonly TestChain[]) {
  const chainOf = (id: number) => chains.find((chain) => chain.id === id) ?? missing(id);
  for (const id of [8453, 91342] as const) await installAttestation(chainOf(id).anvil.rpcUrl, id);
  const server = await startAttesterServer({
    port: 0,
    rpcUrls: { 8453: chainOf(8453).anvil.rpcUrl, 91342: chainOf(91342).anvil.rpcUrl },
  });

  const clientOf = (id: 8453 | 91342, signer: number) =>
    chainOf(id)
      .wallet(signerIndex[id] + signer)
      .extend(publicActions);

  /** A call of the attester, signed by one of its signers and not sent. */
  async function sign(id: 8453 | 91342, data: Hex, { signer = 0, gas = 500_000n } = {}): Promise<Hex> {
    const client = clientOf(id, signer);
    const { contract: to } = attestationSite(id);
    const nonce = await client.getTransactionCount({ address: client.account.address });
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
    return client.account.signTransaction({
      ...{ chainId: id, type: "eip1559", to, data, nonce, gas, maxFeePerGas, maxPriorityFeePerGas },
    });
  }

  async function send(id: 8453 | 91342, data: Hex, options: { signer?: number; gas?: bigint } = {}) {
    const raw = await sign(id, data, options);
    const client = clientOf(id, 0);
    const hash = await client.sendRawTransaction({ serializedTransaction: raw });
    const { status } = await client.waitForTransactionReceipt({ hash });
    return { raw, status };
  }

  /** `send`, which must succeed. */
  async function done(...call: Parameters<typeof send>): Promise<void> {
    const { status } = await send(...call);
    if (status !== "success") throw new Error("the attester refused");
  }

  return {
    attestations: { graphqlUrl: `${server.url}/graphql`, explorerUrl: server.url },
    chain: chainOf,
    attestAccount: (id: 8453 | 91342, user: PrivateKeyAccount, signer = 0) =>
      done(id, attestAccountCall(user.address), { signer }),
    attestCountry: (user: PrivateKeyAccount, country: string, signer = 0) =>
      done(8453, attestCountryCall(user.address, country), { signer }),
    revoke: (id: 8453 | 91342, schema: Hex, uid: Hex) => done(id, revokeCall(schema, uid)),
    /** An attestation transaction that was mined and failed, for want of gas. */
    async failing(user: PrivateKeyAccount): Promise<Hex> {
      const { raw, status } = await send(8453, attestAccountCall(user.address), { gas: 30_000n });
      if (status !== "reverted") throw new Error("it did not fail");
      return raw;
    },
    /** A call of the attester on 8453 that was signed and kept. */
    unsent: (data: Hex) => sign(8453, data),
    close: () => server.close(),
  };
}
export type AttestedWorld = Awaited<ReturnType<typeof startAttestedWorld>>;

/** A wallet nobody has attested yet. */
export function newHolder(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey());
}

/** What the client of this circuit would send, from the newest attestation of the wallet. */
export async function wireInputs(
  deployment: Deployment,
  user: PrivateKeyAccount,
  statement: AttestedStatement & { circuit: AttestedCircuit },
): Promise<{ wire: CountryWireInputs | EligibilityWireInputs; expectedPublicInputs: Hex[] }> {
  const attestation = await findAttestation({
    deployment,
    circuit: statement.circuit,
    recipient: user.address,
  });
  const request = signingRequest({ ...statement, user: user.address });
  const signature =
    request.kind === "message"
      ? await user.signMessage({ message: { raw: request.raw } })
      : await user.signTypedData(request.action);
  return attestedWireInputs({ ...statement, deployment, attestation, user: user.address, signature });
}

function missing(id: number): never {
  throw new Error(`the stack has no chain ${id}`);
}
