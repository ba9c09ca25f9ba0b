import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";

const word = `0x${"11".repeat(32)}`;
const address = `0x${"22".repeat(20)}`;

const verifier = { chainId: 8453, address, vkHash: word };

/** Verifiers of all circuits, for installations that take every kind of proof. */
export const allVerifiers = deploymentSchema.shape.verifiers.parse({
  oidc_domain_attestation: verifier,
  partner_country_attestation: verifier,
  network_eligibility: verifier,
  regional_attestation: verifier,
});

/** Where attestations are looked up; neither address answers. */
export const testAttestations = {
  graphqlUrl: "http://127.0.0.1:1/graphql",
  explorerUrl: "http://127.0.0.1:1",
};

/** A complete development installation, none of whose addresses answers. */
export function testDeployment(changes: Partial<Deployment> = {}): Deployment {
  const idp = "http://localhost:3999";
  return {
    ...deploymentSchema.parse({
      mode: "development",
      scope: "zk-community",
      srs: { kind: "development", digest: word },
      chains: [
        {
          id: 8453,
          name: "Test chain",
          rpcUrl: "http://127.0.0.1:1",
          publicRpcUrl: "http://127.0.0.1:1",
          explorerUrl: null,
        },
      ],
      verifiers: { oidc_domain_attestation: verifier },
      issuers: [
        {
          provider: "provider_a",
          label: "Test provider",
          issuer: idp,
          jwksUri: `${idp}/jwks`,
          authorizationEndpoint: `${idp}/auth`,
          deviceAuthorizationEndpoint: `${idp}/device/auth`,
          tokenEndpoint: `${idp}/token`,
          webClientId: "parley-web",
          deviceClientId: "parley-agent",
          development: true,
        },
      ],
      offers: [
        {
          chainId: 8453,
          network: "eip155:8453",
          asset: address,
          symbol: "USDC",
          decimals: 6,
          amount: "100000",
          payTo: address,
          settlement: "facilitator",
          eip712: { name: "USD Coin", version: "2" },
        },
      ],
      recordBoard: null,
      services: {
        appUrl: "http://localhost:3000",
        proverUrl: "http://127.0.0.1:1",
        facilitatorUrl: null,
      },
    }),
    ...changes,
  };
}
