import { z } from "zod";
import { hasFacilitator } from "@/lib/settings/facilitator";
import { isSet } from "@/lib/settings/read";
import { type Check, type Finding, fault, type Patient, reasonOf, TIMEOUT_MS, warning } from "./finding";

/** Seconds by which our clock may differ from a web server's; dates in headers are whole seconds and may be cached. */
const CLOCK_SECONDS = 60;

const keySetSchema = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });
const supportedSchema = z.object({ kinds: z.array(z.looseObject({ network: z.string() })) });

/** Checks the services of others: issuers, facilitator, attestation index. */
export const checkServices: Check = async (patient) => {
  const { programs, deployment } = patient;
  const checks: Promise<readonly Finding[]>[] = [];
  if (programs.has("app") || programs.has("prover")) {
    checks.push(...deployment.issuers.map(({ label, jwksUri }) => checkIssuer(label, jwksUri)));
  }
  if (programs.has("prover")) checks.push(checkFacilitatorService(patient), ...attestationChecks(patient));
  if (programs.has("app")) checks.push(checkProverService(deployment.services.proverUrl));
  return (await Promise.all(checks)).flat();
};

async function checkIssuer(label: string, jwksUri: string): Promise<readonly Finding[]> {
  const about = `issuer ${label}`;
  const asked = await ask(jwksUri);
  if (typeof asked === "string") {
    return [
      fault(about, `its keys cannot be read (${asked})`, "Correct jwksUri, or let this machine reach it"),
    ];
  }
  if (!keySetSchema.safeParse(asked.body).success) {
    return [
      fault(about, "jwksUri leads to no key set", "Take jwks_uri from the issuer's discovery document"),
    ];
  }
  const ahead = asked.date === null ? 0 : Math.round((asked.date - Date.now()) / 1000);
  if (Math.abs(ahead) <= CLOCK_SECONDS) return [];
  const problem = `this machine's clock differs by ${-ahead} s from that of ${label}: its tokens would be too old or not valid yet`;
  return [fault("clock", problem, "Set the clock by NTP")];
}

async function checkFacilitatorService({ deployment, environment }: Patient): Promise<readonly Finding[]> {
  const { facilitatorUrl } = deployment.services;
  const networks = deployment.offers.flatMap(({ settlement, network }) =>
    settlement === "facilitator" ? network : [],
  );
  // Coinbase's answers only to requests with a token.
  if (!facilitatorUrl || networks.length === 0 || isSet(environment, "CDP_API_KEY_ID")) return [];
  const about = "facilitator";
  const asked = await ask(`${facilitatorUrl}/supported`);
  if (typeof asked === "string") {
    const isOwn = hasFacilitator(environment);
    const mend = isOwn ? "Start it: npm run start:facilitator" : "Correct services.facilitatorUrl";
    return [(isOwn ? warning : fault)(about, `it does not answer (${asked})`, mend)];
  }
  const supported = supportedSchema.safeParse(asked.body).data?.kinds.map(({ network }) => network);
  if (!supported) return [fault(about, "it is no x402 facilitator", "Correct services.facilitatorUrl")];
  return networks
    .filter((network) => !supported.includes(network))
    .map((network) =>
      fault(
        about,
        `it does not settle on ${network}`,
        "Use another facilitator for this offer, or settle as payee",
      ),
    );
}

function attestationChecks({ deployment }: Patient): Promise<readonly Finding[]>[] {
  const { graphqlUrl, explorerUrl } = deployment.attestations ?? {};
  const sources = [
    // A POST, as from the programs: an index may refuse a GET.
    ...(graphqlUrl
      ? [["attestations.graphqlUrl", () => ask(graphqlUrl, { query: "{__typename}" })] as const]
      : []),
    ...(explorerUrl
      ? [
          [
            "attestations.explorerUrl",
            () => ask(`${explorerUrl}/api?module=block&action=eth_block_number`),
          ] as const,
        ]
      : []),
  ];
  return sources.map(async ([name, request]) => {
    const asked = await request();
    if (typeof asked !== "string") return [];
    const mend = `Correct ${name}, or set it to null: the circuits that need it are then not offered`;
    return [fault("attestations", `${name} does not answer (${asked})`, mend)];
  });
}

async function checkProverService(proverUrl: string): Promise<readonly Finding[]> {
  const asked = await ask(`${proverUrl}/health`);
  if (typeof asked !== "string") return [];
  return [
    warning(
      "prover",
      `${proverUrl} does not answer (${asked})`,
      "Start it: npm run start:prover; check services.proverUrl",
    ),
  ];
}

/**
 * Gets a JSON document, or posts one and reads the answer.
 * @returns why not; `date` is the server's time in ms, null if it does not say
 */
export async function ask(
  url: string,
  posted?: unknown,
): Promise<{ body: unknown; date: number | null } | string> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
      ...(posted !== undefined && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(posted),
      }),
    });
    const text = await response.text();
    if (!response.ok) return `status ${response.status}`;
    const said = Date.parse(response.headers.get("date") ?? "");
    return { body: JSON.parse(text), date: Number.isNaN(said) ? null : said };
  } catch (error) {
    return error instanceof SyntaxError ? "no JSON" : reasonOf(error);
  }
}
