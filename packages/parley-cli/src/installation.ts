import { parseJson } from "@/lib/json";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { bytesOf } from "./calls";
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
  const unreadable = new Failure("failed", `${address} cannot be read.`);
  if (!response?.ok) throw unreadable;
  const text = await textOf(response).catch((error: unknown) => {
    throw error instanceof Failure ? error : unreadable;
  });
  const description = deploymentSchema.safeParse(parseJson(text));
  if (!description.success) throw new Failure("failed", `${address} describes no installation.`);
  const { services } = description.data;
  if (new URL(services.appUrl).origin !== appUrl)
    throw new Failure("usage", `The installation is at ${services.appUrl}: use that address.`);
  return description.data;
}

/** Reads at most MAX_BYTES. @throws Failure */
async function textOf(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytesOf(response)) {
    size += part.length;
    if (size > MAX_BYTES) throw new Failure("failed", `${response.url} has more than ${MAX_BYTES} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
