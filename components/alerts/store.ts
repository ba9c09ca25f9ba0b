import type { Notification } from "@/lib/contract";

/**
 * How many alerts are unread, and those that arrive: one small place per page that the bell, the title and the list
 * read. What fills it is loaded later (live.ts).
 */

let unread: number | null = null;
const watchers = new Set<() => void>();
const arrivals = new Set<(notification: Notification) => void>();

/** The count as last heard in this page, or null while only the server's is known. */
export function unreadCount(): number | null {
  return unread;
}

/** @param count null: what is known is of no use any more, as after signing out */
export function setUnread(count: number | null): void {
  unread = count;
  for (const watcher of watchers) watcher();
}

export function watchUnread(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Tells of every alert that arrives while the page is open. */
export function onAlert(listener: (notification: Notification) => void): () => void {
  arrivals.add(listener);
  return () => arrivals.delete(listener);
}

export function arrive(notification: Notification): void {
  for (const listener of arrivals) listener(notification);
}
