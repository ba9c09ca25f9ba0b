import path from "node:path";
import { developmentAccount } from "./accounts";
import type { Stack } from "./index";
import { SUGGESTED_ACCOUNTS } from "./programs";

/** The one summary at the end of a start: where things are, who can sign in, what is development only. */
export function summary(stack: Stack): string {
  const { deployment, settings } = stack;
  const { appUrl, proverUrl, facilitatorUrl } = deployment.services;
  const home = path.relative(process.cwd(), settings.home) || settings.home;
  const rows: [string, string][] = [
    ["Parley", appUrl],
    ["API description", `${appUrl}/api/docs/openapi.json`],
    ["Prover", proverUrl],
  ];
  if (settings.mode === "production") return block("Parley is running (production).", rows, []);

  if (facilitatorUrl) rows.push(["Facilitator", facilitatorUrl]);
  const [issuer] = deployment.issuers;
  if (issuer) rows.push(["Identity provider", issuer.issuer]);
  if (deployment.attestations?.explorerUrl) rows.push(["Attester", deployment.attestations.explorerUrl]);
  for (const chain of deployment.chains) rows.push([`Chain ${chain.id}`, chain.rpcUrl]);
  rows.push(["State and logs", home], ["Description", path.relative(process.cwd(), stack.deploymentFile)]);
  return block("Parley is running.", rows, [
    "Development only, none of it protects anybody:",
    `  - Sign in as any address of any company; the demo members are ${SUGGESTED_ACCOUNTS.slice(0, 2).join(", ")} ...`,
    `  - Proofs are paid in play money; ${developmentAccount("browser").address} is a funded wallet to import,`,
    "    its key (index 6) and all others come from anvil's public mnemonic. A browser's own development wallet fills itself.",
    "  - The attester attests any wallet to whoever asks; that wallet and those of the demo and the journey are attested already.",
    deployment.srs.kind === "development"
      ? "  - The development SRS is in use: anybody can forge proofs."
      : "  - The setup data is the ceremony's own.",
    ...(settings.env.DEV_LOGIN === "1"
      ? ["  - DEV_LOGIN=1: anybody signs in as anybody, without a proof."]
      : []),
    "",
    "npm run journey walks through it as an agent. Ctrl-C stops everything and keeps the data.",
  ]);
}

function block(title: string, rows: readonly [string, string][], notes: readonly string[]): string {
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`);
  return ["", title, "", ...lines, "", ...notes].join("\n");
}
