import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "pino";
import { serveMetrics } from "@/lib/metrics";
import { createSealingKey } from "@/lib/proofs/sealing";
import { createTrust, type Trust } from "@/lib/proofs/trust/index";
import { noTracing, type Tracing } from "@/lib/tracing";
import type { Backend } from "./backend";
import { ProverError } from "./barretenberg/errors";
import { reconcile } from "./books/reconcile";
import { Chains } from "./chains";
import { createCircuits } from "./circuits/index";
import type { ProverConfig } from "./config";
import { createDocuments } from "./documents";
import { createInputOpener, plainInputs, readEncryptionKey } from "./encryption";
import { StartRefusedError } from "./env";
import { proverApp } from "./http/app";
import { Challenges } from "./http/challenge";
import { Limits } from "./http/limits";
import { listen, type RunningServer } from "./http/listen";
import { Admission } from "./jobs/admission";
import { Jobs } from "./jobs/jobs";
import { Presenter } from "./jobs/present";
import { ProofQueue } from "./jobs/queue";
import type { Checkpoint, RunDependencies } from "./jobs/run";
import { sealWork, unsealWork } from "./jobs/sealed-work";
import { Slots } from "./jobs/slots";
import { RunTimes } from "./jobs/times";
import { recoverPayments, startUpkeep } from "./jobs/upkeep";
import { createLogger } from "./log";
import { Metrics } from "./metrics";
import type { Observer } from "./observer";
import { tokenProblems } from "./offer-problems";
import { readSecret } from "./payment/facilitator-auth";
import { Ledger } from "./payment/ledger";
import { createSettlers } from "./payment/settlers";
import { Seller } from "./seller/seller";
import { openStore, type Store } from "./store/index";

export interface Prover extends RunningServer {
  store: Store;
  /** One round of the books, as of a moment (ms); it happens by the clock anyway. */
  reconcile(now?: number): Promise<void>;
  /** Where the metrics are, if anywhere. */
  metricsUrl: string | undefined;
}

/** Everything a prover is made of; tests give their own parts. */
export interface ProverParts {
  backend: Backend;
  trust?: Trust;
  logger?: Logger;
  tracing?: Tracing;
  /** An open database, closed with the prover; default what the configuration names. */
  store?: Store;
  /** Told of every step that must survive a crash, and awaited; for tests that stop the process there. */
  checkpoint?: Checkpoint;
  /** Milliseconds before a proof is checked again whose chain was away; longer each time. Default a second. */
  checkPauseMs?: number;
}

/** Starts the prover's HTTP service on the parts it is given. */
export async function startProver(config: ProverConfig, parts: ProverParts): Promise<Prover> {
  const { deployment } = config;
  const { backend } = parts;
  if (config.facilitatorKey) await readSecret(config.facilitatorKey.secret);
  const logger = parts.logger ?? createLogger(config.logLevel);
  const trust = parts.trust ?? createTrust(deployment);
  const defect = (error: Error) => logger.error({ kind: error.name }, "background work failed");
  const tracing = parts.tracing ?? noTracing;
  const chains = new Chains(deployment, tracing);
  const tokens = await tokenProblems(deployment.offers, chains);
  if (tokens.problems.length > 0) throw new StartRefusedError(`cannot start: ${tokens.problems.join("; ")}`);
  for (const chainId of tokens.silent)
    logger.warn({ chainId }, "the token could not be asked for its domain");
  // Jobs may wait in the queue: a worker that takes one needs a bb that is free.
  await backend.warm();
  const store = parts.store ?? (await openStore({ url: config.databaseUrl, secret: config.secret }, defect));
  const { payments, nonces, instances } = store;
  const { checkpoint = async () => undefined } = parts;
  const metrics = new Metrics(tracing);
  const observer: Observer = metrics;
  const settlers = createSettlers(config, new Ledger(chains), store, { checkpoint }, tracing, (problem) =>
    logger.warn(problem, "the facilitator did not settle a payment"),
  );
  const { offers } = deployment;
  const deliveryMs = config.deliverySeconds * 1000;
  const books = (now?: number) => reconcile({ store, settlers, chains, offers, deliveryMs, defect }, now);
  await recoverPayments(payments, settlers);

  const { publicKey, privateKey } = await createSealingKey();
  await instances.enter(publicKey, backend.parallel);
  const times = new RunTimes();
  /** Milliseconds until a proof with so many ahead of it is done. */
  const expectedMs = (circuit: string, ahead: number) =>
    Math.round(times.expected(circuit) * (1 + Math.ceil((ahead + 1) / instances.workers)));
  const seller = new Seller(deployment, config.secret);
  const presenter = new Presenter(deployment, payments, expectedMs);
  const { execute, parallel } = backend;
  const wait = async (ms: number) => void (await pause(ms));
  const queue = new ProofQueue({
    ...{ queue: store.queue, instances, payments, execute, parallel, expectedMs, wait, checkpoint },
    seal: sealWork,
    unseal: (paymentId, sealed) => unsealWork(privateKey, paymentId, sealed),
  });
  const proving = new Slots(config.queueLimit);
  const jobs = new Jobs({
    run: {
      payments,
      times,
      maker: backend,
      proving,
      present: (row, stored, token) => presenter.result(row, stored, token),
      report: jobReporter(logger),
      observer,
      checkpoint,
      checkPauseMs: parts.checkPauseMs ?? 1000,
    },
    payments,
    instances,
    queue,
    presenter,
    wait,
  });
  await queue.releaseAbandoned();
  await queue.open((job, work) => jobs.take(job, work));
  const circuits = createCircuits({ deployment, trust, execute, scopes: config.scopes });
  const settling = new Slots(config.settlementLimit);
  const admission = new Admission({
    circuits,
    offers: deployment.offers,
    settlers,
    payments,
    credits: store.credits,
    prices: store.prices,
    nonces,
    instances,
    jobs,
    proving,
    settling,
    secondsUntilFree: (circuit) =>
      Math.max(1, Math.ceil((times.expected(circuit) * Math.max(1, proving.load)) / backend.parallel / 1000)),
    secret: config.secret,
    observer,
    checkpoint,
  });
  let stopping = false;
  const ending = new AbortController();
  // Each request that waits listens to it.
  setMaxListeners(0, ending.signal);
  const offered = [...circuits.keys()];
  const inputs = config.encryptionKey
    ? createInputOpener(await readEncryptionKey(config.encryptionKey))
    : plainInputs;
  const { limits: settings, secret, trustedProxies } = config;
  const counting = { secret, trustedProxies };
  const limits = instances.alone
    ? Limits.inMemory(settings, counting)
    : await Limits.inDatabase(settings, counting, payments.db);
  const app = proverApp({
    deployment,
    offered,
    offers: deployment.offers,
    challenges: new Challenges(
      deployment,
      nonces,
      await store.prices.enter(offers),
      inputs.publicKey,
      seller,
    ),
    seller,
    chains,
    signIns: store.signIns,
    purchases: store.purchases,
    deliveryMs,
    admission,
    presenter,
    inputs,
    syncLimitMs: config.syncLimitMs,
    jobs,
    payments,
    documents: createDocuments({
      deployment,
      offered,
      chains,
      store,
      backend,
      settlers,
      service: {
        teePublicKey: inputs.publicKey,
        limits: settings,
        deliveryMs,
        receiptSigner: seller.address,
      },
    }),
    logger,
    corsOrigins: config.corsOrigins,
    limits,
    observer,
    tracing,
    isStopping: () => stopping,
    closing: ending.signal,
  });
  const server = await listen(app, { ...config, behindProxies: config.trustedProxies > 0 });
  if (config.metrics) metrics.watch({ store, backend, proving, settling, settlers });
  const measured = config.metrics && (await serveMetrics(metrics.meters, config.metrics));
  const upkeep = startUpkeep({
    ...{ store, settlers, queue, publicKey, parallel, defect },
    reconcile: () => books(),
  });

  let closing: Promise<void> | undefined;
  const close = async () => {
    stopping = true;
    const served = Promise.all([server.close(), measured?.close()]);
    // Requests on connections that were accepted are served. Proofs that end within the grace are delivered; the others
    // stay paid, and go on elsewhere or wait for a resend: their clients get the job's address, or their stream ends.
    await Promise.race([
      served.then(() => jobs.idle()),
      new Promise((resolve) => setTimeout(resolve, config.stopGraceMs).unref()),
    ]);
    ending.abort();
    jobs.close();
    const idle = queue.close();
    await backend.close();
    await idle;
    await upkeep.stop();
    // From here on other processes take what is left.
    await instances.leave().catch(() => undefined);
    await jobs.idle();
    await served;
    await store.close();
  };
  return {
    ...server,
    store,
    reconcile: books,
    metricsUrl: measured?.url,
    close() {
      closing ??= close();
      return closing;
    },
  };
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
