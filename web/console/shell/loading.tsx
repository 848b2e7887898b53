import { Skeleton, Stack } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";

/** Skeleton of a page, of about its final size. */
export function Loading() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t("state.loading")}>
      <Skeleton height={28} width={220} />
      <Skeleton height={120} />
      <Skeleton height={240} />
    </Stack>
  );
}
