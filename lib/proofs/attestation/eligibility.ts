import { type Address, type Hex, zeroHash } from "viem";
import { circuitTag, merkleRoot, scopeWord, walletNullifier } from "../derivations";
import { ProofInputError } from "../errors";
import { type EligibilityPublicInputs, encodeEligibilityPublicInputs } from "../layouts/eligibility";
import { signedDigest } from "../signed-digest";
import type { Attester } from "../trust/attesters";
import { bytesOf } from "../words";
import { hashesOf } from "./action";
import {
  checkClaim,
  readAttestation,
  readUserSignature,
  resolveScope,
  type Trusted,
  walletCircuitInputs,
} from "./wallet";
import type { EligibilityWireInputs } from "./wire";

/** Circuits with the eligibility layout. */
export type EligibilityCircuit = "network_eligibility" | "regional_attestation";

/** Inputs of circuits/bin/network_eligibility and regional_attestation. */
export type EligibilityCircuitInputs = Awaited<ReturnType<typeof buildEligibilityInputs>>["inputs"];

/** What the wallet signed: a message of 32 bytes, or an EIP-712 action. */
type EligibilitySubject =
  | { signalHash: Hex; action: null }
  | { signalHash: typeof zeroHash; action: { domainSeparator: Hex; actionHash: Hex } };

/**
 * Builds the circuit inputs of an eligibility circuit, in identity mode or action mode. Recomputes every value of the
 * request except identity mode's signal hash, which the wallet chose.
 * @throws ProofInputError with code and wire field; its message contains no private input.
 */
export async function buildEligibilityInputs({
  wire,
  circuit,
  attester,
  scopes,
}: Trusted & { wire: EligibilityWireInputs; circuit: EligibilityCircuit }) {
  const { scope } = resolveScope(wire, scopes);
  const subject = readSubject(wire);
  const attestation = await readAttestation(wire, attester);
  const facts = eligibilityFacts({ circuit, user: wire.user_address, scope, subject, attester });
  checkClaim("nullifier", wire.nullifier, facts.nullifier);
  const publicInputs = encodeEligibilityPublicInputs(facts);
  const user = await readUserSignature(wire, signedDigest(circuit, publicInputs));
  return {
    inputs: {
      ...walletCircuitInputs({ attester, attestation, user, scope: facts.scope, nullifier: facts.nullifier }),
      signal_hash: bytesOf(subject.signalHash),
      domain_separator: bytesOf(subject.action?.domainSeparator ?? zeroHash),
      action_hash: bytesOf(subject.action?.actionHash ?? zeroHash),
      signer_list_merkle_root: bytesOf(facts.merkleRoot),
    },
    facts,
    publicInputs,
  };
}

/** Returns the public facts of this wallet's eligibility proof. Needs neither its attestation nor its signature. */
export function eligibilityFacts(statement: {
  circuit: EligibilityCircuit;
  user: Address;
  scope: string;
  subject: EligibilitySubject;
  attester: Attester;
}): EligibilityPublicInputs {
  const { circuit, user, scope, subject, attester } = statement;
  const word = scopeWord(scope);
  return {
    signalHash: subject.signalHash,
    action: subject.action,
    merkleRoot: merkleRoot(attester.signers),
    scope: word,
    nullifier: walletNullifier(user, circuitTag(circuit), word),
  };
}

/**
 * Selects identity mode or action mode by the fields of the request (rule 10).
 * @throws ProofInputError ACTION_INVALID for half an action, CLAIM_MISMATCH for hashes of another action.
 */
function readSubject(wire: EligibilityWireInputs): EligibilitySubject {
  const given = wire.action && hashesOf(wire.action);
  const domainSeparator = wire.domain_separator ?? given?.domainSeparator ?? zeroHash;
  const actionHash = wire.action_hash ?? given?.actionHash ?? zeroHash;
  if ((domainSeparator === zeroHash) !== (actionHash === zeroHash)) {
    const field = actionHash === zeroHash ? "action_hash" : "domain_separator";
    throw new ProofInputError(
      "ACTION_INVALID",
      field,
      "an action needs both domain_separator and action_hash; an identity proof has neither",
    );
  }
  if (given) {
    checkClaim("domain_separator", domainSeparator, given.domainSeparator);
    checkClaim("action_hash", actionHash, given.actionHash);
  }
  if (actionHash !== zeroHash) {
    checkClaim("signal_hash", wire.signal_hash ?? zeroHash, zeroHash);
    return { signalHash: zeroHash, action: { domainSeparator, actionHash } };
  }
  if (wire.signal_hash === undefined) {
    throw new ProofInputError("INPUT_MALFORMED", "signal_hash", "an identity proof needs the signal hash");
  }
  return { signalHash: wire.signal_hash, action: null };
}
