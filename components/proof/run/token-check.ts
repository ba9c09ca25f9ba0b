import type { Words } from "@/lib/i18n/words";
import { oidcFacts } from "@/lib/proofs/oidc/claims";
import { problemOf } from "./problems";
import type { Run, RunProblem } from "./types";

/**
 * What speaks against paying for a proof of this token, as far as this device can see: a claim the circuit refuses,
 * another sign-in's nonce, or a domain the gate does not ask for. Null when nothing does.
 */
export function tokenProblem(
  words: Words,
  run: Pick<Run, "subject" | "challenge">,
  scope: string,
): RunProblem | null {
  const { subject, challenge } = run;
  if (subject.kind !== "domain" || !subject.token) return null;
  const { token, provider, requiredDomain } = subject;
  try {
    const facts = oidcFacts(token, { scope, provider });
    if (facts.nonce !== challenge?.nonce) return { message: words.t("signIn.lost"), final: true };
    if (requiredDomain && facts.domain !== requiredDomain) {
      return {
        message: words.t("run.wrongDomain", { has: facts.domain, wants: requiredDomain }),
        final: true,
      };
    }
    return null;
  } catch (error) {
    return problemOf(words, error, false);
  }
}
