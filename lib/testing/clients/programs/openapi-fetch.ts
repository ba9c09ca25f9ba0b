import createClient from "openapi-fetch";
import type { components, paths } from "./generated/openapi-typescript";
import type { Joining } from "./joining";

type Post = components["schemas"]["Post"];

/** Joins a gated topic and posts in it, as a program that has the document's types alone. */
export async function joinAndPost({ baseUrl, fetch, token, topicId, prove }: Joining): Promise<Post> {
  const api = createClient<paths>({ baseUrl, fetch, headers: { authorization: `Bearer ${token}` } });
  const params = { path: { topicId } };
  const join = () => api.POST("/api/topics/{topicId}/join", { params, body: {} });
  const { error } = await join();
  const required = error?.code === "proof_required" ? error.proofRequirement : undefined;
  if (!required) throw new Error("the join says what proof it takes");
  await prove(required.circuit, required.domain);
  const joined = await join();
  if (joined.response.status !== 201) throw new Error(joined.error?.error);
  const body = { title: "By openapi-fetch", content: "**here**", format: "markdown" } as const;
  const { data } = await api.POST("/api/topics/{topicId}/posts", { params, body });
  if (!data) throw new Error("the post was refused");
  return data.post;
}
