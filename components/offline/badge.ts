import { unreadCount, watchUnread } from "@/components/alerts/store";

/** Keeps the number of unread alerts on the icon of the installed app, where there is such a thing. @returns stop */
export function countOnIcon(): () => void {
  if (!("setAppBadge" in navigator)) return () => {};
  const write = () => {
    const count = unreadCount();
    // Not known is not none: the number stays until it is.
    if (count === null) return;
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  write();
  return watchUnread(write);
}
