import { Button, Group, Text } from "@mantine/core";
import { useTranslation } from "../base/i18n.ts";

type MoreButtonProps = Readonly<{ hasMore: boolean; isLoading: boolean; onMore: () => void }>;

/** Loads the next page of a list. */
export function MoreButton({ hasMore, isLoading, onMore }: MoreButtonProps) {
  const { t } = useTranslation();
  return (
    <Group justify="center" mt="sm">
      {hasMore ? (
        <Button variant="default" size="xs" loading={isLoading} onClick={onMore}>
          {t("table.more")}
        </Button>
      ) : (
        <Text size="xs" c="dimmed">
          {t("table.end")}
        </Text>
      )}
    </Group>
  );
}
