import { api, contract } from "@/components/api";
import type { Run, RunProof, Sealed } from "./types";

/**
 * Hands the finished proof to our server for what the run wanted.
 * @throws ApiError with the documented code when it is not acceptable.
 */
export async function acceptProof(run: Run, proof: RunProof): Promise<Sealed> {
  const fields = { proof: proof.proof, publicInputs: [...proof.publicInputs] };
  const done = { needsNickname: false, pending: false };
  switch (run.purpose.kind) {
    case "sign-in": {
      const body = await api.call(contract.auth.verify, {
        challengeId: run.challengeId,
        result: { circuit: proof.circuit, ...fields },
      });
      return { ...done, needsNickname: body.needsNickname, next: run.next };
    }
    case "join": {
      const { topicId } = run.purpose;
      const { status } = await api.callWithStatus(contract.topics.join, { topicId, ...fields });
      return { ...done, pending: status === 202, next: `/topics/${topicId}` };
    }
    case "invite": {
      const body = await api.call(contract.topics.joinByInvite, { inviteCode: run.purpose.code, ...fields });
      return { ...done, next: `/topics/${body.topicId}` };
    }
    case "create": {
      const body = await api.call(contract.topics.create, { ...run.purpose.topic, ...fields });
      return { ...done, next: `/topics/${body.topic.id}` };
    }
  }
}
