import { type Address, createWalletClient, decodeAbiParameters, type Hex, http } from "viem";
import {
  type AttestationChainId,
  attestAccountCall,
  attestationSite,
  attestCountryCall,
  revokeCall,
} from "@/contracts/attestation";
import { KeyedLock } from "@/lib/proofs/keyed-lock";
import { type AttestedCircuit, attestedCircuits, attestersOf } from "@/lib/proofs/trust/attesters";
import { developmentAccountAt } from "../accounts";
import { type IndexedAttestation, RegistryIndex } from "./registry-index";
import type { AttestationRequest } from "./requests";

/** An attestation of a wallet by the development attester. */
export type WalletAttestation = ReturnType<typeof ofWallet>;

const GAS = 500_000n;

/** A transaction of the attester failed on chain. */
class AttesterError extends Error {
  override name = "AttesterError";
}

/** Returns the chain whose registry holds a circuit's attestations. */
export function attestationChain(circuit: AttestedCircuit): AttestationChainId {
  return circuit === "regional_attestation" ? 91342 : 8453;
}

/**
 * Attests and revokes with the development signers, for anyone. The wallet's address picks the signer, so that every
 * leaf of the signers' tree gets used.
 */
export class DevelopmentAttesters {
  readonly #chains: Record<AttestationChainId, AttestingChain>;
  /** One transaction of a chain at a time: two of one signer would take the same nonce. */
  readonly #lock = new KeyedLock<AttestationChainId>();

  constructor(rpcUrls: Readonly<Record<AttestationChainId, string>>) {
    this.#chains = { 8453: attestingChain(rpcUrls, 8453), 91342: attestingChain(rpcUrls, 91342) };
  }

  /** Returns the registry index of a chain. */
  index(chainId: AttestationChainId): RegistryIndex {
    return this.#chains[chainId].index;
  }

  /**
   * Attests a wallet, unless the same attestation is in force. Another country replaces and revokes the previous one.
   * @returns hash of the attesting transaction
   * @throws AttesterError
   */
  attest(request: AttestationRequest): Promise<Hex> {
    const { circuit, address } = request;
    const country = request.circuit === "partner_country_attestation" ? request.country : null;
    return this.#lock.run(attestationChain(circuit), async () => {
      const all = await this.#listed(circuit, address);
      // The newest one counts, also for clients that look it up.
      const newest = all.at(-1);
      if (newest && !newest.revoked && newest.country === country) return newest.transactionHash;
      await this.#revokeEach(all, address);
      return this.#send(
        circuit,
        address,
        country === null ? attestAccountCall(address) : attestCountryCall(address, country),
      );
    });
  }

  /**
   * Revokes all attestations of a kind that are in force.
   * @returns hash of the last transaction, null when there was nothing to revoke
   * @throws AttesterError
   */
  revoke(circuit: AttestedCircuit, address: Address): Promise<Hex | null> {
    return this.#lock.run(attestationChain(circuit), async () =>
      this.#revokeEach(await this.#listed(circuit, address), address),
    );
  }

  /** Returns all attestations of a wallet that are in force. */
  async current(address: Address): Promise<WalletAttestation[]> {
    const lists = await Promise.all(attestedCircuits.map((circuit) => this.#listed(circuit, address)));
    return lists.flat().filter((each) => !each.revoked);
  }

  /** Returns every attestation of a wallet for a circuit, oldest first, revoked ones included. */
  async #listed(circuit: AttestedCircuit, recipient: Address): Promise<WalletAttestation[]> {
    const { contract: attester, schema: schemaId } = attestersOf("development")[circuit];
    const found = await this.index(attestationChain(circuit)).find({ recipient, attester, schemaId });
    return found.map((each) => ofWallet(circuit, each));
  }

  async #revokeEach(all: readonly WalletAttestation[], address: Address): Promise<Hex | null> {
    let last: Hex | null = null;
    for (const { circuit, uid } of all.filter((each) => !each.revoked)) {
      last = await this.#send(circuit, address, revokeCall(attestersOf("development")[circuit].schema, uid));
    }
    return last;
  }

  async #send(circuit: AttestedCircuit, about: Address, data: Hex): Promise<Hex> {
    const { index, wallet, to, signers } = this.#chains[attestationChain(circuit)];
    const account = signers[Number(BigInt(about) % BigInt(signers.length))];
    if (!account) throw new AttesterError("this chain has no signers");
    // Type 2 with an empty access list and no value: the only kind the circuits read.
    // Gas is not estimated: repeating an attestation within a second needs more than the estimate.
    const hash = await wallet.sendTransaction({
      ...{ account, chain: null, to, data, value: 0n, type: "eip1559", gas: GAS },
    });
    const { status } = await index.client.waitForTransactionReceipt({ hash, checkReplacement: false });
    if (status !== "success") throw new AttesterError(`transaction ${hash} failed`);
    return hash;
  }
}

type AttestingChain = ReturnType<typeof attestingChain>;

function attestingChain(rpcUrls: Readonly<Record<AttestationChainId, string>>, chainId: AttestationChainId) {
  const { registry, contract, signers } = attestationSite(chainId);
  return {
    index: new RegistryIndex(rpcUrls[chainId], registry),
    wallet: createWalletClient({ transport: http(rpcUrls[chainId]) }),
    to: contract,
    signers: signers.map(developmentAccountAt),
  };
}

function ofWallet(circuit: AttestedCircuit, found: IndexedAttestation) {
  const { id: uid, time: since, txid: transactionHash, revoked, data } = found;
  const country =
    circuit === "partner_country_attestation" ? decodeAbiParameters([{ type: "string" }], data)[0] : null;
  return { circuit, uid, since, transactionHash, country, revoked };
}
