/**
 * The limits that both the API and the interface state. This file imports nothing, so a component that needs a number does
 * not load the schemas. Texts count characters, files bytes.
 */
export const LIMITS = {
  nickname: { min: 2, max: 20 },
  topic: { title: 100, description: 2000, domain: 64, countries: 10 },
  /** `html` is the content as it is stored, after its images moved to storage. */
  post: { title: 200, html: 50_000, tags: 5, tag: 50, images: 10, videos: 3 },
  poll: { question: 300, option: 80, minOptions: 2, maxOptions: 10 },
  comment: 10_000,
  chatMessage: 1000,
  search: 200,
  moderation: { reason: 500, reportDetails: 1000 },
  /**
   * `stored` is all uploads of a member together. A decoded image takes four bytes a pixel in every reader's browser,
   * which `pixels` bounds.
   */
  upload: { bytes: 10_000_000, pixels: 50_000_000, stored: 500_000_000 },
  /** Records of a person on one UTC day, and the age of a post before it can be recorded. */
  record: { perDay: 3, minAgeMinutes: 60 },
} as const;

/** The largest upload in megabytes, as sentences state it. */
export const UPLOAD_MEGABYTES = LIMITS.upload.bytes / 1_000_000;

/** The content types of an upload. */
export const uploadTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;
export type UploadType = (typeof uploadTypes)[number];

/** The form of a nickname. */
export const NICKNAME = new RegExp(`^[a-zA-Z0-9_]{${LIMITS.nickname.min},${LIMITS.nickname.max}}$`);
