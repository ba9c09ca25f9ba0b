import { parseJson } from "@/lib/json";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { Failure } from "./failure";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 256 * 1024;

/**
 * Reads what an installation publishes of itself: chains, verifiers, identity providers and prices.
 * @param appUrl its origin
 * @throws Failure
 */
export async function installationAt(appUrl: string): Promise<Deployment> {
  const address = `${appUrl}/.well-known/parley`;
  // Redirects would let another address say whom to pay.
  const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    () => null,
  );
  if (!response?.ok) throw new Failure("failed", `${address} cannot be read.`);
  const description = deploymentSchema.safeParse(parseJson(await textOf(response)));
  if (!description.success) throw new Failure("failed", `${address} describes no installation.`);
  const { services } = description.data;
  if (new URL(services.appUrl).origin !== appUrl)
    throw new Failure("usage", `The installation is at ${services.appUrl}: use that address.`);
  return description.data;
}

/** Reads at most MAX_BYTES. @throws Failure */
async function textOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.length;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new Failure("failed", `${response.url} has more than ${MAX_BYTES} bytes.`);
    }
    parts.push(part.value);
  }
  return Buffer.concat(parts).toString("utf8");
}
