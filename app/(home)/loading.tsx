import * as en from "@/lib/i18n/en";
import { ListSkeleton } from "../_parts/list-skeleton";

export default function Loading() {
  return <ListSkeleton title={en.feed.title} />;
}
