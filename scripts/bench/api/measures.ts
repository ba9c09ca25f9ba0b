import { bodies, type MeasureName } from "./bodies";
import { LISTED, MEMBERS_EACH, membersOf, type Seed, TOPICS, wordOf } from "./seed";

export const measureNames = Object.keys(bodies).filter((name): name is MeasureName => name in bodies);

/** What a request says. */
export interface Input {
  /** Index of the member who sends it. */
  readonly member: number;
  readonly topicId?: string;
  readonly postId?: string;
  readonly word?: string;
}

export interface Measure {
  readonly title: string;
  readonly method: "GET" | "POST";
  /** The request's path; its parameters are named as the input is. */
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  /** The least ratio to a bare server that runs the same SQL. */
  readonly least?: number;
  /** Requests of different members, over all topics. */
  readonly inputs: (seed: Seed) => Input[];
  /** Requests into one topic; only for writes. */
  readonly busy?: (seed: Seed) => Input[];
  /** SQL that makes room for the same requests again. */
  readonly reset?: string;
}

const READ = { method: "GET", status: 200 } as const;
const WRITE = { method: "POST", least: 0.6 } as const;

/** A word or two of each, as people write them. */
const TEXT = "I have read it twice now, and the second part is the one to keep.";

export const measures: Record<MeasureName, Measure> = {
  list: {
    ...READ,
    title: "posts of a topic",
    path: "/api/topics/{topicId}/posts",
    least: 0.7,
    inputs: ({ topics }) =>
      range(LISTED).flatMap((n) => membersOf(n + 1).map((member) => ({ member, topicId: topics[n + 1] }))),
  },
  detail: {
    ...READ,
    title: "post detail",
    path: "/api/posts/{postId}",
    least: 0.8,
    inputs: ({ posts }) => posts.map(({ id, topic }, n) => ({ member: memberAt(topic, n), postId: id })),
  },
  feed: { ...READ, title: "feed", path: "/api/feed", least: 0.7, inputs: everyone },
  search: {
    ...READ,
    title: "search",
    path: "/api/search?q={word}",
    inputs: (seed) => everyone(seed).map((input, n) => ({ ...input, word: wordOf(seed, n) })),
  },
  topics: { ...READ, title: "topics", path: "/api/topics?view=all", least: 0.7, inputs: everyone },
  chat: {
    ...READ,
    title: "chat history",
    path: "/api/topics/{topicId}/chat",
    least: 0.7,
    inputs: inTopics,
  },
  vote: {
    ...WRITE,
    title: "vote",
    path: "/api/posts/{postId}/vote",
    body: { value: 1 },
    status: 200,
    inputs: onPosts,
    busy: onBusyPosts,
    // A score that is older than a minute would be worked out again by the next vote.
    reset: "delete from votes where user_id like 'u%'; update topics set score_at = now()",
  },
  comment: {
    ...WRITE,
    title: "comment",
    path: "/api/posts/{postId}/comments",
    body: { content: TEXT },
    status: 201,
    inputs: onPosts,
    busy: onBusyPosts,
  },
  post: {
    ...WRITE,
    title: "post",
    path: "/api/topics/{topicId}/posts",
    body: { title: "What I found in the second part", content: `<p>${TEXT}</p>` },
    status: 201,
    inputs: inTopics,
    busy: inBusyTopic,
  },
  message: {
    ...WRITE,
    title: "chat message",
    path: "/api/topics/{topicId}/chat",
    body: { message: "A message of the chat, as long as most are." },
    status: 201,
    inputs: inTopics,
    busy: inBusyTopic,
  },
};

/** Returns the path of a request. */
export function pathOf({ path }: Measure, { topicId = "", postId = "", word = "" }: Input): string {
  return path.replace("{topicId}", topicId).replace("{postId}", postId).replace("{word}", word);
}

/** Returns a pattern of the paths of a measure, with their parameters as named groups. */
export function patternOf({ path }: Measure): RegExp {
  const pattern = path.replace("?", "\\?").replace(/\{(\w+)\}/g, "(?<$1>[^/?]+)");
  return new RegExp(`^${pattern}$`);
}

function range(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

/** Returns a member of a topic by their index, another for each `n`. */
function memberAt(topic: number, n: number): number {
  const members = membersOf(topic);
  return members[n % members.length] ?? 0;
}

function everyone({ members }: Seed): Input[] {
  return members.map((_, member) => ({ member }));
}

/** Each topic in turn, then again with other members. */
function inTopics({ topics }: Seed): Input[] {
  return range(MEMBERS_EACH).flatMap((n) =>
    topics.slice(1).map((topicId, index) => ({ member: memberAt(index + 1, n), topicId })),
  );
}

function inBusyTopic(seed: Seed): Input[] {
  return everyone(seed).map((input) => ({ ...input, topicId: seed.topics[0] }));
}

/** At most 20,000 pairs of a post and a member, each once. */
function onPosts({ posts }: Seed): Input[] {
  const rounds = Math.ceil((TOPICS * MEMBERS_EACH) / posts.length);
  return range(rounds).flatMap((n) =>
    posts.map(({ id, topic }, index) => ({
      member: memberAt(topic, n + Math.floor(index / TOPICS)),
      postId: id,
    })),
  );
}

/** 20,000 pairs of a post of the busy topic and a member, each once. */
function onBusyPosts({ busyPosts, members }: Seed): Input[] {
  return range(200).flatMap((n) =>
    busyPosts.map((postId, index) => ({ member: (n + index * 7) % members.length, postId })),
  );
}
