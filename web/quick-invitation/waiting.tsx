import { Skeleton, Stack } from "@mantine/core";
import { useTranslation } from "../base/i18n.ts";

/** The shape of the form before it can be there: title, service, recipients, button. */
export function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack gap="md" role="status" aria-label={t("state.loading")}>
      <div>
        <Skeleton height={27} width="38%" />
        <Skeleton height={15} width="80%" mt={6} />
      </div>
      <div>
        <Skeleton height={13} width={64} my={4} />
        <Skeleton height={36} />
      </div>
      <div>
        <Skeleton height={13} width={110} my={4} />
        <Skeleton height={10} width="60%" mb={7} />
        <Skeleton height={46} />
      </div>
      <Skeleton height={42} />
    </Stack>
  );
}
