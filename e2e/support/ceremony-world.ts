import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { createPublicClient, type Hex, http } from "viem";
import { z } from "zod";
import { VerifierFront } from "@/contracts/index";
import { addressSchema } from "@/lib/proofs/hex";

const ROOT = path.resolve(import.meta.dirname, "../..");

const placesSchema = z.object({
  /** Address of the app, in its production build. */
  url: z.url(),
  providerUrl: z.url(),
  rpcUrl: z.url(),
  /** The verifier contract. */
  front: addressSchema,
});
export type CeremonyPlaces = z.infer<typeof placesSchema>;

/** An installation on the ceremony's points, in processes of its own. */
export interface CeremonyWorld {
  readonly url: string;
  /** Tokens the provider has signed, the latest last. */
  tokens(): Promise<readonly string[]>;
  /** Asks the verifier contract. */
  verify(proof: Hex, publicInputs: readonly Hex[]): Promise<boolean>;
  stop(): Promise<void>;
}

/** Starts it; see ceremony-main.ts. The provider signs everybody in as `email`, without a question. */
export async function ceremonyWorld(email: string): Promise<CeremonyWorld> {
  const main = path.join(import.meta.dirname, "ceremony-main.ts");
  const child = spawn(process.execPath, ["--import", "tsx", main, email], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const { url, providerUrl, rpcUrl, front } = await places(child.stdout);
  const client = createPublicClient({ transport: http(rpcUrl) });
  return {
    url,
    async tokens() {
      return z.array(z.string()).parse(await (await fetch(`${providerUrl}/signed`)).json());
    },
    verify: (proof, publicInputs) =>
      client.readContract({
        ...{ address: front, abi: VerifierFront.abi, functionName: "verify", args: [proof, publicInputs] },
      }),
    async stop() {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    },
  };
}

/** The one line that says where everything is; what else is printed is passed over. */
async function places(output: NodeJS.ReadableStream): Promise<CeremonyPlaces> {
  for await (const line of createInterface({ input: output })) {
    if (line.startsWith("{")) {
      output.resume();
      return placesSchema.parse(JSON.parse(line));
    }
  }
  throw new Error("the installation did not start");
}
