import { Insider } from "@/lib/community/anonymous/testing";
import { publishRoots } from "@/lib/community/crowd/publish";
import { addTo, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { circuitInputs } from "@/lib/proofs/anonymous/statement";
import { testEngine } from "@/lib/proofs/testing/membership";
import { type Example, example } from "../example";
import { leftBy, stored, type World } from "../world";

const { anonymous } = contract;
/** One pixel. */
const PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const place = (world: World) => ({ topicId: leftBy(world, "whispers") });

/** A topic of ada's with a crowd of two, and what one of them says in it. */
async function makeCrowd(world: World): Promise<void> {
  const { h } = world;
  const ada = { api: h.clientFor(stored(world.tokens, "ada")), userId: "", nickname: "ada", token: "" };
  const { id } = await makeTopic(ada, "public", "Whispers");
  const insiders: Insider[] = [];
  for (let i = 0; i < 2; i++) {
    const user = await signIn(h, "insider");
    await addTo(h.db, id, user);
    const insider = new Insider(h, user, id);
    await insider.enrol();
    insiders.push(insider);
  }
  // The next root is published within ten minutes.
  await publishRoots({ ...h.services, now: () => new Date(Date.now() + 600_000) });
  const [author] = insiders;
  if (!author) throw new Error("the crowd has nobody");
  const engine = testEngine();
  const prover = async (...given: Parameters<typeof circuitInputs>) =>
    await engine.prove(circuitInputs(...given));
  const written = { title: "What nobody says aloud", content: "<p>The plan is late.</p>", tags: ["Plans"] };
  const post = await author.post(0, written, { prover });
  const comment = await author.comment(post.id, 1, "By a month.", null, { prover });
  const { post: asked } = await author.user.api.call(contract.posts.create, {
    ...{ topicId: id, title: "Do we ship?", content: "<p>Say what you think.</p>" },
    poll: { options: ["Yes", "No"], isSecret: true },
  });
  if (!asked.poll) throw new Error("no poll");
  const ballot = await author.ballot(asked.poll, [asked.poll.options[1]?.id ?? ""], 0, { prover });
  const picture = await author.picture(PICTURE, 0, { prover });
  const regret = await author.deletion(post.id, null, undefined, prover);
  await engine.close();
  world.keep({
    whispers: id,
    whisper: JSON.stringify(post),
    reply: JSON.stringify(comment),
    ballot: JSON.stringify(ballot),
    picture: JSON.stringify(picture),
    regret: JSON.stringify(regret),
  });
}

const postIdOf = (world: World) => ({ postId: String(JSON.parse(leftBy(world, "whisper")).id) });

/** What is said anonymously, with real proofs. */
export const anonymousExamples: readonly Example[] = [
  example(anonymous.terms)({ before: makeCrowd, input: place }),
  example(anonymous.post)({ input: (world) => JSON.parse(leftBy(world, "whisper")) }),
  example(anonymous.picture)({ input: (world) => JSON.parse(leftBy(world, "picture")) }),
  example(anonymous.comment)({
    input: (world) => JSON.parse(leftBy(world, "reply")),
    keep: (world, { commentId }) => world.keep({ replyId: commentId }),
  }),
  example(anonymous.evidence)({ input: postIdOf }),
  example(anonymous.ballot)({ input: (world) => JSON.parse(leftBy(world, "ballot")) }),
  example(anonymous.ballots)({
    input: (world) => ({ postId: String(JSON.parse(leftBy(world, "ballot")).postId) }),
  }),
  example(anonymous.ban)({
    as: "ada",
    input: (world) => ({
      ...postIdOf(world),
      commentId: leftBy(world, "replyId"),
      weeks: 2,
      reason: "Not true.",
    }),
    keep: (world, { ban }) => world.keep({ ban: ban.id }),
  }),
  example(anonymous.bans)({ as: "ada", input: place }),
  example(anonymous.lift)({
    as: "ada",
    input: (world) => ({ ...place(world), banId: leftBy(world, "ban") }),
  }),
  example(anonymous.delete)({ input: (world) => JSON.parse(leftBy(world, "regret")) }),
];
