import { type ReactNode, Suspense } from "react";
import { useWords } from "#words";
import { Skeleton } from "@/components/ui/notes";
import { viewer } from "../_data/reads";

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

function ListSkeleton() {
  const { t } = useWords();
  return (
    <div className="grid gap-8 pt-5">
      <p className="sr-only" role="status">
        {t("common.loading")}
      </p>
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="grid gap-2">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-6 w-4/5" />
          <Skeleton className="h-10 w-full" />
        </div>
      ))}
    </div>
  );
}
