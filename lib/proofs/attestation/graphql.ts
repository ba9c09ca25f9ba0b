import { getAddress } from "viem";
import { z } from "zod";
import { addressSchema, hex32Schema } from "../hex";
import { ask, cautiousFetch } from "./http";
import type { ListedAttestation, SourceQuery } from "./source";

/** The registry's index (EAS GraphQL, https://docs.attest.sh/docs/developer-tools/api). */
export const ATTESTATIONS_QUERY = `query Attestations($where: AttestationWhereInput, $orderBy: [AttestationOrderByWithRelationInput!], $take: Int) {
  attestations(where: $where, orderBy: $orderBy, take: $take) { id attester recipient schemaId time txid }
}`;

/** Only the newest and the one in question matter, and nobody is attested this often. */
const TAKE = 100;

const answerSchema = z.object({
  data: z.object({
    attestations: z
      .array(
        z.object({
          id: hex32Schema,
          attester: addressSchema,
          recipient: addressSchema,
          schemaId: hex32Schema,
          time: z.int().nonnegative(),
          txid: hex32Schema,
        }),
      )
      .max(TAKE),
  }),
});

/**
 * The attestations of a recipient by this attester, the revoked ones too: one that was revoked has still replaced those
 * before it.
 * @throws TrustUnavailableError
 */
export async function listFromGraphql(query: SourceQuery): Promise<ListedAttestation[]> {
  const { attester, recipient, url } = query;
  // The index compares addresses as text, in their checksummed form.
  const where = {
    schemaId: { equals: attester.schema },
    recipient: { equals: getAddress(recipient) },
    attester: { equals: attester.contract },
  };
  const answer = await ask("the attestation index", query, async () => {
    const response = await cautiousFetch(query)(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify({
        query: ATTESTATIONS_QUERY,
        variables: { where, orderBy: [{ time: "desc" }], take: TAKE },
      }),
    });
    return answerSchema.parse(await response.json());
  });
  return answer.data.attestations
    .filter(
      (row) =>
        row.schemaId === attester.schema &&
        row.attester === attester.contract &&
        row.recipient === getAddress(recipient),
    )
    .map(({ id, txid, time }) => ({ uid: id, transactionHash: txid, time }));
}
