import { buildSchema, graphql } from "graphql";
import { z } from "zod";
import type { IndexedAttestation, RegistryIndex } from "./registry-index";

/**
 * The part of the registry's public GraphQL index (EAS indexing service) that production code queries, with its names,
 * types and behavior: filters compare text exactly, so an address must be checksummed unless `mode` is insensitive.
 */
const SCHEMA = buildSchema(`
  type Query {
    attestations(
      where: AttestationWhereInput
      orderBy: [AttestationOrderByWithRelationInput!]
      take: Int
      skip: Int
    ): [Attestation!]!
    attestation(where: AttestationWhereUniqueInput!): Attestation
  }
  type Attestation {
    id: String!
    data: String!
    schemaId: String!
    recipient: String!
    attester: String!
    time: Int!
    expirationTime: Int!
    revocationTime: Int!
    refUID: String!
    revocable: Boolean!
    revoked: Boolean!
    txid: String!
  }
  input AttestationWhereInput {
    id: StringFilter
    schemaId: StringFilter
    recipient: StringFilter
    attester: StringFilter
    txid: StringFilter
    revoked: BoolFilter
  }
  input AttestationWhereUniqueInput { id: String }
  input AttestationOrderByWithRelationInput { time: SortOrder }
  input StringFilter { equals: String, in: [String!], mode: QueryMode }
  input BoolFilter { equals: Boolean }
  enum QueryMode { default insensitive }
  enum SortOrder { asc desc }
`);

const textFilter = z
  .object({
    equals: z.string().nullish(),
    in: z.array(z.string()).nullish(),
    mode: z.enum(["default", "insensitive"]).nullish(),
  })
  .nullish();
type TextFilter = z.infer<typeof textFilter>;
const TEXT_FIELDS = ["id", "schemaId", "recipient", "attester", "txid"] as const;

// GraphQL has already checked these types; the schema gives them to TypeScript.
const attestationsArgs = z.object({
  where: z
    .object({
      ...{
        id: textFilter,
        schemaId: textFilter,
        recipient: textFilter,
        attester: textFilter,
        txid: textFilter,
      },
      revoked: z.object({ equals: z.boolean().nullish() }).nullish(),
    })
    .nullish(),
  orderBy: z.array(z.object({ time: z.enum(["asc", "desc"]).nullish() })).nullish(),
  take: z.int().nonnegative("take must not be negative").nullish(),
  skip: z.int().nonnegative("skip must not be negative").nullish(),
});
const attestationArgs = z.object({ where: z.object({ id: z.string().nullish() }) });

/** A GraphQL request over HTTP. */
export const graphqlRequestSchema = z.object({
  query: z.string(),
  variables: z.record(z.string(), z.unknown()).nullish(),
  operationName: z.string().nullish(),
});

/**
 * Answers a GraphQL request.
 * @returns the response body, and status 400 when the schema does not allow the request
 */
export async function answerGraphql(index: RegistryIndex, request: z.infer<typeof graphqlRequestSchema>) {
  const result = await graphql({
    schema: SCHEMA,
    source: request.query,
    variableValues: request.variables,
    operationName: request.operationName,
    rootValue: {
      attestations: (args: unknown) => attestations(index, attestationsArgs.parse(args)),
      attestation: async (args: unknown) => {
        const { id } = attestationArgs.parse(args).where;
        return (await index.find({})).find((row) => row.id === id) ?? null;
      },
    },
  });
  const status: 200 | 400 = result.data === undefined ? 400 : 200;
  return { status, body: result };
}

async function attestations(
  index: RegistryIndex,
  { where, orderBy, take, skip }: z.infer<typeof attestationsArgs>,
): Promise<IndexedAttestation[]> {
  const only = (field: TextFilter) => field?.equals ?? undefined;
  const found = await index.find({
    recipient: only(where?.recipient),
    attester: only(where?.attester),
    schemaId: only(where?.schemaId),
  });
  const rows = found.filter(
    (row) =>
      TEXT_FIELDS.every((field) => matches(row[field], where?.[field])) &&
      (where?.revoked?.equals ?? row.revoked) === row.revoked,
  );
  const order = orderBy?.find(({ time }) => time)?.time;
  if (order) rows.sort((a, b) => (order === "asc" ? a.time - b.time : b.time - a.time));
  const from = skip ?? 0;
  return rows.slice(from, take == null ? undefined : from + take);
}

function matches(value: string, filter: TextFilter): boolean {
  if (!filter) return true;
  const key = (text: string) => (filter.mode === "insensitive" ? text.toLowerCase() : text);
  if (filter.equals != null && key(filter.equals) !== key(value)) return false;
  return filter.in == null || filter.in.some((each) => key(each) === key(value));
}
