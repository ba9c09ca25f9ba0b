import { unreadCount, watchUnread } from "./store";

const counted = /^\(\d+\+?\) /;

/** Keeps the number of unread alerts in front of the document's title, whatever page it names. @returns stop */
export function countInTitle(): () => void {
  const write = () => {
    const plain = document.title.replace(counted, "");
    const count = unreadCount() ?? 0;
    const title = count > 0 ? `(${count > 99 ? "99+" : count}) ${plain}` : plain;
    // Writing is observed too; what is right already is left alone.
    if (document.title !== title) document.title = title;
  };
  const pages = new MutationObserver(write);
  pages.observe(document.head, { subtree: true, childList: true, characterData: true });
  const unwatch = watchUnread(write);
  write();
  return () => {
    pages.disconnect();
    unwatch();
    document.title = document.title.replace(counted, "");
  };
}
