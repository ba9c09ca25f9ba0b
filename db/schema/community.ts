import type { ColumnType, Generated, GeneratedAlways } from "kysely";
import type { Role } from "@/lib/contract/common";
import type { ProofType } from "@/lib/contract/proof-requirement";
import type { AnonymousMode } from "@/lib/contract/topics";

/** Times have millisecond precision from the caller's clock, so that cursors can contain them exactly. */
type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** A counter, updated in the transaction that changes what it counts. */
type Counter = ColumnType<number, number | undefined, number>;
/** Null until it is numbered, 0 for what is older than numbers. */
type Position = ColumnType<number | null, number | null | undefined, number | null>;

type ReproveDays = 30 | 90 | 365;
export type Visibility = "public" | "private" | "secret";

export interface CategoryTable {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  /** One emoji. */
  icon: string | null;
  sort_order: number;
  created_at: CreatedAt;
}

export interface TopicTable {
  id: Generated<string>;
  title: string;
  description: string | null;
  image: string | null;
  /** A wide picture on the page of the topic. */
  banner: Generated<string | null>;
  creator_id: string;
  category_id: string | null;
  /** Never changes after creation (spec: PATCH takes title, description and image only). */
  visibility: ColumnType<Visibility, Visibility, never>;
  /** Whether the staff let people into a private topic; without, the gate alone does. Ignored for other topics. */
  requires_approval: ColumnType<boolean, boolean | undefined, never>;
  proof_type: ProofType;
  required_domain: string | null;
  /** A country gate has one of the two lists; all other topics have neither. */
  allowed_countries: string[] | null;
  excluded_countries: string[] | null;
  invite_code: string;
  member_count: Counter;
  /** Live posts. */
  post_count: Counter;
  /** 2·members + 3·posts of the last 7 days + 10/log2(ageDays + 2). */
  score: ColumnType<number, number | undefined, number>;
  score_at: Date;
  last_activity_at: Date;
  open_report_count: Counter;
  /** Number and hash of the last entry of the topic's moderation log. */
  log_seq: Counter;
  log_hash: ColumnType<string, string | undefined, string>;
  /** When an operator froze it. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Days after which members prove again; null for never. */
  reprove_days: ColumnType<ReproveDays | null, ReproveDays | null | undefined, ReproveDays | null>;
  /** Seconds between two posts or comments of a member; null for none. */
  slow_mode_seconds: ColumnType<number | null, number | null | undefined, number | null>;
  /** Accepted posts and comments here after which a member may post links. */
  links_after_posts: ColumnType<number, number | undefined, number>;
  /** Plain text. */
  rules: ColumnType<string | null, string | null | undefined, string | null>;
  /** What members may say without a name. */
  anonymous: ColumnType<AnonymousMode, AnonymousMode | undefined, AnonymousMode>;
  /** A text with one of these waits for review. */
  review_words: ColumnType<string[], string[] | undefined, string[]>;
  /** Position of the last post that has one. */
  post_position: Counter;
  created_at: CreatedAt;
  updated_at: Date;
}

export interface JoinRequestTable {
  id: Generated<string>;
  topic_id: string;
  user_id: string;
  status: "pending" | "approved" | "rejected";
  created_at: CreatedAt;
  decided_at: Date | null;
  decided_by: string | null;
}

export interface PostMedia {
  images: string[];
  videos: string[];
}

export interface CommunityTables {
  categories: CategoryTable;
  topics: TopicTable;
  join_requests: JoinRequestTable;

  /** Lower-case text of a topic; a separate table so that counters and scores do not rewrite the trigram index. */
  topic_search: {
    topic_id: string;
    /** Copy of "the topic is secret", which never changes. */
    is_secret: ColumnType<boolean, boolean, never>;
    text: string;
  };

  memberships: {
    topic_id: string;
    user_id: string;
    role: ColumnType<Role, Role, Role>;
    /** 0 owner, 1 admin, 2 member. */
    role_rank: GeneratedAlways<number>;
    joined_at: CreatedAt;
    /** When the gate was last passed; null where that is the time of joining. */
    proven_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** When the membership lapses without a new proof; null for never. */
    reprove_by: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** Notified of that date: 0 not yet, 1 before it, 2 at it. */
    reprove_told: ColumnType<number, number | undefined, number>;
  };

  /** Which identity (keyed nullifier hash) joined a topic, and with which account: a second account is refused. */
  topic_identities: {
    topic_id: string;
    circuit: string;
    identity_hash: string;
    user_id: string;
    created_at: CreatedAt;
  };

  /** Identities of a deleted account that a topic's staff sanctioned, removed or rejected (profile/identities.ts). */
  remembered_identities: {
    topic_id: string;
    /** Of a sign-in, or of a proof used to join the topic. */
    identity_hash: string;
    user_id: string;
    /** When a join request was last rejected, if less than 24 hours ago. */
    rejected_at: Date | null;
  };

  invite_tokens: {
    /** SHA-256 of the token, hex; the token itself is shown once and never stored. */
    token_hash: string;
    topic_id: string;
    issued_by: string;
    created_at: CreatedAt;
    expires_at: Date;
    used_at: Date | null;
    used_by: string | null;
  };

  /** When a member was last removed from a topic; asking again is refused for 24 hours. */
  removals: {
    topic_id: string;
    user_id: string;
    removed_at: Date;
  };

  posts: {
    id: Generated<string>;
    topic_id: string;
    author_id: string;
    /** Copy of "the topic is public", which never changes: one index serves everyone's feed. */
    is_public: ColumnType<boolean, boolean, never>;
    /** Copy of the topic's category, which never changes. */
    category_id: string | null;
    title: string;
    /** Sanitized HTML. */
    content: string;
    /** Plain text of at most 280 characters. */
    summary: string;
    media: ColumnType<PostMedia, string, string>;
    upvote_count: Counter;
    view_count: Counter;
    /** Comments that are not deleted. */
    comment_count: Counter;
    record_count: Counter;
    /** sign(u)·log10(max(|u|,1)) + (created seconds − 1134028003)/45000. */
    score: number;
    is_pinned: ColumnType<boolean, boolean | undefined, boolean>;
    last_activity_at: Date;
    created_at: CreatedAt;
    updated_at: Date;
    deleted_at: Date | null;
    deleted_by: string | null;
    /** Hidden by the topic's staff. */
    hidden_at: Date | null;
    /** Whether a token for automation wrote or changed it. */
    automated: ColumnType<boolean, boolean | undefined, boolean>;
    hidden_by: string | null;
    /** Time of its latest on-chain record. */
    last_recorded_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
    /** Counts from 1 within the topic, in the order in which readers can see posts (lib/community/numbering.ts). */
    position: Position;
    /** Position of its last comment that has one. */
    comment_position: Counter;
  };

  /** Lower-case title and text of a post; a separate table so that votes do not rewrite the trigram index. */
  post_search: {
    post_id: string;
    /** Copies of the post's, which never change. */
    topic_id: ColumnType<string, string, never>;
    is_public: ColumnType<boolean, boolean, never>;
    created_at: ColumnType<Date, Date, never>;
    text: string;
  };

  /** A tag. Its spelling and first use depend on the posts a reader may see, so they are in post_tags. */
  tags: {
    id: Generated<string>;
    slug: string;
    /** Number of posts in public topics with this tag, without deleted and hidden ones. */
    public_post_count: Counter;
  };

  /** Number of posts in a topic with a tag, without deleted and hidden ones. */
  topic_tags: {
    topic_id: string;
    tag_id: string;
    /** Copy of the tag's, which never changes. */
    slug: ColumnType<string, string, never>;
    post_count: Counter;
  };

  post_tags: {
    post_id: string;
    /** Copy of the post's. */
    topic_id: ColumnType<string, string, never>;
    tag_id: string;
    position: number;
    /** As the author spelled it. */
    name: string;
    /** When the post got the tag. */
    created_at: ColumnType<Date, Date, never>;
    /** Copy of the post's. */
    is_public: ColumnType<boolean, boolean, never>;
    /** Whether the post is not hidden by staff. */
    shown: boolean;
  };

  polls: {
    id: Generated<string>;
    post_id: string;
    question: string | null;
    multiple_choice: boolean;
    closes_at: Date | null;
    created_at: CreatedAt;
    /** Number of the crowd's root that casts secret ballots; null where votes have names. */
    ballot_root: ColumnType<number | null, number | null | undefined, never>;
  };

  poll_options: {
    id: Generated<string>;
    poll_id: string;
    text: string;
    position: number;
    vote_count: Counter;
  };

  poll_votes: {
    poll_id: string;
    option_id: string;
    user_id: string;
    created_at: CreatedAt;
  };

  /** Additions to a topic's counters that are not in its row yet. */
  topic_deltas: {
    topic_id: string;
    posts: number;
    active_at: Date | null;
  };

  /** Additions to a post's counters that are not in its row yet. */
  post_deltas: {
    post_id: string;
    comments: number;
    votes: number;
    active_at: Date | null;
  };

  votes: {
    post_id: string;
    user_id: string;
    value: 1 | -1;
    /** When it was last set. */
    created_at: ColumnType<Date, Date | undefined, Date>;
  };

  comment_votes: {
    comment_id: string;
    user_id: string;
    value: 1 | -1;
    /** When it was last set. */
    created_at: ColumnType<Date, Date | undefined, Date>;
  };

  reactions: {
    post_id: string;
    user_id: string;
    emoji: string;
    created_at: CreatedAt;
  };

  /** Number of users who gave a post a reaction; 0 or no row for none. */
  reaction_counts: {
    post_id: string;
    emoji: string;
    count: number;
  };

  bookmarks: {
    post_id: string;
    user_id: string;
    created_at: CreatedAt;
  };

  comments: {
    id: Generated<string>;
    post_id: string;
    parent_id: string | null;
    author_id: string;
    /** Plain text; empty once deleted. */
    content: string;
    created_at: CreatedAt;
    updated_at: Date;
    deleted_at: Date | null;
    deleted_by: "author" | "admin" | null;
    hidden_at: Date | null;
    automated: ColumnType<boolean, boolean | undefined, boolean>;
    hidden_by: string | null;
    upvote_count: Counter;
    /** Counts from 1 under the post, as that of posts. */
    position: Position;
  };

  /** Lower-case text of a comment that is not deleted. */
  comment_search: {
    comment_id: string;
    /** Copies of its post's. */
    topic_id: ColumnType<string, string, never>;
    is_public: ColumnType<boolean, boolean, never>;
    /** Copy of the comment's. */
    created_at: ColumnType<Date, Date, never>;
    text: string;
  };
}
