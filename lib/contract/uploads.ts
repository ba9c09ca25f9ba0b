import { z } from "zod";
import { rawText } from "./common";
import { imageErrors, LIMITS, uploadTypes } from "./limits";
import { operation } from "./operation";

/** Lifetime of an upload URL in seconds. */
export const uploadSeconds = 600;
const uploadPurposes = ["post", "topic", "avatar"] as const;
export type UploadPurpose = (typeof uploadPurposes)[number];

const write = { tag: "uploads", auth: "required", nickname: true, access: "signed-in" } as const;
const read = { tag: "uploads", auth: "optional", nickname: false, access: "anyone" } as const;

export const createUpload = operation({
  id: "uploads.create",
  method: "POST",
  path: "/api/upload",
  summary: "An address to PUT an image to; or, as multipart/form-data with `file`, the upload itself",
  description:
    "JSON answers uploadUrl (signed, 10 minutes) and publicUrl. multipart/form-data takes `file` and `purpose`, and answers publicUrl. 10 MB; PNG, JPEG, GIF or WebP by their first bytes.",
  ...write,
  limit: { points: 60, seconds: 600 },
  maxBytes: LIMITS.upload.bytes + 10_000,
  multipart: z.object({ file: z.file(), purpose: z.enum(uploadPurposes).default("post") }),
  body: z.object({
    filename: rawText(255),
    contentType: z.enum(uploadTypes),
    size: z.int().min(1).describe("Size of the file in bytes."),
    purpose: z.enum(uploadPurposes).default("post"),
  }),
  guestsSee: false,
  responses: {
    201: z.object({
      uploadUrl: z
        .string()
        .optional()
        .describe("Where to PUT the bytes; absent when the request carried them."),
      publicUrl: z.string(),
      expiresIn: z.int().optional().describe("Seconds."),
    }),
  },
  errors: imageErrors,
});

export const deleteUploads = operation({
  id: "uploads.delete",
  method: "DELETE",
  path: "/api/upload",
  summary: "Delete images the caller uploaded; addresses of anything else are skipped or refused",
  description: "With `unusedOnly`, those that a post of the caller's shows stay, and are counted as skipped.",
  ...write,
  limit: { points: 60, seconds: 60 },
  body: z.object({
    urls: z.array(z.string().max(2_000_000)).max(100),
    unusedOnly: z.boolean().default(false).describe("Whether images that a post of the caller shows stay."),
  }),
  responses: {
    200: z.object({
      attempted: z.int(),
      deleted: z.int().describe("Files that were deleted."),
      skipped: z.int(),
    }),
  },
  errors: ["not_your_upload", "post_recorded"],
});

export const listRemoved = operation({
  id: "uploads.removed",
  method: "GET",
  path: "/api/upload/removed",
  summary: "Addresses of uploads that ended in the last days, for browsers that keep pictures",
  description:
    "SHA-256 in hex of each path (`/uploads/…`): of images that operators took down, and of those that left the id of a deleted account.",
  tag: "uploads",
  auth: "none",
  nickname: false,
  access: "anyone",
  limit: { points: 120, seconds: 60 },
  responses: { 200: z.object({ addresses: z.array(z.string()) }) },
});

export const preview = operation({
  id: "previews.get",
  method: "GET",
  path: "/api/og",
  summary: "What a page says of itself: title, description, image; cached for an hour",
  ...read,
  limit: { points: 60, seconds: 60 },
  query: z.object({ url: z.string().min(1).max(2000) }),
  responses: {
    200: z.object({
      title: z.string(),
      description: z.string(),
      image: z.string(),
      siteName: z.string(),
      favicon: z.string(),
      url: z.string(),
    }),
  },
  errors: ["address_not_allowed", "upstream_failed"],
});

export const previewImage = operation({
  id: "previews.image",
  method: "GET",
  path: "/api/og/image",
  summary: "An image from elsewhere, through us: the reader's address stays here",
  ...read,
  // Every external image of a post is fetched through this.
  limit: { points: 300, seconds: 60 },
  query: z.object({ src: z.string().min(1).max(2000) }),
  binary: "image/*",
  responses: {},
  errors: ["address_not_allowed", "not_an_image", "upstream_failed"],
});
