import { Group, Pagination, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";

export const pageSize = 50;

/** The page that an address names, from 1. */
export const pageOf = (page: string | undefined): number =>
  Math.max(1, Math.trunc(Number(page ?? "1")) || 1);

type PagerProps = Readonly<{
  total: number | undefined;
  page: number;
  onPage: (page: number) => void;
}>;

/** How many there are, and the pages where there is more than one. */
export const Pager = ({ total, page, onPage }: PagerProps) => {
  const { t } = useTranslation(["settings", "base"]);
  const pages = Math.ceil((total ?? 0) / pageSize);
  return (
    <Group justify="space-between" mt="sm" mih={32}>
      <Text size="sm" c="dimmed" aria-live="polite">
        {total === undefined ? "" : t("base:table.total", { count: total })}
      </Text>
      {pages > 1 ? (
        <Pagination
          size="sm"
          total={pages}
          value={page}
          onChange={onPage}
          getControlProps={(control) => ({ "aria-label": t(`pager.${control}`) })}
          getItemProps={(item) => ({ "aria-label": t("pager.page", { page: item }) })}
        />
      ) : null}
    </Group>
  );
};
