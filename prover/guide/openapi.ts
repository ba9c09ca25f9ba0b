import type { z } from "zod";
import {
  describeParameters,
  describePaths,
  type Json,
  schemaRef,
  toComponentSchemas,
  toJsonSchema,
} from "@/lib/openapi";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import manifest from "@/package.json" with { type: "json" };
import { proverApi, type Route } from "../http/routes";
import { proverMeanings } from "./meanings";
import executed from "./samples.json" with { type: "json" };

/** Bodies of a purchase that was made, by operation: cases/examples.ts writes them. */
const samples: Readonly<
  Record<string, { readonly request?: unknown; readonly responses: Readonly<Record<string, unknown>> }>
> = executed;

/** Generates the OpenAPI 3.1 document from the route declarations. */
export function openapiDocument(deployment: Deployment, offered: readonly CircuitId[]) {
  const { routes, schemas } = proverApi(offered);
  const names = new Map<z.ZodType, string>(Object.entries(schemas).map(([name, schema]) => [schema, name]));
  const describeContent = (content: Readonly<Record<string, z.ZodType>>, example?: unknown) =>
    mapValues(content, (schema, type) => {
      const name = names.get(schema);
      return {
        schema:
          name === undefined ? toJsonSchema(schema, "input", proverMeanings) : { $ref: schemaRef(name) },
        ...(example !== undefined && type === "application/json" && { example }),
      };
    });
  const payment = {
    protocols: ["x402"],
    pricingMode: "fixed",
    price: price(deployment),
    currency: "USD",
  };
  const describeRoute = (route: Route): Json => ({
    operationId: route.id,
    summary: route.summary,
    description: route.description ?? `${route.summary}.`,
    ...(route.isPaid && { "x-payment-info": payment }),
    parameters: [...describeParameters(route.params, "path"), ...describeParameters(route.headers, "header")],
    ...(route.body && {
      requestBody: {
        required: true,
        content: describeContent({ "application/json": route.body }, samples[route.id]?.request),
      },
    }),
    responses: mapValues(route.responses, ({ description, headers = {}, content }, status) => ({
      description,
      headers: mapValues(headers, describeHeader),
      content: describeContent(content, samples[route.id]?.responses[status]),
    })),
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley prover",
      version: "1",
      description:
        "Zero-knowledge proofs, paid per proof over x402 v2. Errors are {error, message, reason?, field?}; act on `error`.",
      license: { name: "Apache 2.0", identifier: manifest.license },
    },
    // Nobody signs in: a payment is the only key.
    security: [],
    servers: [{ url: deployment.services.proverUrl }],
    paths: describePaths(routes, describeRoute),
    components: { schemas: toComponentSchemas(schemas, "input", proverMeanings) },
  };
}

function describeHeader(schema: z.ZodType): Json {
  const { description, ...json } = toJsonSchema(schema, "output");
  return { description, schema: json };
}

/** Applies a function to each value of a record, and its name. */
function mapValues<A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A, name: string) => B,
): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]));
}

/** Returns the cheapest offer in dollars. */
function price({ offers }: Deployment): string {
  const [least = 0n] = offers.map((offer) => BigInt(offer.amount)).sort((a, b) => (a < b ? -1 : 1));
  const cents = (least + 9_999n) / 10_000n;
  return `${cents / 100n}.${(cents % 100n).toString().padStart(2, "0")}`;
}
