import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import { getAddress, isAddressEqual } from "viem";
import { z } from "zod";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { paymentPayloadSchema, paymentRequirementsSchema } from "@/lib/proofs/wire";
import { noTracing, type Tracing } from "@/lib/tracing";
import { Chains } from "../chains";
import { listen, type RunningServer } from "../http/listen";
import { createLogger } from "../log";
import { enoughSettlements } from "../payment/gas";
import type { FacilitatorConfig } from "./config";
import { facilitatorsByNetwork, type NetworkFacilitator } from "./schemes";

/** Without Parley's own fields of an offer, which a client may leave out. */
const requirementsSchema = paymentRequirementsSchema.partial({
  decimals: true,
  settlement: true,
  eip712_domain: true,
});
/** x402 v2 facilitator request. */
const requestSchema = z.looseObject({
  x402Version: z.literal(2),
  paymentPayload: paymentPayloadSchema.extend({ accepted: requirementsSchema }),
  paymentRequirements: requirementsSchema,
});
type FacilitatorRequest = z.output<typeof requestSchema>;

interface Dependencies {
  offers: readonly PaymentOffer[];
  facilitators: ReadonlyMap<string, NetworkFacilitator>;
  chains: Chains;
  logger: Logger;
  tracing: Tracing;
}

/**
 * A self-hosted x402 v2 facilitator. It settles the deployment's offers only, so that its key does not pay gas for
 * strangers' transfers. It never sends a node's error text.
 */
function facilitatorApp({ offers, facilitators, chains, logger, tracing }: Dependencies): Hono {
  const app = new Hono();
  for (const operation of ["verify", "settle"]) {
    app.use(`/${operation}`, async (c, next) => {
      await tracing.serve(operation, c.req.header("traceparent"), next, () => c.res.status);
    });
  }
  app.use(bodyLimit({ maxSize: 64 * 1024 }));

  const read = async (request: Request): Promise<FacilitatorRequest | undefined> => {
    const parsed = requestSchema.safeParse(await request.json().catch(() => undefined));
    return parsed.success ? parsed.data : undefined;
  };
  const facilitatorFor = ({ paymentRequirements: asked }: FacilitatorRequest) => {
    const offered = offers.some(
      (offer) =>
        offer.settlement === "facilitator" &&
        offer.network === asked.network &&
        offer.amount === asked.amount &&
        isAddressEqual(offer.asset, asked.asset) &&
        isAddressEqual(offer.payTo, asked.payTo),
    );
    return offered ? facilitators.get(asked.network) : undefined;
  };

  app.get("/supported", (c) => {
    const all = [...facilitators.values()].map(({ facilitator }) => facilitator.getSupported());
    const signers: Record<string, string[]> = {};
    for (const each of all) Object.assign(signers, each.signers);
    return c.json({ kinds: all.flatMap((each) => each.kinds), extensions: [], signers });
  });

  app.post("/verify", async (c) => {
    const body = await read(c.req.raw);
    if (!body) return c.json({ isValid: false, invalidReason: "invalid_payload" }, 400);
    const payer = body.paymentPayload.payload.authorization.from;
    const found = facilitatorFor(body);
    if (!found) return c.json({ isValid: false, invalidReason: "unsupported_offer", payer });
    const { facilitator, guard } = found;
    const unpaid = await guard.refusal(getAddress(payer));
    if (unpaid) return c.json({ isValid: false, invalidReason: unpaid, payer });
    const { paymentPayload, paymentRequirements } = body;
    const { isValid, invalidReason } = await facilitator.verify(paymentPayload, paymentRequirements);
    return c.json({ isValid, invalidReason, payer });
  });

  app.post("/settle", async (c) => {
    const body = await read(c.req.raw);
    const network = body?.paymentRequirements.network ?? "eip155:0";
    const refusal = { success: false, transaction: "", network };
    if (!body) return c.json({ ...refusal, errorReason: "invalid_payload" }, 400);
    const found = facilitatorFor(body);
    if (!found) return c.json({ ...refusal, errorReason: "unsupported_offer" });
    const { facilitator, guard } = found;
    const unpaid = await guard.refusal(getAddress(body.paymentPayload.payload.authorization.from));
    if (unpaid) return c.json({ ...refusal, errorReason: unpaid });
    const settled = await facilitator.settle(body.paymentPayload, body.paymentRequirements);
    const { success, errorReason, payer, transaction } = settled;
    const { amount } = body.paymentRequirements;
    return c.json({ success, errorReason, payer, transaction, network, amount });
  });

  app.get("/health", async (c) => {
    const networks = await Promise.all(
      [...facilitators].map(async ([network, { guard }]) => {
        const reachable = await chains.isReachable(Number(network.slice("eip155:".length)));
        const left = await guard.left().catch(() => undefined);
        const gas = left && { wei: left.wei.toString(), settlements: left.settlements };
        return { network, ok: reachable && left !== undefined && left.settlements >= enoughSettlements, gas };
      }),
    );
    const ok = networks.every((each) => each.ok);
    return c.json({ status: ok ? "ok" : "unavailable", networks }, ok ? 200 : 503);
  });

  app.notFound((c) => c.json({ error: "NOT_FOUND", message: "no such resource" }, 404));
  app.onError((error, c) => {
    logger.error({ method: c.req.method, path: c.req.path, kind: error.name }, "request failed");
    return c.json({ error: "INTERNAL", message: "the facilitator failed; the outcome is unknown" }, 500);
  });
  return app;
}

/** Starts a facilitator in this process. */
export async function startFacilitator(
  config: FacilitatorConfig,
  logger = createLogger(config.logLevel),
  tracing = noTracing,
): Promise<RunningServer> {
  const app = facilitatorApp({
    offers: config.deployment.offers,
    facilitators: facilitatorsByNetwork(config, tracing),
    chains: new Chains(config.deployment, tracing),
    logger,
    tracing,
  });
  return await listen(app, config);
}
