import { api, contract } from "@/components/api";
import { verifyOnChain } from "@/lib/proofs/verify";
import type { PublicConfig } from "../config";
import { isStale, newChallenge } from "./challenge";
import type { RunEvent } from "./machine";
import type { Run, RunProof, Sealed } from "./types";

interface AcceptParts {
  readonly config: PublicConfig;
  readonly dispatch: (event: RunEvent) => void;
  readonly traceparent?: string;
}

/** Submits the proof for the run's purpose. @throws ApiError, VerificationUnavailableError, ProofRefusedError */
export async function acceptProof(run: Run, proof: RunProof, parts: AcceptParts): Promise<Sealed> {
  const fields = { proof: proof.proof, publicInputs: [...proof.publicInputs] };
  const done = { needsNickname: false, pending: false };
  const call = { traceparent: parts.traceparent };
  const { purpose } = run;
  if (purpose.kind === "petition") {
    await verifyHere(proof, parts.config);
    return { ...done, next: run.next };
  }
  if (purpose.kind === "relay") {
    await api.call(contract.auth.answerProofRequest, { requestId: purpose.requestId, ...fields }, call);
    return { ...done, next: run.next };
  }
  const challenge = await openChallenge(run, parts);
  switch (purpose.kind) {
    case "sign-in": {
      const result = { circuit: proof.circuit, ...fields };
      const body = await api.call(contract.auth.verify, { challengeId: challenge, result }, call);
      return { ...done, needsNickname: body.needsNickname, next: run.next };
    }
    case "join": {
      const { topicId } = purpose;
      const { status } = await api.callWithStatus(contract.topics.join, { topicId, ...fields }, call);
      return { ...done, pending: status === 202, next: `/topics/${topicId}` };
    }
    case "invite": {
      const body = await api.call(
        contract.topics.joinByInvite,
        { inviteCode: purpose.code, ...fields },
        call,
      );
      return { ...done, next: `/topics/${body.topicId}` };
    }
    case "create": {
      const body = await api.call(contract.topics.create, { ...purpose.topic, ...fields }, call);
      return { ...done, next: `/topics/${body.topic.id}` };
    }
  }
}

/** Returns the id of the run's challenge. A country proof is valid for any challenge, so an old one is replaced. */
async function openChallenge(
  { challenge, subject, purpose }: Run,
  { dispatch }: AcceptParts,
): Promise<string> {
  const replaceable = subject.kind === "wallet" && subject.circuit === "partner_country_attestation";
  if (challenge && !(replaceable && isStale(challenge, 10_000))) return challenge.id;
  const fresh = await newChallenge(purpose);
  dispatch({ type: "challenged", challenge: fresh });
  return fresh.id;
}

/** Calls the verifier contract from this browser. @throws VerificationUnavailableError, ProofRefusedError */
async function verifyHere(proof: RunProof, config: PublicConfig): Promise<void> {
  const chains = config.chains.map((chain) => ({ ...chain, rpcUrl: chain.publicRpcUrl }));
  const verifiers = Object.fromEntries(
    config.verifiers.map((v) => [v.circuit, { ...v, vkHash: "0x" as const }]),
  );
  const circuit = config.verifiers.find((v) => v.circuit === proof.circuit)?.circuit;
  if (!circuit) throw new ProofRefusedError("no verifier is configured");
  const { proof: bytes, publicInputs } = proof;
  const decision = await verifyOnChain({ chains, verifiers }, { circuit, proof: bytes, publicInputs });
  if (decision !== "valid") throw new ProofRefusedError("the verifier contract rejects the proof");
}

export class ProofRefusedError extends Error {
  override readonly name = "ProofRefusedError";
}
