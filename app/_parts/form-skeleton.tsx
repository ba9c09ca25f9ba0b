import { useWords } from "#words";
import { Page } from "@/components/shell/page";
import { Skeleton } from "@/components/ui/notes";

/** Shape of a page that asks for something, while the server looks up who is asking. */
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
