import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/notes";

/** Placeholder of a page with a form, while the server loads it. */
export function FormSkeleton({ title, back }: { readonly title: string; readonly back: string }) {
  const { t } = useWords();
  return (
    <Page title={title} back={back}>
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
