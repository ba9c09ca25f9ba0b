import type { Hex } from "viem";
import { type AttestationChainId, attestationSite, installAttestation } from "../attestation";
import { DevelopmentAttester, DevelopmentRegistry } from "../index";
import { account, startLocalChain } from "../local-chain";
import { named } from "./refusal";

/** Not estimated: a second attestation in one second needs more than a first one would. */
const GAS = 500_000n;
const abi = [...DevelopmentAttester.abi, ...DevelopmentRegistry.abi];

/** A fresh chain with the development registry and attester on it; call `stop` in afterAll. */
export async function attestedChain(chainId: AttestationChainId) {
  const chain = await startLocalChain(chainId);
  await installAttestation(chain.anvil.rpcUrl, chainId);
  const site = attestationSite(chainId);
  const { client } = chain;
  return {
    ...chain,
    id: chainId,
    site,
    /** Sends a call to the attester as the account of this index; rejects with the error's name. */
    async send(signer: number, data: Hex, { to = site.contract, value = 0n } = {}) {
      await named(client.call({ account: account(signer), to, data, value }), abi);
      const hash = await chain.wallet(signer).sendTransaction({ to, data, value, type: "eip1559", gas: GAS });
      return client.waitForTransactionReceipt({ hash });
    },
    events(eventName: "Attested" | "Revoked" = "Attested") {
      return client.getContractEvents({
        ...{ address: site.registry, abi: DevelopmentRegistry.abi, eventName, fromBlock: 0n },
      });
    },
    read(uid: Hex) {
      return client.readContract({
        ...{
          address: site.registry,
          abi: DevelopmentRegistry.abi,
          functionName: "getAttestation",
          args: [uid],
        },
      });
    },
  };
}
