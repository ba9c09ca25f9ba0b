import { openDatabase } from "@/db/client";
import { openCache } from "@/lib/cache/open";
import { openRecorder } from "@/lib/chain";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { createTrust } from "@/lib/proofs/trust";
import { verifyOnChain } from "@/lib/proofs/verify";
import { createProofAcceptor } from "@/lib/session/authorize";
import { createIdentityHasher } from "@/lib/session/identity";
import { sealOldFacts } from "@/lib/session/seal-old-facts";
import { openStorage } from "@/lib/storage/open";
import { assembleServices, type Services } from "./assemble";
import { type Env, readConfig } from "./config";
import { keyStore } from "./key-store";
import { checkMode } from "./mode";

/**
 * Opens everything this process needs, by the environment and the deployment description.
 * @throws ConfigError for settings that do not go together; FolderInUseError; failing migrations.
 */
export async function startServices(env: Env): Promise<Services> {
  const deployment = loadDeployment();
  // Before the settings are read one by one, so that an operator sees everything that is wrong at once.
  checkMode(env, deployment);
  const config = readConfig(env);
  const database = await openDatabase({ url: config.databaseUrl });
  const cache = await openCache(config.cacheUrl, database);
  const now = () => new Date();
  const storage = openStorage({
    url: config.storageUrl,
    folder: config.uploadsFolder,
    env: config.mode,
    appUrl: deployment.services.appUrl,
    secret: config.sessionSecret,
    now,
  });
  const acceptProof = createProofAcceptor({
    db: database.db,
    deployment,
    hasher: createIdentityHasher(config.userIdSecret),
    trust: createTrust(deployment, { store: keyStore(cache) }),
    verify: (request) => verifyOnChain(deployment, request),
    now,
  });
  const recorder = openRecorder({ db: database.db, deployment, config });
  const services = assembleServices({
    config,
    deployment,
    database,
    cache,
    storage,
    recorder,
    acceptProof,
    now,
  });
  // Before the first request: what is not sealed opens no gate and shows no badge.
  await sealOldFacts(services.db, services.facts);
  return services;
}
