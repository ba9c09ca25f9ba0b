import type { Notification } from "@/lib/contract";

/** The number of unread notifications and new arrivals, for the bell, the title and the list. live.ts fills it later. */

let unread: number | null = null;
const watchers = new Set<() => void>();
const arrivals = new Set<(notification: Notification) => void>();

/** Returns the count that this page last received; null before the first. */
export function unreadCount(): number | null {
  return unread;
}

/** @param count null after signing out */
export function setUnread(count: number | null): void {
  unread = count;
  for (const watcher of watchers) watcher();
}

export function watchUnread(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Calls the listener for every new notification. */
export function onNotification(listener: (notification: Notification) => void): () => void {
  arrivals.add(listener);
  return () => arrivals.delete(listener);
}

export function publish(notification: Notification): void {
  for (const listener of arrivals) listener(notification);
}
