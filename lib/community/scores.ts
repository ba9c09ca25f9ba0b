/** The Unix time in seconds that hot scores count from. */
const EPOCH_SECONDS = 1_134_028_003;
/** Being this much younger weighs as much as having ten times the votes. */
const SECONDS_PER_DECADE = 45_000;
const DAY_MS = 86_400_000;

/** Posts this recent count for their topic's score. */
export const TOPIC_WINDOW_MS = 7 * DAY_MS;

/**
 * Returns the hot score of a post: sign(u)·log10(max(|u|, 1)) + (createdAt in seconds − 1134028003)/45000, as a double
 * (design/api.md, "Posts, comments, votes, polls"). Nothing else computes it, so equal inputs give equal bits.
 *
 * @param netVotes upvotes minus downvotes
 */
export function postScore(netVotes: number, createdAt: Date): number {
  const weight = Math.sign(netVotes) * Math.log10(Math.max(Math.abs(netVotes), 1));
  return weight + (createdAt.getTime() / 1000 - EPOCH_SECONDS) / SECONDS_PER_DECADE;
}

/**
 * Returns the hot score of a topic: 2·members + 3·posts of the last 7 days + 10/log2(ageDays + 2), as a double
 * (design/api.md). Age counts in fractions of days.
 */
export function topicScore(topic: {
  readonly members: number;
  readonly recentPosts: number;
  readonly createdAt: Date;
  readonly now: Date;
}): number {
  const ageDays = Math.max(0, topic.now.getTime() - topic.createdAt.getTime()) / DAY_MS;
  return 2 * topic.members + 3 * topic.recentPosts + 10 / Math.log2(ageDays + 2);
}
