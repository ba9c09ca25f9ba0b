import { z } from "zod";
import { attestedChain } from "@/contracts/test/attested-chain";
import type { AttestationDeployment } from "@/lib/proofs/attestation/find";
import { hex32Schema } from "@/lib/proofs/hex";
import { startAttesterServer } from "../server";

/** Both chains with the attester on them, and its server; call `close` in afterAll. */
export async function startAttesterWorld() {
  const [base, giwa] = await Promise.all([attestedChain(8453), attestedChain(91342)]);
  const server = await startAttesterServer({
    port: 0,
    rpcUrls: { 8453: base.anvil.rpcUrl, 91342: giwa.anvil.rpcUrl },
    known: [{ name: 'The "known" wallet', address: "0x00000000000000000000000000000000000A11cE" }],
  });
  const deployment: AttestationDeployment = {
    mode: "development",
    chains: [base, giwa].map(({ description }) => description),
    attestations: { graphqlUrl: `${server.url}/graphql`, explorerUrl: server.url },
  };

  const post = (path: string, body: unknown) =>
    fetch(`${server.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  /** POST of a request that has to succeed. */
  const done = async (path: string, body: unknown) => {
    const response = await post(path, body);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return z.object({ transactionHash: hex32Schema }).parse(await response.json()).transactionHash;
  };
  return {
    base,
    giwa,
    url: server.url,
    deployment,
    post,
    attest: (body: unknown) => done("/attest", body),
    revoke: (body: unknown) => done("/revoke", body),
    async close() {
      await server.close();
      await Promise.all([base.stop(), giwa.stop()]);
    },
  };
}
