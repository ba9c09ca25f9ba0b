import { openDatabase } from "@/db/client";
import { openCache } from "@/lib/cache/open";
import { openRecorder } from "@/lib/chain/recorder";
import { openMembershipVerifier } from "@/lib/proofs/anonymous/open-verifier";
import { checkDeployment } from "@/lib/proofs/deployment.server";
import { createTrust } from "@/lib/proofs/trust";
import { verifyOnChain } from "@/lib/proofs/verify";
import { createProofAcceptor } from "@/lib/session/authorize";
import { sealOldFacts } from "@/lib/session/fact-seals";
import { createIdentityHasher } from "@/lib/session/identity";
import { type Environment, SettingsError } from "@/lib/settings/read";
import { openStorage } from "@/lib/storage/open";
import { startTracing, traceRpc } from "@/lib/tracing";
import { assembleServices, type Services } from "./assemble";
import { checkInstallation } from "./config";
import { holdOpen } from "./hold-open";
import { keyStore } from "./key-store";
import { processState } from "./process";

/** Opens all this process needs. @throws SettingsError with all problems; FolderInUseError; errors of migrations */
export async function startServices(environment: Environment): Promise<Services> {
  const described = checkDeployment();
  const { config, problems } = checkInstallation(environment, described);
  const { deployment } = described;
  if (!config || !deployment || problems.length > 0) throw new SettingsError(problems);
  const tracing = await startTracing("parley-app");
  processState().tracing = tracing;
  const traceOf = (chainId: number) => traceRpc(tracing, chainId);
  const database = await openDatabase({ url: config.databaseUrl });
  const cache = await openCache(config.cacheUrl, database);
  const now = () => new Date();
  const storage = openStorage({
    url: config.storageUrl,
    folder: config.uploadsFolder,
    env: config.mode,
    appUrl: deployment.services.appUrl,
    secrets: config.sessionSecrets,
    now,
  });
  const acceptProof = createProofAcceptor({
    db: database.db,
    deployment,
    hasher: createIdentityHasher(config.userIdSecret),
    trust: createTrust(deployment, { store: keyStore(cache) }),
    verify: (request) => verifyOnChain(deployment, request, traceOf),
    now,
  });
  const recorder = openRecorder({ db: database.db, deployment, config, traceOf });
  const services = assembleServices({
    config,
    deployment,
    database,
    cache,
    storage,
    recorder,
    acceptProof,
    memberships: openMembershipVerifier(),
    now,
    // Behind our own server the process lives on anyway, and requests of the API have no scope of Next's.
    ...(!processState().entry && { holdOpen }),
    closed: () => tracing.close(),
  });
  // Runs before the first request: an unsealed verification opens no gate and shows no badge.
  await sealOldFacts(services.db, services.facts);
  return services;
}
