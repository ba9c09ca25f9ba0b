import { contract } from "@/lib/contract";
import { PAST } from "@/scripts/stack/past-content";
import type { Person } from "./people";

/** A public post that is older than an hour, and its topic. */
export interface OldPost {
  readonly postId: string;
  readonly topicId: string;
  /** Its HTML. */
  readonly content: string;
}

/** The post that scripts/test.ts puts into its stack; in a stack of `npm start` there is none. */
export async function oldPost({ api }: Person): Promise<OldPost> {
  const { topics } = await api.call(contract.topics.list, { view: "all", q: PAST.topic });
  const topic = topics.find(({ title }) => title === PAST.topic);
  const { posts } = topic ? await api.call(contract.posts.list, { topicId: topic.id }) : { posts: [] };
  const [post] = posts;
  if (!topic || !post) throw new Error("this stack has no past: run the journeys by npm test");
  return { postId: post.id, topicId: topic.id, content: post.content };
}
