import { useWords } from "#words";
import { Skeleton } from "@/components/ui/notes";

/** The placeholder of a list. */
export function ListSkeleton() {
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
