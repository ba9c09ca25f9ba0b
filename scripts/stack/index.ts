import { mkdir, writeFile } from "node:fs/promises";
import { type Deployment, deploymentSchema } from "@/lib/proofs/deployment";
import { hasFacilitator } from "@/lib/settings/facilitator";
import { attestationSources, ensureAttestationContracts, startAttester } from "./attestations";
import { startChains } from "./chains";
import { type ChildError, Children } from "./children";
import { ContractBook } from "./contract-book";
import { ensureBaseContracts, ensureExamples, paymentOffers } from "./contracts";
import { ensureDemo } from "./demo/index";
import { startGateway } from "./gateway/start";
import { issuerDescription } from "./idp/description";
import { lendApp } from "./lend";
import { lockHome } from "./lock";
import { bundleEntry, ensureNextBuild, entryFiles } from "./next-build";
import { assertPortsFree } from "./ports";
import { productionDeployment } from "./production";
import { appProgram, facilitatorProgram, idpProgram, type ProgramContext, proverProgram } from "./programs";
import { type Reporter, silentReporter } from "./progress";
import type { RestartPolicy } from "./restart";
import { loadSecrets } from "./secrets";
import { homePaths, portClaims, type StackSettings } from "./settings";
import { ensureProvingKeys, ensureVerifiers } from "./verifiers";

export interface StartOptions {
  settings: StackSettings;
  reporter?: Reporter;
  /** Aborts a start in progress. */
  signal?: AbortSignal;
  /** Called when a program exited by itself after the start. The caller must stop the stack. */
  onDeath?: (error: ChildError) => void;
  /** Without it a program that dies is not restarted, so that tests see it. */
  restart?: RestartPolicy;
}

export interface Stack {
  settings: StackSettings;
  deployment: Deployment;
  deploymentFile: string;
  /** Stops every program and keeps all data. */
  stop(): Promise<void>;
  /** Kills every program at once. */
  kill(): void;
}

/** The caller aborted the start. */
export class StoppedError extends Error {
  override name = "StoppedError";
}

/**
 * Boots the whole of Parley: chains, contracts, identity provider, facilitator, prover and app (development), or prover
 * and app on an operator's deployment description (production). Resolves once every program accepts requests.
 * @throws SettingsError, PortTakenError, ChildError, StoppedError, after it stopped what had started
 */
export async function startStack(options: StartOptions): Promise<Stack> {
  const { settings } = options;
  await assertPortsFree(portClaims(settings.ports, settings.mode));
  const release = await lockHome(settings.home);
  let running = false;
  let abandon: (error: Error) => void = () => {};
  const abandoned = new Promise<never>((_, reject) => {
    abandon = reject;
  });
  abandoned.catch(() => {});
  const children = new Children(
    homePaths(settings.home).logs,
    (error) => (running ? options.onDeath?.(error) : abandon(error)),
    {
      restart: options.restart,
      // In production the journal or the container's log collects it.
      ...(settings.mode === "production" && { output: process.stdout }),
      note: (text) => console.error(`\n${text}`),
    },
  );
  let endLoan = () => {};
  const stop = async () => {
    endLoan();
    await children.stop();
    await release();
  };
  const onAbort = () => {
    children.expectEnd();
    abandon(new StoppedError("the start was aborted"));
  };
  options.signal?.addEventListener("abort", onAbort);
  try {
    options.signal?.throwIfAborted();
    const boot = settings.mode === "production" ? bootProduction : bootDevelopment;
    const app = await Promise.race([abandoned, boot(settings, children, options.reporter ?? silentReporter)]);
    running = true;
    if (settings.mode === "development") endLoan = await offerApp(app, children, options);
    const { deployment, deploymentFile } = app;
    return { settings, deployment, deploymentFile, stop, kill: () => children.kill() };
  } catch (error) {
    await stop();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

/** Lets another process run the app with hot reload (`npm run dev -- --app`). The stack also works without this. */
async function offerApp(
  app: ProgramContext,
  children: Children,
  { onDeath }: StartOptions,
): Promise<() => void> {
  return lendApp({
    home: app.settings.home,
    children,
    own: appProgram(app),
    lent: appProgram({ ...app, settings: { ...app.settings, dev: true } }),
    note: (text) => console.error(text),
    onDeath: (error) => onDeath?.(error),
  }).catch((error: unknown) => {
    console.error(`npm run dev -- --app cannot reach this stack: ${error}`);
    return () => undefined;
  });
}

/** Starts what depends on nothing else at once, and the rest as soon as what it depends on is there. */
async function bootDevelopment(
  settings: StackSettings,
  children: Children,
  reporter: Reporter,
): Promise<ProgramContext> {
  const { ports, home } = settings;
  const { secrets: secretsFile, demo } = homePaths(home);
  const appUrl = `http://localhost:${ports.app}`;
  const issuer = `http://localhost:${ports.idp}`;
  const secrets = await reporter.step("Secrets", () => loadSecrets(secretsFile));
  const built = buildApp(settings, children, reporter);
  const [context] = await Promise.all([
    prepareChains(settings, children, reporter).then(async ({ deployment, attestationRpcUrls }) => {
      const described = { settings, deployment, deploymentFile: homePaths(home).deployment, secrets };
      await Promise.all([
        startAttester(settings, attestationRpcUrls, children, reporter),
        reporter.step("Payment facilitator", () => children.start(facilitatorProgram(described))),
        startGateway(described, children, reporter),
        reporter.step("Prover", () => children.start(proverProgram(described))),
        built.then(() => startApp(described, children, reporter)),
      ]);
      return described;
    }),
    built,
    reporter.step("Development identity provider", () =>
      children.start(idpProgram(settings, secrets, issuer, appUrl)),
    ),
  ]);
  if (settings.demo) await ensureDemo(demo, context.deployment, reporter);
  return context;
}

/** Starts the chains, deploys what is missing on them, and writes the description of the installation. */
async function prepareChains(settings: StackSettings, children: Children, reporter: Reporter) {
  const { ports } = settings;
  const paths = homePaths(settings.home);
  const [chains, keys] = await Promise.all([
    reporter.step("Local chains", async (step) => {
      const started = await startChains(paths.chains, ports.chains, children, reporter.note);
      step.detail(started.map((c) => c.id).join(", "));
      return started;
    }),
    ensureProvingKeys(reporter),
  ]);
  const book = await ContractBook.open(paths.contracts);
  const base = await reporter.step("Dollars and record board", async (step) => {
    const contracts = await ensureBaseContracts(book, chains);
    step.detail(contracts.deployedCount > 0 ? `${contracts.deployedCount} deployed` : "already deployed");
    return contracts;
  });
  const attestationRpcUrls = await ensureAttestationContracts(chains, reporter);
  const { srs, verifiers } = await ensureVerifiers(book, chains, keys, reporter);
  const issuer = `http://localhost:${ports.idp}`;
  const deployment = deploymentSchema.parse({
    mode: "development",
    scope: settings.scope,
    srs,
    chains: chains.map(({ description }) => description),
    verifiers,
    issuers: [issuerDescription(issuer, "provider_a"), issuerDescription(issuer, "provider_b")],
    offers: paymentOffers(base.dollars),
    attestations: attestationSources(settings),
    examples: await ensureExamples(book, chains, verifiers),
    recordBoard: base.recordBoard,
    services: {
      appUrl: `http://localhost:${ports.app}`,
      proverUrl: `http://localhost:${ports.prover}`,
      facilitatorUrl: `http://127.0.0.1:${ports.facilitator}`,
      gatewayUrl: `http://127.0.0.1:${ports.gateway}`,
    },
  });
  await mkdir(settings.home, { recursive: true });
  await writeFile(paths.deployment, `${JSON.stringify(deployment, null, 2)}\n`);
  return { deployment, attestationRpcUrls };
}

async function bootProduction(
  settings: StackSettings,
  children: Children,
  reporter: Reporter,
): Promise<ProgramContext> {
  const deployment = productionDeployment(settings.env);
  const deploymentFile = settings.env.PARLEY_DEPLOYMENT ?? homePaths(settings.home).deployment;
  const context = { settings, deployment, deploymentFile, secrets: null };
  await Promise.all([
    // With its key the operator runs our facilitator; otherwise the description names another one.
    hasFacilitator(settings.env)
      ? reporter.step("Payment facilitator", () => children.start(facilitatorProgram(context)))
      : undefined,
    reporter.step("Prover", () => children.start(proverProgram(context))),
    buildApp(settings, children, reporter).then(() => startApp(context, children, reporter)),
  ]);
  return context;
}

async function buildApp(settings: StackSettings, children: Children, reporter: Reporter): Promise<void> {
  if (settings.dev) await bundleEntry(entryFiles.dev);
  else {
    await reporter.step("App build", async (step) => {
      step.detail((await ensureNextBuild(children)) ? "built" : "sources unchanged");
    });
  }
}

async function startApp(context: ProgramContext, children: Children, reporter: Reporter): Promise<void> {
  await reporter.step("App", () => children.start(appProgram(context)));
}
