import { createHash } from "node:crypto";
import { encodeDeployData } from "viem";
import { EligibleAction } from "@/contracts";
import { ELIGIBLE_ACTION_SCOPE } from "@/contracts/eligible-action";
import type { LocalChain } from "@/contracts/local-chain";
import type { Deployment } from "@/lib/proofs/deployment";
import { scopeWord } from "@/lib/proofs/derivations";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import type { ContractBook } from "./contract-book";

/**
 * Makes sure that the example contract of action proofs stands beside the verifier it trusts. Another verifier (another
 * build of the circuit, other setup data) is another example: the address it trusts cannot be changed.
 * @returns nothing while the circuit is not built
 */
export async function ensureExamples(
  book: ContractBook,
  chains: readonly LocalChain[],
  verifiers: Deployment["verifiers"],
): Promise<Deployment["examples"]> {
  const verifier = verifiers.network_eligibility;
  const chain = chains.find((c) => c.id === verifier?.chainId);
  if (!verifier || !chain) return undefined;
  const creation = encodeDeployData({
    ...EligibleAction,
    args: [
      verifier.address,
      attestersOf("development").network_eligibility.root,
      scopeWord(ELIGIBLE_ACTION_SCOPE),
    ],
  });
  const fingerprint = createHash("sha256").update(creation).digest("hex");
  const { address } = await book.ensure(chain, { name: EligibleAction.contractName, fingerprint }, () =>
    chain.deploy({ abi: [], bytecode: creation }),
  );
  return { eligibleAction: { chainId: chain.id, address } };
}
