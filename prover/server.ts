import pino, { type Logger } from "pino";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { createTrust, type Trust } from "@/lib/proofs/trust/index";
import type { Backend } from "./backend";
import { ProverError } from "./barretenberg/errors";
import { Chains } from "./chains";
import { createCircuits } from "./circuits/index";
import type { ProverConfig } from "./config";
import { createDocuments } from "./documents";
import { proverApp } from "./http/app";
import { Challenges } from "./http/challenge";
import { listen, type RunningServer } from "./http/listen";
import { Admission } from "./jobs/admission";
import { Jobs } from "./jobs/jobs";
import { Presenter } from "./jobs/present";
import { ProofQueue, RunTimes } from "./jobs/queue";
import { recoverPayments } from "./jobs/recover";
import type { RunDependencies } from "./jobs/run";
import { FacilitatorSettler } from "./payment/facilitator-settler";
import { Ledger } from "./payment/ledger";
import { PayeeSettler } from "./payment/payee-settler";
import type { Settler } from "./payment/settler";
import { openStore, type Store } from "./store/index";

const pruneEveryMs = 60_000;

export interface Prover extends RunningServer {
  store: Store;
}

/** Everything a prover is made of; tests give their own parts. */
export interface ProverParts {
  backend: Backend;
  trust?: Trust;
  logger?: Logger;
  /** An open database, closed with the prover; default what the configuration names. */
  store?: Store;
}

/** Starts the prover's HTTP service on the parts it is given. */
export async function startProver(config: ProverConfig, parts: ProverParts): Promise<Prover> {
  const { deployment } = config;
  const { backend } = parts;
  const logger = parts.logger ?? createLogger(config.logLevel);
  const trust = parts.trust ?? createTrust(deployment);
  const store = parts.store ?? (await openStore({ url: config.databaseUrl }));
  const chains = new Chains(deployment);
  const ledger = new Ledger(chains);
  const settlers = createSettlers(config, ledger, store);
  await recoverPayments({ payments: store.payments, ledger, payee: settlers.payee });

  const presenter = new Presenter(deployment);
  const jobs = new Jobs({
    payments: store.payments,
    queue: new ProofQueue(config.queueLimit),
    times: new RunTimes(),
    maker: backend,
    present: (row, stored) => presenter.result(row, stored),
    report: jobReporter(logger),
  });
  const circuits = createCircuits({
    deployment,
    trust,
    execute: backend.execute,
    scopes: config.scopes,
  });
  const admission = new Admission({
    circuits,
    offers: deployment.offers,
    settlers,
    payments: store.payments,
    nonces: store.nonces,
    jobs,
    secret: config.secret,
  });
  let stopping = false;
  const offered = [...circuits.keys()];
  const app = proverApp({
    offered,
    challenges: new Challenges(deployment, store.nonces),
    admission,
    presenter,
    syncLimitMs: config.syncLimitMs,
    jobs,
    payments: store.payments,
    documents: createDocuments({ deployment, offered, chains, store, backend, settlers }),
    logger,
    corsOrigins: config.corsOrigins,
    isStopping: () => stopping,
  });
  const server = await listen(app, config);
  const pruning = setInterval(() => void store.nonces.prune().catch(() => undefined), pruneEveryMs);
  pruning.unref();

  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping = true;
    clearInterval(pruning);
    const served = server.close();
    // Proofs that end within the grace are delivered; the others stay paid and wait for a resend.
    await Promise.race([
      jobs.idle(),
      new Promise((resolve) => setTimeout(resolve, config.stopGraceMs).unref()),
    ]);
    await backend.close();
    await jobs.idle();
    await served;
    await store.close();
  };
  return {
    ...server,
    store,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function createSettlers(config: ProverConfig, ledger: Ledger, store: Store) {
  const { offers, services } = config.deployment;
  const chainsOf = (settlement: PaymentOffer["settlement"]) =>
    offers.filter((offer) => offer.settlement === settlement).map((offer) => offer.chainId);
  const facilitator: Settler | undefined =
    services.facilitatorUrl && chainsOf("facilitator").length > 0
      ? new FacilitatorSettler(ledger, {
          url: services.facilitatorUrl,
          timeoutMs: config.facilitatorTimeoutMs,
          reconcileMs: config.reconcileMs,
        })
      : undefined;
  const payee =
    config.settlementKey && chainsOf("payee").length > 0
      ? new PayeeSettler(ledger, store.payments, chainsOf("payee"), {
          key: config.settlementKey,
          confirmMs: config.reconcileMs,
        })
      : undefined;
  return { facilitator, payee };
}

/** One line per job. Payment ids and transactions are public on chain; messages are only those of our own errors. */
function jobReporter(logger: Logger): RunDependencies["report"] {
  return (job, end, cause) => {
    const about = { payment: job.paymentId, circuit: job.circuit, transaction: end.payment?.transaction };
    if (end.status === "done") logger.info({ ...about, timing: end.result.timing }, "proof delivered");
    else {
      const { code, details } = end.refusal;
      const below =
        cause instanceof ProverError ? cause.message : cause instanceof Error ? cause.name : undefined;
      logger.warn({ ...about, code, reason: details.reason, cause: below }, "job failed");
    }
  };
}

/** JSON lines on standard output. What is logged holds no inputs; the list is the second line of defence. */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: undefined,
    redact: {
      paths: ["inputs", "jwt", "signature", "token", "jobToken", "authorization", "headers", "body"].flatMap(
        (name) => [name, `*.${name}`],
      ),
      remove: true,
    },
  };
  return destination ? pino(options, destination) : pino(options);
}
