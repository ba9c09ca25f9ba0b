import type { Address } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { gatewayOffer } from "@/scripts/stack/contracts";
import { DepositLedger } from "@/scripts/stack/gateway/ledger";
import { servedNetworks } from "@/scripts/stack/gateway/requests";
import { startGatewayServer } from "@/scripts/stack/gateway/server";
import { type GatewayProxy, startGatewayProxy } from "./gateway-proxy";

/** A stub gateway behind a proxy that misbehaves on command. */
export interface TestGateway {
  url: string;
  proxy: GatewayProxy;
  ledger: DepositLedger;
  offer: PaymentOffer;
  close(): Promise<void>;
}

/** @param payTo whom its offer pays */
export async function startTestGateway(payTo: Address): Promise<TestGateway> {
  const offer = gatewayOffer(payTo);
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
