import { type Address, getAddress, type Hex, hashMessage, isAddressEqual, size, zeroHash } from "viem";
import { type Action, hashesOf, readAction } from "../attestation/action";
import { type ActionLine, describeAction } from "../attestation/action-lines";
import {
  buildCountryInputs,
  type CountryList,
  checkCountryList,
  checkMembership,
  countryFacts,
} from "../attestation/country";
import {
  buildEligibilityInputs,
  type EligibilityCircuit,
  eligibilityFacts,
} from "../attestation/eligibility";
import { type AttestationDeployment, findAttestation } from "../attestation/find";
import { readSignature, recoverSigner } from "../attestation/secp256k1";
import { readAttestationTransaction } from "../attestation/transaction";
import { type CountryWireInputs, type EligibilityWireInputs, scopeStringSchema } from "../attestation/wire";
import type { Deployment } from "../deployment";
import { eligibilitySignalHash, merkleProof, merkleRoot } from "../derivations";
import { type ProofInputCode, ProofInputError } from "../errors";
import { type CountryPublicInputs, encodeCountryPublicInputs } from "../layouts/country";
import { type EligibilityPublicInputs, encodeEligibilityPublicInputs } from "../layouts/eligibility";
import { type AttestedCircuit, type Attester, attestersOf } from "../trust/attesters";
import type { ProveResult } from "../wire";
import { type BuyProofRequest, buyProof, resumeProof } from "./buy";
import type { ProofProgress } from "./deliver";
import { BuyProofError, ProverError } from "./errors";
import type { AttestationWallet, PayingWallet } from "./wallets";

export { type AttestationWallet, attestationWallet } from "./wallets";

export type AttestedProgress =
  /** Looking up the attestation. */
  | { stage: "finding" }
  /** When the attestation was made, in seconds. */
  | { stage: "found"; time: number }
  /** Waiting for the attestation wallet's signature. */
  | { stage: "signing"; request: SigningRequest }
  | ProofProgress;

export type ProveAttestedRequest = AttestedStatement &
  Omit<BuyProofRequest, "inputs" | "wallet" | "onProgress" | "expectedPublicInputs"> & {
    deployment: AttestationDeployment;
    attestationWallet: AttestationWallet;
    /** Must differ from the wallet with the attestation. */
    paymentWallet: PayingWallet;
    /** Shows an action in full and asks for confirmation; actions are not signed without it. */
    confirmAction?: (lines: ActionLine[]) => Promise<boolean>;
    onProgress?: (event: AttestedProgress) => void;
    /** As for `findAttestation`; default "browser". */
    side?: "browser" | "server";
  };

type AttestedCode =
  /** The paying wallet holds the attestation: the payment would reveal whose proof this is. */
  | "PAYMENT_WALLET_NOT_SEPARATE"
  /** The action was not confirmed, or there was no way to ask. Nothing was signed. */
  | "ACTION_NOT_CONFIRMED";

/** Thrown before anything is signed. */
export class AttestedProofError extends Error {
  override readonly name = "AttestedProofError";
  constructor(
    readonly code: AttestedCode,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Finds the attestation, has the wallet sign, buys the proof and compares it with the statement. A paid job resumes
 * without another signature while the prover remembers it; otherwise the wallet signs again, and a wallet whose
 * signatures of one message differ ends in JOB_KEY_REUSED.
 * @throws AttestedProofError, ProofInputError, TrustUnavailableError, the wallet's error if signing is declined, and as
 * `buyProof`.
 */
export async function proveAttested(request: ProveAttestedRequest): Promise<ProveResult> {
  const { deployment, attestationWallet, paymentWallet, confirmAction: _, side, ...rest } = request;
  const { circuit, scope, list, nonce, action, ...purchase } = rest;
  const user = attestationWallet.address;
  if (isAddressEqual(paymentWallet.address, user)) {
    throw new AttestedProofError(
      "PAYMENT_WALLET_NOT_SEPARATE",
      "the wallet with the attestation must not pay: the payment would reveal whose proof this is",
    );
  }
  const statement = { circuit, scope, list, nonce, action, user };
  const expected = expectedPublicInputs({ ...statement, deployment });
  const shared = { ...purchase, circuit, expectedPublicInputs: expected };

  const resumed = await resumePaid(shared);
  if (resumed) return resumed;

  request.onProgress?.({ stage: "finding" });
  const { fetch, signal } = purchase;
  const attestation = await findAttestation({ deployment, circuit, recipient: user, side, fetch, signal });
  request.onProgress?.({ stage: "found", time: attestation.time });
  // Before asking the wallet for a useless signature.
  if (list) checkMembership(attestation.country, list);
  const signature = await sign(request, signingRequest(statement));
  const { wire } = await attestedWireInputs({ ...statement, deployment, attestation, signature });
  return buyProof({ ...shared, inputs: wire, wallet: paymentWallet });
}

/** Returns the proof of a job that is paid already; null if there is none or the prover needs the inputs again. */
async function resumePaid(request: Parameters<typeof resumeProof>[0]): Promise<ProveResult | null> {
  if (!(await request.store.get(request.jobKey))) return null;
  try {
    return await resumeProof(request);
  } catch (error) {
    if (error instanceof BuyProofError && error.code === "INPUTS_NEEDED") return null;
    if (error instanceof ProverError && error.code === "PROVE_FAILED") return null;
    throw error;
  }
}

async function sign(request: ProveAttestedRequest, wanted: SigningRequest): Promise<Hex> {
  const { attestationWallet, confirmAction, onProgress } = request;
  if (wanted.kind === "action" && !(await confirmAction?.(wanted.lines))) {
    throw new AttestedProofError(
      "ACTION_NOT_CONFIRMED",
      "the action was not confirmed, so it was not signed",
    );
  }
  onProgress?.({ stage: "signing", request: wanted });
  return wanted.kind === "action"
    ? attestationWallet.signTypedData(wanted.action)
    : attestationWallet.signMessage({ message: { raw: wanted.raw } });
}

/** What to prove with a wallet circuit. */
export type AttestedStatement = {
  circuit: AttestedCircuit;
  /** Application scope string, 1 to 88 UTF-8 bytes. */
  scope: string;
  /** Required for the country circuit: 1 to 10 ISO 3166-1 alpha-2 codes, and whether the country is one of them. */
  list?: CountryList;
  /** Required for eligibility circuits in identity mode: nonce of the community's challenge. */
  nonce?: string;
  /** For eligibility circuits: the action to authorize, instead of a nonce. */
  action?: Action;
};

/** What the wallet must sign. */
export type SigningRequest =
  /** personal_sign over these 32 bytes (not over their hex text). */
  | { kind: "message"; signalHash: Hex; raw: Hex }
  /** eth_signTypedData_v4 of the action, after showing `lines` in full. */
  | { kind: "action"; action: Action; lines: ActionLine[] };

/** A valid statement, what the wallet signs for it, and the public inputs of its proof. */
type ParsedStatement = { action: Action | null; digest: Hex; publicInputs: Hex[] } & (
  | { circuit: "partner_country_attestation"; list: CountryList; facts: CountryPublicInputs }
  | { circuit: EligibilityCircuit; facts: EligibilityPublicInputs }
);

/**
 * Returns what the wallet `user` signs for a statement.
 * @throws ProofInputError SCOPE_INVALID, COUNTRY_LIST_INVALID, ACTION_INVALID or INPUT_MALFORMED.
 */
export function signingRequest(statement: AttestedStatement & { user: Address }): SigningRequest {
  // The mode selects the trusted attesters and does not affect what is signed.
  const parsed = parseStatement(statement, attestersOf("production")[statement.circuit]);
  if (parsed.action) {
    return { kind: "action", action: parsed.action, lines: describeAction(parsed.action) };
  }
  const { signalHash } = parsed.facts;
  return { kind: "message", signalHash, raw: signalHash };
}

/**
 * Returns all public inputs of this statement's proof. Needs neither the attestation nor a signature.
 * @throws ProofInputError as `signingRequest`.
 */
export function expectedPublicInputs(
  statement: AttestedStatement & { deployment: Pick<Deployment, "mode">; user: Address },
): Hex[] {
  const attester = attestersOf(statement.deployment.mode)[statement.circuit];
  return parseStatement(statement, attester).publicInputs;
}

type AttestedWire = {
  /** Inputs of POST /api/v1/prove. They name the wallet, so send them to the prover only. */
  wire: CountryWireInputs | EligibilityWireInputs;
  expectedPublicInputs: Hex[];
};

/**
 * Returns the wire inputs of a proof, checked as the prover will check them, and the public inputs to expect. Sends only
 * the two hashes of an action: the prover does not learn its content.
 * @throws ProofInputError
 */
export async function attestedWireInputs(
  request: AttestedStatement & {
    deployment: Pick<Deployment, "mode">;
    attestation: { rawTransaction: Hex };
    user: Address;
    /** Signature of `signingRequest`: 65 bytes r, s, v. */
    signature: Hex;
  },
): Promise<AttestedWire> {
  const attester = attestersOf(request.deployment.mode)[request.circuit];
  const parsed = parseStatement(request, attester);
  const shared = {
    ...(await attestationFields(request.attestation.rawTransaction, attester)),
    ...(await signatureFields(request.signature, parsed.digest)),
    nullifier: parsed.facts.nullifier,
    scope: request.scope,
    scope_bytes: parsed.facts.scope,
    user_address: getAddress(request.user),
    signal_hash: parsed.facts.signalHash,
  };
  const scopes = [request.scope];
  if (parsed.circuit === "partner_country_attestation") {
    const { countries, isIncluded } = parsed.list;
    const wire = { ...shared, country_list: [...countries], is_included: isIncluded };
    const { publicInputs } = await buildCountryInputs({ wire, attester, scopes });
    return { wire, expectedPublicInputs: publicInputs };
  }
  const { action } = parsed.facts;
  const wire: EligibilityWireInputs = action
    ? { ...shared, domain_separator: action.domainSeparator, action_hash: action.actionHash }
    : shared;
  const { publicInputs } = await buildEligibilityInputs({ wire, circuit: parsed.circuit, attester, scopes });
  return { wire, expectedPublicInputs: publicInputs };
}

function parseStatement(
  statement: AttestedStatement & { user: Address },
  attester: Attester,
): ParsedStatement {
  const { circuit, scope, list, nonce } = statement;
  const refuse = (code: ProofInputCode, field: string, rule: string) =>
    new ProofInputError(code, field, `${field}: ${rule}`);
  if (!scopeStringSchema.safeParse(scope).success) {
    throw refuse("SCOPE_INVALID", "scope", "must be 1 to 88 bytes of UTF-8");
  }
  const user = getAddress(statement.user);
  if (circuit === "partner_country_attestation") {
    if (nonce !== undefined || statement.action !== undefined || !list) {
      throw refuse("INPUT_MALFORMED", "list", "a country proof takes a list of countries and nothing else");
    }
    const read = { countries: checkCountryList(list.countries), isIncluded: list.isIncluded };
    const facts = countryFacts({ user, scope, list: read, attester });
    const digest = hashMessage({ raw: facts.signalHash });
    const publicInputs = encodeCountryPublicInputs(facts);
    return { circuit, list: read, facts, action: null, digest, publicInputs };
  }
  if (list || (nonce === undefined) === (statement.action === undefined) || nonce === "") {
    throw refuse("INPUT_MALFORMED", "nonce", "an eligibility proof takes either a nonce or an action");
  }
  const action = nonce === undefined ? readAction(statement.action) : null;
  const hashes = action && hashesOf(action);
  const subject = hashes
    ? { signalHash: zeroHash, action: hashes }
    : { signalHash: eligibilitySignalHash(circuit, scope, nonce ?? ""), action: null };
  const facts = eligibilityFacts({ circuit, user, scope, subject, attester });
  const digest = hashes?.digest ?? hashMessage({ raw: facts.signalHash });
  return { circuit, facts, action, digest, publicInputs: encodeEligibilityPublicInputs(facts) };
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
      "the wallet returned no plain signature; a contract wallet cannot hold a provable attestation",
    );
  }
  return { signature, user_pubkey_x: signer.x, user_pubkey_y: signer.y };
}
