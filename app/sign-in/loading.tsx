import { useWords } from "#words";
import { FormSkeleton } from "../_parts/form-skeleton";

export default function Loading() {
  const { t } = useWords();
  return <FormSkeleton title={t("signIn.title")} back="/" beside />;
}
