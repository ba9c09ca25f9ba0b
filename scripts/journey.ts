import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Hex } from "viem";
import { ApiError, createClient } from "@/lib/client";
import { contract } from "@/lib/contract";
import { buyProof, memoryStore, payingWallet } from "@/lib/proofs/client";
import type { Deployment } from "@/lib/proofs/deployment";
import { loadDeployment } from "@/lib/proofs/deployment.server";
import { challengeBodySchema, type ProveResult, proveResultSchema } from "@/lib/proofs/wire";
import { walletGates } from "./journey/attested";
import { underTheRose } from "./journey/rose";
import { passedSteps, refused, step } from "./journey/step";
import { strangers } from "./journey/strangers";
import { developmentAccount, developmentKey } from "./stack/accounts";
import { deviceIdToken } from "./stack/idp/sign-in";
import { apiClient, issuerOf, type Member, proveDomain, signInWithProof } from "./stack/member";
import { formatElapsed } from "./stack/progress";
import { ROOT } from "./stack/settings";

/**
 * `npm run journey`: an agent without a browser uses the running stack: identity, price, payment, proof, sign-in, a gated
 * topic, a join, a post, votes, another member who reads it, programs that know the address alone, what members say and vote without a name, and gates for wallets:
 * an attested person, a country in a list, a country outside one. Every step is one test. The last line is "N passed, N failed"; exits with 1 when a step
 * failed.
 */
const deployment = loadDeployment();
const { appUrl, proverUrl } = deployment.services;
const wallet = developmentAccount("journey");
const CIRCUIT = "oidc_domain_attestation";

// Every run has its own company, so that runs do not join each other's topics.
const run = randomBytes(3).toString("hex");
const domain = `journey-${run}.example`;
const otherDomain = `elsewhere-${run}.example`;

/** Signs the first member in, step by step as in docs/agents.md. */
async function firstMember(): Promise<{ member: Member; challengeId: string; proof: ProveResult }> {
  const guest = apiClient(deployment);
  const issuer = issuerOf(deployment, "provider_a");

  const challenge = await step("ask for a challenge", () => guest.call(contract.auth.challenge, {}));
  const jwt = await step("identity token by the device flow", async (say) => {
    say(`ada@${domain}`);
    return deviceIdToken(issuer, `ada@${domain}`);
  });
  const inputs = { jwt, scope: challenge.scope, provider: "provider_a" };
  await step("ask the price: 402 with offers and a nonce", async (say) => {
    const body = challengeBodySchema.parse(await postToProver({ circuit: CIRCUIT }, 402));
    say(
      body.accepts
        .map((o) => `${Number(o.amount) / 10 ** o.decimals} on ${o.network} (${o.settlement})`)
        .join(", "),
    );
  });
  await step("no proof without payment: inputs alone get 402", () =>
    postToProver({ circuit: CIRCUIT, inputs }, 402),
  );

  const proof = await step("pay by x402 and get the proof", async (say) => {
    let transaction = "";
    const result = await buyProof({
      proverUrl,
      circuit: CIRCUIT,
      inputs,
      wallet: payingWallet(wallet),
      expectedOffers: deployment.offers,
      store: memoryStore(),
      jobKey: "first",
      onProgress: (event) => {
        if (event.stage === "settled") transaction = event.transaction;
      },
    });
    const { witnessMs, proveMs } = result.timing;
    say(
      `witness ${witnessMs.toFixed(0)} ms, proof ${proveMs.toFixed(0)} ms, transaction ${transaction.slice(0, 10)}…`,
    );
    return result;
  });

  const session = await step("sign in with the proof", () =>
    guest.call(contract.auth.verify, { challengeId: challenge.challengeId, result: proof }),
  );
  const nickname = `ada_${run}`;
  const token = await step("choose a nickname", async (say) => {
    assert.equal(session.needsNickname, true);
    const answer = await apiClient(deployment, session.token).call(contract.profile.setNickname, {
      nickname,
    });
    say(answer.nickname);
    assert.ok(answer.token);
    return answer.token;
  });
  const member = { userId: session.userId, nickname, token, api: apiClient(deployment, token) };
  return { member, challengeId: challenge.challengeId, proof };
}

async function postToProver(body: unknown, status: number): Promise<unknown> {
  const response = await fetch(`${proverUrl}/api/v1/prove`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, status);
  return response.json();
}

/**
 * Buys a proof of an identity token with the stock x402 client, using the program in docs/agents.md itself.
 * @param key private key of a wallet with play money
 */
async function stockProof({ scope, services }: Deployment, jwt: string, key: Hex): Promise<ProveResult> {
  const program = (await programOfDocs())
    .replace("http://localhost:3001", services.proverUrl)
    .replace('"zk-community"', JSON.stringify(scope));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: ROOT,
    env: { ...process.env, PAYMENT_PRIVATE_KEY: key },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(jwt);
  const [answer] = await Promise.all([text(child.stdout), once(child, "close")]);
  assert.equal(child.exitCode, 0, "the program of docs/agents.md failed");
  return proveResultSchema.parse(JSON.parse(answer));
}

/** Returns the indented block of the page that imports the client. */
async function programOfDocs(): Promise<string> {
  const page = await readFile(path.join(ROOT, "docs", "agents.md"), "utf8");
  const blocks = page.match(/(?:^ {4}.*\n|^\n)+/gm) ?? [];
  const program = blocks.find((block) => block.includes('from "@x402/fetch"'));
  assert(program, "docs/agents.md has no program with the stock client");
  return program.replaceAll(/^ {4}/gm, "");
}

async function journey(): Promise<void> {
  console.log(`Journey of an agent: ${appUrl}, prover ${proverUrl}\n`);
  await step("the stack is ready", async () => {
    const { status } = await createClient({ baseUrl: appUrl }).call(contract.service.ready, {});
    assert(status === "ok", `its status is ${status}`);
  });
  const { member: ada, challengeId, proof } = await firstMember();

  await step("the same challenge again is refused: 401", () =>
    refused(401, "challenge_unknown", () =>
      apiClient(deployment).call(contract.auth.verify, { challengeId, result: proof }),
    ),
  );
  await step("the same proof with another challenge is refused", async (say) => {
    const guest = apiClient(deployment);
    const other = await guest.call(contract.auth.challenge, {});
    const request = guest.call(contract.auth.verify, { challengeId: other.challengeId, result: proof });
    const error = await request.then(
      () => null,
      (e: unknown) => e,
    );
    assert(error instanceof ApiError && [400, 409].includes(error.status), "a stolen proof was accepted");
    say(`${error.status} ${error.code}`);
  });

  const { categories } = await apiClient(deployment).call(contract.categories.list, {});
  const topicId = await step("create a topic gated to the proven domain", async (say) => {
    const { topic } = await ada.api.call(contract.topics.create, {
      title: `Journey ${run}`,
      description: `Made by npm run journey; only for ${domain}.`,
      categoryId: categories[0]?.id ?? "",
      proofType: "workspace",
      requiredDomain: domain,
    });
    say(`@${domain}`);
    return topic.id;
  });

  const bela = await step("a second person signs in from another company", async (say) => {
    say(`bela@${otherDomain}`);
    return signInWithProof({ deployment, email: `bela@${otherDomain}`, nickname: `bela_${run}`, wallet });
  });
  await step("joining asks for a proof: 402 says which", async (say) => {
    const error = await refused(402, "proof_required", () =>
      bela.api.call(contract.topics.join, { topicId }),
    );
    assert(error.body?.proofRequirement, "the 402 carries no proofRequirement");
    say("proof_required");
  });
  const wrong = await step("buy a proof with the stock x402 client of docs/agents.md", async () => {
    await bela.api.call(contract.auth.challenge, {});
    const jwt = await deviceIdToken(issuerOf(deployment, "provider_a"), `bela.2@${otherDomain}`);
    return stockProof(deployment, jwt, developmentKey("journey"));
  });
  await step("a proof of another domain does not open it: 403", async () => {
    const { proof, publicInputs } = wrong;
    await refused(403, "domain_not_allowed", () =>
      bela.api.call(contract.topics.join, { topicId, proof, publicInputs }),
    );
  });
  await step("writing without membership is refused: 403", () =>
    refused(403, "not_a_member", () =>
      bela.api.call(contract.posts.create, { topicId, title: "x", content: "<p>x</p>" }),
    ),
  );
  await step("join with a proof of the right domain", async (say) => {
    say(`bela@${domain}`);
    // The challenge of a session belongs to that member, and so does a proof for it.
    await bela.api.call(contract.auth.challenge, {});
    const { proof, publicInputs } = await proveDomain({ deployment, email: `bela@${domain}`, wallet });
    await bela.api.call(contract.topics.join, { topicId, proof, publicInputs });
  });

  const postId = await step("write a post", async () => {
    const { post } = await ada.api.call(contract.posts.create, {
      topicId,
      title: "Proven, not disclosed",
      content: "<p>Everybody here works at the same place. <strong>Nobody</strong> knows who is who.</p>",
      tags: ["journey"],
    });
    return post.id;
  });
  const commentId = await step("the second member comments", async () => {
    const { comment } = await bela.api.call(contract.comments.create, { postId, content: "It works." });
    return comment.id;
  });
  await step("the author replies", () =>
    ada.api.call(contract.comments.create, { postId, content: "So it does.", parentId: commentId }),
  );
  await step("the second member votes", async () => {
    const { upvoteCount } = await bela.api.call(contract.posts.vote, { postId, value: 1 });
    assert.equal(upvoteCount, 1);
  });

  const cleo = await step("a third person signs in, paid on chain 1 (payee settles)", async () => {
    return await signInWithProof({
      ...{ deployment, wallet, provider: "provider_b" },
      accept: (offers) => offers.find(({ settlement }) => settlement === "payee"),
      ...{ email: `cleo@${domain}`, nickname: `cleo_${run}` },
    });
  });
  await step("joins with the verification of the sign-in", () =>
    cleo.api.call(contract.topics.join, { topicId }),
  );
  await step("reads the post, its comments and its vote", async () => {
    const { post, comments } = await cleo.api.call(contract.posts.get, { postId });
    assert.equal(post.title, "Proven, not disclosed");
    assert.equal(post.upvoteCount, 1);
    assert.deepEqual(
      comments.map((c) => c.content),
      ["It works.", "So it does."],
    );
    assert.equal(comments[1]?.parentId, commentId);
  });
  await strangers({ ...{ appUrl, owner: ada, domain, run, wallet }, categoryId: categories[0]?.id ?? "" });
  await underTheRose({ appUrl, topicId, owner: ada, others: [bela, cleo] });
  await walletGates({ deployment, run, owner: ada, guest: bela, categoryId: categories[0]?.id ?? "" });
}

const started = Date.now();
let failed = 0;
try {
  await journey();
} catch (error) {
  failed = 1;
  console.error(error instanceof ApiError ? `${error.status} ${error.code}: ${error.message}` : error);
}
console.log(`\nin ${formatElapsed(Date.now() - started)}`);
console.log(`${passedSteps()} passed, ${failed} failed`);
process.exit(failed);
