import { z } from "zod";
import { ABILITIES } from "./abilities";
import { dateTime, person, text, userId, uuid } from "./common";
import { LIMITS } from "./limits";
import { operation } from "./operation";

/** What the staff of a topic noted about someone. Nobody else reads it, not even the person. */
const staffNote = z.object({
  id: uuid,
  note: z.string(),
  createdAt: dateTime,
  author: person,
  abilities: z.array(z.enum(ABILITIES.note)).describe("What the caller may do with it."),
});
export type StaffNote = z.infer<typeof staffNote>;

const params = z.object({ topicId: uuid, userId: userId.regex(/^[\w-]+$/) });
const shared = { tag: "members", auth: "required", access: "topic-staff" } as const;

export const listNotes = operation({
  id: "members.notes",
  method: "GET",
  path: "/api/topics/{topicId}/members/{userId}/notes",
  summary: "The staff's notes about a user, latest first",
  description: "Only the topic's staff read them. Nobody reads notes about themselves.",
  ...shared,
  nickname: false,
  limit: { points: 300, seconds: 60 },
  params,
  responses: { 200: z.object({ notes: z.array(staffNote) }) },
});

export const addNote = operation({
  id: "members.addNote",
  method: "POST",
  path: "/api/topics/{topicId}/members/{userId}/notes",
  summary: "Note something about a user, for the topic's staff",
  ...shared,
  nickname: true,
  guestsSee: false,
  limit: { points: 60, seconds: 60 },
  params,
  body: z.object({ note: text(LIMITS.moderation.note) }),
  responses: { 201: z.object({ note: staffNote }) },
  errors: ["user_not_found", "too_many_notes"],
});

export const deleteNote = operation({
  id: "members.deleteNote",
  method: "DELETE",
  path: "/api/topics/{topicId}/notes/{noteId}",
  summary: "Delete a note: one's own, or as the owner any",
  ...shared,
  nickname: true,
  guestsSee: false,
  limit: { points: 60, seconds: 60 },
  params: z.object({ topicId: uuid, noteId: uuid }),
  responses: { 200: z.object({ success: z.literal(true) }) },
  errors: ["note_not_found"],
});
