import type { Address } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { DepositLedger } from "@/scripts/stack/gateway/ledger";
import { servedNetworks } from "@/scripts/stack/gateway/networks";
import { startGatewayServer } from "@/scripts/stack/gateway/server";
import { type GatewayProxy, startGatewayProxy } from "./gateway-proxy";

/** Where Circle's test networks have the gateway's wallet contract (CHAIN_CONFIGS of the package). */
const gatewayWallet = "0x0077777d7EBA4688BDeF3E311b846F25870A19B9";

/** A stub gateway behind a proxy that misbehaves on command. */
export interface TestGateway {
  url: string;
  proxy: GatewayProxy;
  ledger: DepositLedger;
  offer: PaymentOffer;
  close(): Promise<void>;
}

/** The offer that the stub settles: batched nano-payments on Arc's test network. */
export function gatewayOffer(payTo: Address, amount: bigint): PaymentOffer {
  return {
    chainId: 5042002,
    network: "eip155:5042002",
    asset: "0x3600000000000000000000000000000000000000",
    symbol: "USDC",
    decimals: 6,
    amount: amount.toString(),
    payTo,
    settlement: "gateway",
    eip712: { name: "GatewayWalletBatched", version: "1" },
    verifyingContract: gatewayWallet,
  };
}

export async function startTestGateway(offer: PaymentOffer): Promise<TestGateway> {
  const ledger = new DepositLedger();
  const server = await startGatewayServer({ port: 0, networks: servedNetworks([offer]), ledger });
  const proxy = await startGatewayProxy(server.url);
  return {
    url: proxy.url,
    proxy,
    ledger,
    offer,
    async close() {
      await proxy.close();
      await server.close();
    },
  };
}
