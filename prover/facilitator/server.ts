import { Chains } from "../chains";
import { listen, type RunningServer } from "../http/listen";
import { facilitatorApp } from "./app";
import type { FacilitatorConfig } from "./config";
import { facilitatorsByNetwork } from "./schemes";

/** Starts a facilitator in this process. */
export async function startFacilitator(config: FacilitatorConfig): Promise<RunningServer> {
  const app = facilitatorApp({
    offers: config.deployment.offers,
    facilitators: facilitatorsByNetwork(config),
    chains: new Chains(config.deployment),
  });
  return await listen(app, config);
}
