import { getServices } from "@/lib/runtime/services";

export const dynamic = "force-dynamic";

/** The prover sells, and says itself what. */
export async function GET(): Promise<Response> {
  const { deployment } = await getServices();
  return Response.redirect(`${deployment.services.proverUrl}/.well-known/x402`, 307);
}
