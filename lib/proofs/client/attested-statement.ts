import { type Address, getAddress, type Hex, hashMessage, size, zeroHash } from "viem";
import { type Action, hashesOf, readAction } from "../attestation/action";
import { type ActionLine, describeAction } from "../attestation/action-lines";
import { buildCountryInputs, type CountryList, checkCountryList, countryFacts } from "../attestation/country";
import {
  buildEligibilityInputs,
  type EligibilityCircuit,
  eligibilityFacts,
} from "../attestation/eligibility";
import { readSignature, recoverSigner } from "../attestation/secp256k1";
import { readAttestationTransaction } from "../attestation/transaction";
import { type CountryWireInputs, type EligibilityWireInputs, scopeStringSchema } from "../attestation/wire";
import type { Deployment } from "../deployment";
import { eligibilitySignalHash, merkleProof, merkleRoot } from "../derivations";
import { type ProofInputCode, ProofInputError } from "../errors";
import { type CountryPublicInputs, encodeCountryPublicInputs } from "../layouts/country";
import { type EligibilityPublicInputs, encodeEligibilityPublicInputs } from "../layouts/eligibility";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";

/** What a wallet circuit is asked to prove. */
export type AttestedStatement = {
  circuit: AttestedCircuit;
  /** Application scope string, 1 to 88 UTF-8 bytes. */
  scope: string;
  /** Country circuit, required: 1 to 10 ISO 3166-1 alpha-2 codes, and whether the country is among them. */
  list?: CountryList;
  /** Eligibility circuits in identity mode, required: nonce of the community's challenge. */
  nonce?: string;
  /** Eligibility circuits: the action to authorise, instead of a nonce. */
  action?: Action;
};

/** What the wallet has to sign. */
export type SigningRequest =
  /** personal_sign over these 32 bytes (not over their hex text). */
  | { kind: "message"; signalHash: Hex; raw: Hex }
  /** eth_signTypedData_v4 of the action, after `lines` were shown in full. */
  | { kind: "action"; action: Action; lines: ActionLine[] };

/** A statement that is one, and what a proof of it says. */
type Meant =
  | { circuit: "partner_country_attestation"; list: CountryList; facts: CountryPublicInputs }
  | { circuit: EligibilityCircuit; action: Action | null; facts: EligibilityPublicInputs };

/**
 * What the wallet `user` signs for a statement.
 * @throws ProofInputError SCOPE_INVALID, COUNTRY_LIST_INVALID, ACTION_INVALID or INPUT_MALFORMED.
 */
export function signingRequest(statement: AttestedStatement & { user: Address }): SigningRequest {
  // The mode decides whose list is trusted, not what is signed.
  const meant = readStatement(statement, attestersOf("production")[statement.circuit]);
  if (meant.circuit !== "partner_country_attestation" && meant.action) {
    return { kind: "action", action: meant.action, lines: describeAction(meant.action) };
  }
  const { signalHash } = meant.facts;
  return { kind: "message", signalHash, raw: signalHash };
}

/**
 * The words a proof of this statement must have, all of them, known before anything is found or signed.
 * @throws ProofInputError as `signingRequest`.
 */
export function expectedPublicInputs(
  statement: AttestedStatement & { deployment: Pick<Deployment, "mode">; user: Address },
): Hex[] {
  const attester = attestersOf(statement.deployment.mode)[statement.circuit];
  const meant = readStatement(statement, attester);
  return meant.circuit === "partner_country_attestation"
    ? encodeCountryPublicInputs(meant.facts)
    : encodeEligibilityPublicInputs(meant.facts);
}

export type AttestedWire = {
  /** Inputs of POST /api/v1/prove. They name the wallet: for the prover only. */
  wire: CountryWireInputs | EligibilityWireInputs;
  expectedPublicInputs: Hex[];
};

/**
 * The wire inputs of a proof, checked here as the prover will check them, and the words the proof must have. An action
 * goes as its two hashes: the prover does not learn what it says.
 * @throws ProofInputError
 */
export async function attestedWireInputs(
  request: AttestedStatement & {
    deployment: Pick<Deployment, "mode">;
    attestation: { rawTransaction: Hex };
    user: Address;
    /** Over `signingRequest`, 65 bytes r, s, v. */
    signature: Hex;
  },
): Promise<AttestedWire> {
  const attester = attestersOf(request.deployment.mode)[request.circuit];
  const meant = readStatement(request, attester);
  const shared = {
    ...(await attestationFields(request.attestation.rawTransaction, attester)),
    ...(await signatureFields(request.signature, digestOf(meant))),
    nullifier: meant.facts.nullifier,
    scope: request.scope,
    scope_bytes: meant.facts.scope,
    user_address: getAddress(request.user),
    signal_hash: meant.facts.signalHash,
  };
  const scopes = [request.scope];
  if (meant.circuit === "partner_country_attestation") {
    const { countries, isIncluded } = meant.list;
    const wire = { ...shared, country_list: [...countries], is_included: isIncluded };
    const { publicInputs } = await buildCountryInputs({ wire, attester, scopes });
    return { wire, expectedPublicInputs: publicInputs };
  }
  const { action } = meant.facts;
  const wire: EligibilityWireInputs = action
    ? { ...shared, domain_separator: action.domainSeparator, action_hash: action.actionHash }
    : shared;
  const { publicInputs } = await buildEligibilityInputs({ wire, circuit: meant.circuit, attester, scopes });
  return { wire, expectedPublicInputs: publicInputs };
}

function readStatement(statement: AttestedStatement & { user: Address }, attester: Attester): Meant {
  const { circuit, scope, list, nonce } = statement;
  const refuse = (code: ProofInputCode, field: string, rule: string) =>
    new ProofInputError(code, field, `${field}: ${rule}`);
  if (!scopeStringSchema.safeParse(scope).success) {
    throw refuse("SCOPE_INVALID", "scope", "must be 1 to 88 bytes of UTF-8");
  }
  const user = getAddress(statement.user);
  if (circuit === "partner_country_attestation") {
    if (nonce !== undefined || statement.action !== undefined || !list) {
      throw refuse(
        "INPUT_MALFORMED",
        "list",
        "a country proof is about a list of countries and nothing else",
      );
    }
    const read = { countries: checkCountryList(list.countries), isIncluded: list.isIncluded };
    return { circuit, list: read, facts: countryFacts({ user, scope, list: read, attester }) };
  }
  if (list || (nonce === undefined) === (statement.action === undefined) || nonce === "") {
    throw refuse("INPUT_MALFORMED", "nonce", "an eligibility proof answers a nonce or authorises an action");
  }
  const action = nonce === undefined ? readAction(statement.action) : null;
  const subject = action
    ? { signalHash: zeroHash, action: hashesOf(action) }
    : { signalHash: eligibilitySignalHash(circuit, scope, nonce ?? ""), action: null };
  return { circuit, action, facts: eligibilityFacts({ circuit, user, scope, subject, attester }) };
}

function digestOf(meant: Meant): Hex {
  return meant.circuit !== "partner_country_attestation" && meant.action
    ? hashesOf(meant.action).digest
    : hashMessage({ raw: meant.facts.signalHash });
}

async function attestationFields(raw: Hex, attester: Attester) {
  const { signer, leafIndex } = await readAttestationTransaction(raw, attester);
  const siblings = merkleProof(attester.signers, leafIndex);
  return {
    raw_transaction: raw,
    tx_length: size(raw),
    attester_pubkey_x: signer.x,
    attester_pubkey_y: signer.y,
    merkle_root: merkleRoot(attester.signers),
    merkle_proof: siblings,
    leaf_index: leafIndex,
    depth: siblings.length,
  };
}

async function signatureFields(signature: Hex, digest: Hex) {
  const read = readSignature(signature);
  const signer = read && (await recoverSigner(digest, read));
  if (!signer) {
    throw new ProofInputError(
      "SIGNATURE_INVALID",
      "signature",
      "the wallet gave no plain signature; a contract wallet cannot hold a provable attestation",
    );
  }
  return { signature, user_pubkey_x: signer.x, user_pubkey_y: signer.y };
}
