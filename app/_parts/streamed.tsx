import { type ReactNode, Suspense } from "react";
import { viewer } from "../_data/reads";
import { ListSkeleton } from "./list-skeleton";

interface StreamedProps {
  /** Shown meanwhile; by default that of a list. */
  readonly skeleton?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Sends a member the page without this part at once, and this part when it is read. Guests get the whole page: it works
 * without JavaScript and can be cached.
 */
export async function Streamed({ skeleton = <ListSkeleton />, children }: StreamedProps) {
  return (await viewer()) ? <Suspense fallback={skeleton}>{children}</Suspense> : children;
}
