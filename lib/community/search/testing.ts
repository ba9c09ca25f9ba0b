import { contract } from "@/lib/contract";
import { createHarness, type HarnessOptions } from "@/lib/testing/harness";
import { makeTopic, signIn } from "../testing";

/** A word and tag of a secret topic, and one that nobody wrote. */
export const hiddenWord = "zanzibar";
export const absentWord = "quagmire";

/** An open topic, and a secret one whose title, posts, tags and comments all have the hidden word. */
export async function hiddenScene(options: HarnessOptions, posts: number) {
  const h = await createHarness(options);
  const owner = await signIn(h, "owner");
  const outsider = await signIn(h, "outsider");
  const open = await makeTopic(outsider);
  const secret = await makeTopic(owner, "secret", `Plans for ${hiddenWord}`);
  for (let i = 0; i < posts; i += 1) {
    await outsider.api.call(contract.posts.create, {
      topicId: open.id,
      title: `Ordinary ${i}`,
      content: "words of everybody",
      tags: ["ordinary"],
    });
    const { post } = await owner.api.call(contract.posts.create, {
      topicId: secret.id,
      title: `About ${hiddenWord} ${i}`,
      content: `words of ${hiddenWord}`,
      tags: [hiddenWord],
    });
    await owner.api.call(contract.comments.create, { postId: post.id, content: `more of ${hiddenWord}` });
  }
  const ask = async (question: string, word: string, token?: string) => {
    const { status } = await h.send("GET", `${question}${word}`, { token });
    if (status !== 200) throw new Error(`${question} answers ${status}`);
  };
  return { h, outsider, ask };
}

/** What an outsider may ask about a word. */
export const questions = [
  "/api/feed?q=",
  "/api/feed?tag=",
  "/api/search?q=",
  "/api/topics?view=all&q=",
  "/api/tags?q=",
];
