import { ThingSkeleton } from "../../_parts/list-skeleton";

export default function Loading() {
  return <ThingSkeleton back="/" />;
}
