import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { formatUnits } from "viem";
import { listen, type RunningServer } from "@/prover/http/listen";
import type { DepositLedger } from "./ledger";
import {
  balancesSchema,
  depositSchema,
  type GatewayNetwork,
  paymentProblem,
  paymentSchema,
  transfersQuerySchema,
} from "./requests";

export interface GatewayServerOptions {
  /** 0 picks a free one. */
  port: number;
  networks: readonly GatewayNetwork[];
  ledger: DepositLedger;
}

/**
 * Starts a stand-in for Circle Gateway on loopback. It serves `/v1/x402/{supported,verify,settle,transfers}` and
 * `/v1/balances` as the real one does, and moves deposits in its own ledger; nothing reaches a chain.
 * `POST /deposits {network, depositor, amount}` gives any account a deposit.
 */
export function startGatewayServer(options: GatewayServerOptions): Promise<RunningServer> {
  return listen(gatewayApp(options), { port: options.port, host: "127.0.0.1" });
}

function gatewayApp({ networks, ledger }: GatewayServerOptions): Hono {
  const app = new Hono();
  app.use(cors({ origin: "*" }));
  app.use(bodyLimit({ maxSize: 64 * 1024 }));
  app.onError((error, c) => {
    console.error(error);
    return c.json({ code: -1, message: "unexpected_error" }, 500);
  });

  app.get("/health", (c) => c.json({ status: "ok" }));

  app.get("/v1/x402/supported", (c) =>
    c.json({
      kinds: networks.map(({ network, asset, verifyingContract }) => ({
        x402Version: 2,
        scheme: "exact",
        network,
        extra: {
          name: CIRCLE_BATCHING_NAME,
          version: CIRCLE_BATCHING_VERSION,
          verifyingContract,
          assets: [{ symbol: "USDC", address: asset, decimals: 6 }],
        },
      })),
      extensions: [],
      signers: {},
    }),
  );

  app.post("/v1/x402/verify", async (c) => {
    const payment = paymentSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!payment.success) return c.json({ isValid: false, invalidReason: "invalid_payload" }, 400);
    const invalidReason = await paymentProblem(payment.data, networks, nowSeconds());
    const payer = payment.data.paymentPayload.payload.authorization.from;
    return c.json({ isValid: invalidReason === undefined, invalidReason, payer });
  });

  app.post("/v1/x402/settle", async (c) => {
    const payment = paymentSchema.safeParse(await c.req.json().catch(() => undefined));
    const refused = { success: false, transaction: "" };
    if (!payment.success) return c.json({ ...refused, network: "", errorReason: "invalid_payload" }, 400);
    const { network, amount } = payment.data.paymentRequirements;
    const { from, to, nonce } = payment.data.paymentPayload.payload.authorization;
    const problem = await paymentProblem(payment.data, networks, nowSeconds());
    const settled = problem ?? ledger.settle({ network, from, to, amount: BigInt(amount), nonce });
    return typeof settled === "string"
      ? c.json({ ...refused, network, errorReason: settled, payer: from })
      : c.json({ success: true, transaction: settled.id, network, payer: from });
  });

  app.get("/v1/x402/transfers", (c) => {
    const query = transfersQuerySchema.safeParse(c.req.query());
    if (!query.success) return c.json({ code: 2, message: "API parameter invalid" }, 400);
    return c.json({ transfers: ledger.transfers(query.data) });
  });

  app.get("/v1/x402/transfers/:id", (c) => {
    const transfer = ledger.transfer(c.req.param("id"));
    return transfer ? c.json(transfer) : c.json({ message: "Transfer not found" }, 404);
  });

  app.post("/v1/balances", async (c) => {
    const asked = balancesSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!asked.success) return c.json({ code: 2, message: "API parameter invalid" }, 400);
    const balances = asked.data.sources.map(({ domain, depositor }) => {
      const served = networks.find(({ network }) => domainOf(network) === domain);
      const balance = served ? ledger.balance(served.network, depositor) : 0n;
      return { domain, depositor, balance: formatUnits(balance, 6) };
    });
    return c.json({ token: "USDC", balances });
  });

  app.post("/deposits", async (c) => {
    const deposit = depositSchema.safeParse(await c.req.json().catch(() => undefined));
    if (!deposit.success) return c.json({ message: "expected {network, depositor, amount}" }, 400);
    const { network, depositor, amount } = deposit.data;
    if (!networks.some((each) => each.network === network)) {
      return c.json({ message: "this network is not served" }, 400);
    }
    ledger.deposit(network, depositor, BigInt(amount));
    return c.json({ balance: ledger.balance(network, depositor).toString() });
  });

  return app;
}

/** Returns Circle's domain number of a chain, which identifies its balances. */
function domainOf(network: GatewayNetwork["network"]): number | undefined {
  const chainId = Number(network.slice("eip155:".length));
  return Object.values(CHAIN_CONFIGS).find(({ chain }) => chain.id === chainId)?.domain;
}

function nowSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1000));
}
