import type { Deployment } from "@/lib/proofs/deployment";
import { createTrust } from "@/lib/proofs/trust/index";
import { verifyOnChain } from "@/lib/proofs/verify";
import { processState } from "@/lib/runtime/process";
import { createHarness } from "@/lib/testing/harness";
import { type Tracing, traceRpc } from "@/lib/tracing";

/** The app's API in this process, with traces, on the chains and issuers of a stack. */
export async function startTracedApp(deployment: Deployment, tracing: Tracing) {
  processState().tracing = tracing;
  const h = await createHarness({
    deployment,
    trust: createTrust(deployment),
    verify: (request) => verifyOnChain(deployment, request, (chainId) => traceRpc(tracing, chainId)),
  });
  return {
    guest: h.clientFor(),
    async close() {
      processState().tracing = undefined;
      await h.close();
    },
  };
}
