import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/notes";

interface FormSkeletonProps {
  readonly title: string;
  readonly back: string;
  /** Whether the page has a right column. */
  readonly beside?: boolean;
}

/** Placeholder of a page with a form, while the server loads it. */
export function FormSkeleton({ title, back, beside }: FormSkeletonProps) {
  const { t } = useWords();
  return (
    <Page title={title} back={back} aside={beside ? <Skeleton className="h-40 w-full" /> : null}>
      <p className="sr-only" role="status">
        {t("common.loading")}
      </p>
      <Skeleton className="h-5 w-full" />
      <Skeleton className="h-5 w-4/5" />
      <Skeleton className="h-24 w-full" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-10 w-40" />
    </Page>
  );
}
