import { cache } from "react";
import * as community from "@/lib/community";
import { contract } from "@/lib/contract";
import { pageContext } from "@/lib/http/page";

/** The visitor's latest alerts; null for a guest. */
export const alerts = cache(async () => {
  const ctx = await pageContext();
  const { caller } = ctx;
  if (!caller) return null;
  return community.listNotifications({ ...ctx, caller }, contract.notifications.list.query.parse({}));
});

/** How many alerts of the visitor are unread; 0 for a guest. */
export const unreadAlerts = cache(async () => {
  const { caller, db } = await pageContext();
  return caller ? community.unreadCountOf(db, caller.userId) : 0;
});
