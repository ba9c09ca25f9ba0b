import { type Post, postsCreate, topicsJoin } from "./generated/hey-api";
import { client } from "./generated/hey-api/client.gen";
import type { Joining } from "./joining";

/** Joins a gated topic and posts in it, as a program that has the generated functions alone. */
export async function joinAndPost({ baseUrl, fetch, token, topicId, prove }: Joining): Promise<Post> {
  client.setConfig({ baseUrl, fetch, headers: { authorization: `Bearer ${token}` } });
  const path = { topicId };
  const join = () => topicsJoin({ path, body: {} });
  const { error } = await join();
  const required = error?.code === "proof_required" ? error.proofRequirement : undefined;
  if (!required) throw new Error("the join says what proof it takes");
  await prove(required.circuit, required.domain);
  const joined = await join();
  if (joined.response?.status !== 201) throw new Error(joined.error?.error);
  const body = { title: "By hey-api", content: "**here**", format: "markdown" } as const;
  const { data } = await postsCreate({ path, body });
  if (!data) throw new Error("the post was refused");
  return data.post;
}
