import { contract } from "@/lib/contract";
import { readAction } from "@/lib/proofs/attestation/action";
import type { AttestedStatement } from "@/lib/proofs/client/attested";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import { UsageError } from "./options";
import { type Options } from "./rules";
import { memberOf, type World } from "./world";

type StatementWorld = Pick<World, "deployment" | "member" | "readFile">;

interface Asked {
  readonly statement: AttestedStatement;
  /** The nonce an identity proof answers. */
  readonly answering: string | null;
}

/**
 * What is to be proven of a wallet: from the command line, the action's file, the topic and a challenge.
 * @throws UsageError, ApiError, ProofInputError ACTION_INVALID
 */
export async function statementOf(
  options: Options & { readonly circuit: AttestedCircuit },
  world: StatementWorld,
): Promise<Asked> {
  const { circuit } = options;
  const scope = options.scope ?? world.deployment.scope;
  if (circuit === "partner_country_attestation") {
    const list = options.countries
      ? { countries: options.countries, isIncluded: !options.excluded }
      : await listOfTopic(options.join ?? "", world);
    // The proof itself has no room for a challenge; that one is open shows whose proof it is.
    if (options.join) await memberOf(world).call(contract.auth.challenge, {});
    return { statement: { circuit, scope, list }, answering: null };
  }
  if (options.actionFile !== null) {
    const action = readAction(parseJson(await world.readFile(options.actionFile)));
    return { statement: { circuit, scope, action }, answering: null };
  }
  const nonce = options.nonce ?? (await memberOf(world).call(contract.auth.challenge, {})).nonce;
  return { statement: { circuit, scope, nonce }, answering: nonce };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError("The file of --action is not JSON.");
  }
}

/** Exactly the topic's own list: a shorter one would tell more about the holder than the topic asks. */
async function listOfTopic(topicId: string, world: StatementWorld) {
  const { topic } = await memberOf(world).call(contract.topics.get, { topicId });
  if (topic.allowedCountries) return { countries: topic.allowedCountries, isIncluded: true };
  if (topic.excludedCountries) return { countries: topic.excludedCountries, isIncluded: false };
  throw new UsageError("That topic does not ask for countries.");
}
