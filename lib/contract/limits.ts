/**
 * The limits that both the API and the interface state. This file imports nothing, so a component that needs a number
 * does not load the schemas. Text limits count characters, file limits bytes.
 */
export const LIMITS = {
  nickname: { min: 2, max: 20 },
  topic: {
    ...{ title: 100, description: 2000, domain: 64, countries: 10, rules: 2000 },
    /** Days before a membership lapses in which its member may prove again. */
    reproveNoticeDays: 7,
    slowModeSeconds: 86_400,
    linksAfterPosts: 100,
    ...{ reviewWords: 100, reviewWord: 50 },
  },
  /** `html` limits the stored content, after its images moved to storage. */
  post: { title: 200, html: 50_000, tags: 5, tag: 50, images: 10, videos: 3 },
  poll: { question: 300, option: 80, minOptions: 2, maxOptions: 10 },
  comment: 10_000,
  chatMessage: 1000,
  search: 200,
  /** Users that one user can block. */
  blocks: 1000,
  /** Users that one user can follow. */
  follows: 300,
  /** Drafts that a user keeps for other devices. */
  drafts: 50,
  /** Posts of a user that wait for their time, and days for which they may. */
  scheduled: { most: 20, days: 90 },
  /** Posts and comments of a member of a crowd per UTC day, and the longest ban of one. */
  /** Bytes of a picture are those that are sent. */
  anonymous: { perDay: 10, banWeeks: 52, bans: 32, picturesPerDay: 20, pictureBytes: 2_000_000 },
  /** Active tokens of a user, days for which one may last, and millionths of a USD that one may spend. */
  automation: { tokens: 3, name: 50, days: 90, scopes: 50, topics: 20, spendCap: 1_000_000_000 },
  /** Apps of a user, and the addresses of each. */
  apps: { most: 10, name: 50, redirectUris: 5, redirectUri: 300 },
  /** Webhooks of a topic, characters of an address, and events of a delivery. */
  webhooks: { most: 5, url: 500, batch: 100 },
  moderation: {
    reason: 500,
    reportDetails: 1000,
    /** How long a report keeps its copy of what was reported after the decision. */
    snapshotDays: 90,
    /** Cases that one decision of the staff's queue can name. */
    cases: 50,
    /** Of one note about a member, and of all those about one. */
    note: 1000,
    notes: 50,
  },
  /** A count of unread items goes to `most`; over that many topics, and threads that were read last, for `threadDays`. */
  unread: { most: 100, topics: 500, threads: 500, threadDays: 180 },
  /**
   * `stored` limits all uploads of a member together. `pixels` limits memory: a decoded image takes four bytes per
   * pixel in every reader's browser.
   */
  upload: { bytes: 10_000_000, pixels: 50_000_000, stored: 500_000_000 },
  /** Records per person and UTC day, and the age a post must have before it can be recorded. */
  record: { perDay: 3, minAgeMinutes: 60 },
  /**
   * What an account may put into one text, and how many topics it may create a UTC day, until it is `hours` old and has
   * `accepted` posts and comments that staff neither hid nor deleted.
   */
  newAccount: { hours: 24, accepted: 3, links: 2, images: 4, mentions: 5, topicsPerDay: 3 },
  /** When accounts of consumer mail providers are no longer new, where an installation limits them. */
  consumerAccount: { hours: 7 * 24, accepted: 10 },
  /** For how many days things count or are kept. */
  days: {
    /** A session since its last renewal, and since its proof. */
    ...{ sessionUnused: 7, session: 30 },
    /** An accepted proof. */
    verification: 30,
    notification: 90,
    /** What webhooks tell, until it can no longer be sent again. */
    topicEvent: 7,
    /** A draft since it was saved. */
    draft: 90,
    /** A file that nothing shows. */
    unusedUpload: 7,
    /** A nickname that its holder gave up, until others may take it. */
    freedNickname: 30,
  },
} as const;

/** The largest upload in megabytes, as messages state it. */
export const UPLOAD_MEGABYTES = LIMITS.upload.bytes / 1_000_000;

export const uploadTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type UploadType = (typeof uploadTypes)[number];

/** Errors of an image that the API takes in. */
export const imageErrors = ["upload_type", "upload_too_large", "upload_damaged", "upload_blocked"] as const;

const { min, max } = LIMITS.nickname;
/** The form of a nickname. */
export const NICKNAME = new RegExp(`^[a-zA-Z0-9_]{${min},${max}}$`);

/** A web address in a plain text. */
export const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;

/** Starts a mention: an @ that is not inside a word, a URL or a path. */
const mentionStart = String.raw`(?<![\p{L}\p{N}_/@])@`;
/** `@nickname` in a text; its group is the nickname. */
export const MENTION = new RegExp(
  String.raw`${mentionStart}([A-Za-z0-9_]{${min},${max}})(?![\p{L}\p{N}_@])`,
  "gu",
);
/** A mention that is being typed, at the end of a text; its group is the nickname so far. */
export const TYPED_MENTION = new RegExp(`${mentionStart}([A-Za-z0-9_]{0,${max}})$`, "u");
