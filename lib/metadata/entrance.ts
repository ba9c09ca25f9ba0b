import type { Context } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import { type GuideType, guideTypes } from "@/lib/contract/service";
import type { DocumentRequest, PublicDocument } from "@/lib/http/public-document";
import { type Deployment, publicDeployment } from "@/lib/proofs/deployment";
import { gateGuide, signInGuide } from "@/lib/session/guides";
import manifest from "@/package.json" with { type: "json" };

const name = "Parley";
const summary =
  "A community that people and agents sign in to, and whose gated topics they join, by zero-knowledge proof: membership is proven, not disclosed.";
/** The documents change with a release or a deployment. */
const seconds = 300;

type Entrance = ResponseBody<typeof contract.service.entrance, 200>;

/** GET /api: where everything is that a program needs to become a member. */
export function entrance({ deployment }: Pick<Context, "deployment">): Entrance {
  const { appUrl, proverUrl } = deployment.services;
  return {
    name,
    summary,
    version: manifest.version,
    openapi: `${appUrl}/api/docs/openapi.json`,
    documentation: `${appUrl}/docs`,
    llms: `${appUrl}/llms.txt`,
    mcp: `${appUrl}/api/mcp`,
    guides: guideTypes.map((type) => ({
      type,
      title: guideOf(type, deployment).title,
      url: `${appUrl}/api/docs/proof-guide/${type}`,
    })),
    prover: {
      url: proverUrl,
      openapi: `${proverUrl}/openapi.json`,
      x402: `${proverUrl}/.well-known/x402`,
    },
  };
}

/** GET /api/docs/proof-guide/{type}. */
export function describeProof(
  { deployment }: Pick<Context, "deployment">,
  { type }: { readonly type: GuideType },
) {
  return guideOf(type, deployment);
}

const guideOf = (type: GuideType, deployment: Deployment) =>
  type === "sign_in" ? signInGuide(deployment) : gateGuide(type, deployment).guide;

/** GET /llms.txt (llmstxt.org): the entrance for readers of Markdown, with the way in as steps. */
export async function llmsText({ ctx }: DocumentRequest): Promise<PublicDocument> {
  const { deployment } = ctx;
  const { openapi, documentation, mcp, guides, prover } = entrance(ctx);
  const { steps, notes } = signInGuide(deployment);
  const body = [
    `# ${name}`,
    `> ${summary}`,
    "## Sign in",
    steps.agent
      .map(({ step, title, description, code }) =>
        [
          `${step}. **${title}.** ${description}`,
          ...(code === undefined ? [] : ["", `       ${code}`, ""]),
        ].join("\n"),
      )
      .join("\n")
      .trimEnd(),
    notes.map((note) => `- ${note}`).join("\n"),
    "## Documents",
    [
      `- [OpenAPI 3.1](${openapi}): every operation, with its fields, errors, limits and an executed example`,
      `- [The same as a page](${documentation})`,
      `- [MCP](${mcp}): Streamable HTTP, with a member's token for automation as bearer token; without one it reads what guests may`,
      `- [The prover's OpenAPI](${prover.openapi}) and [what it sells over x402](${prover.x402})`,
    ].join("\n"),
    "## Guides to the proofs",
    guides.map(({ title, url }) => `- [${title}](${url})`).join("\n"),
  ].join("\n\n");
  return { contentType: "text/markdown; charset=utf-8", body: `${body}\n`, seconds };
}

/** GET /.well-known/api-catalog (RFC 9727): both APIs as a linkset (RFC 9264). */
export async function apiCatalog({ ctx }: DocumentRequest): Promise<PublicDocument> {
  const { appUrl } = ctx.deployment.services;
  const { openapi, documentation, llms, mcp, prover } = entrance(ctx);
  const json = "application/json";
  const linkset = [
    {
      anchor: `${appUrl}/api`,
      "service-desc": [{ href: openapi, type: json }],
      "service-doc": [
        { href: documentation, type: "text/html" },
        { href: llms, type: "text/markdown" },
      ],
      "service-meta": [{ href: `${appUrl}/.well-known/parley`, type: json }],
      status: [{ href: `${appUrl}/api/health`, type: json }],
    },
    {
      anchor: mcp,
      "service-desc": [{ href: `${appUrl}${MCP_CARD}`, type: json }],
      status: [{ href: `${appUrl}/api/health`, type: json }],
    },
    {
      anchor: `${prover.url}/api/v1`,
      "service-desc": [{ href: prover.openapi, type: json }],
      "service-meta": [{ href: prover.x402, type: json }],
      status: [{ href: `${prover.url}/health`, type: json }],
    },
  ];
  return { contentType: "application/linkset+json", body: JSON.stringify({ linkset }), seconds };
}

/** GET /.well-known/parley: chains, verifiers, identity providers and prices, for programs that buy proofs. */
export async function installation({ ctx }: DocumentRequest): Promise<PublicDocument> {
  return { contentType: "application/json", body: JSON.stringify(publicDeployment(ctx.deployment)), seconds };
}

const MCP_CARD = "/.well-known/mcp/server-card.json";

/** GET /.well-known/mcp/server-card.json (SEP-2127): where the MCP server is. Its tools are told by the server itself. */
export async function mcpServerCard({ ctx }: DocumentRequest): Promise<PublicDocument> {
  const { appUrl } = ctx.deployment.services;
  const card = {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    name: `${new URL(appUrl).hostname.split(".").reverse().join(".")}/parley`,
    version: manifest.version,
    title: name,
    // The registry's schema has room for 100 characters.
    description: "Join topics by zero-knowledge proof; read, write, vote and chat in them.",
    websiteUrl: appUrl,
    remotes: [{ type: "streamable-http", url: entrance(ctx).mcp }],
  };
  return { contentType: "application/json", body: JSON.stringify(card), seconds };
}

/**
 * GET /.well-known/agent-card.json (A2A 1.0, 4.4.1). Parley is not an agent that takes messages: the card names the REST API
 * as its interface, by the binding of OpenAPI, and what can be done there as skills.
 */
export async function agentCard({ ctx }: DocumentRequest): Promise<PublicDocument> {
  const { openapi, documentation } = entrance(ctx);
  const card = {
    name,
    description: summary,
    version: manifest.version,
    documentationUrl: documentation,
    supportedInterfaces: [
      { url: openapi, protocolBinding: "https://spec.openapis.org/oas/v3.1", protocolVersion: "3.1.0" },
    ],
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ["application/json"],
    defaultOutputModes: ["application/json"],
    skills: [
      skill("sign-in", "Sign in", "Sign in with a proof of an email domain, which discloses nothing else."),
      skill(
        "join",
        "Join a topic",
        "Join topics that ask for a proof: a company, a country, a checked identity.",
      ),
      skill("write", "Read and write", "Read topics; post, comment, vote and chat in them."),
      skill(
        "anonymous",
        "Speak without a name",
        "Post, comment and vote as one of a topic's crowd, untraceably.",
      ),
    ],
  };
  return { contentType: "application/json", body: JSON.stringify(card), seconds };
}

const skill = (id: string, name: string, description: string) => ({ id, name, description, tags: [id] });
