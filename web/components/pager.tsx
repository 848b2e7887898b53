import { Group, Pagination, Text } from "@mantine/core";
import { useTranslation } from "../base/i18n.ts";
import { pageSize as usualSize } from "../base/paging.ts";

type PagesProps = Readonly<{
  total: number | undefined;
  /** From 1. */
  page: number;
  pageSize?: number;
  onPage: (page: number) => void;
}>;

type PagerProps = PagesProps & Readonly<{ words?: (total: number) => string; size?: "xs" | "sm" }>;

/** The total count, in `words` or as entries, and the page links. */
export function Pager({ words, size = "sm", ...pages }: PagerProps) {
  const { t } = useTranslation();
  const inWords = words ?? ((count: number) => t("table.total", { count }));
  const { total } = pages;
  return (
    <Group justify="space-between" mt="sm" gap={size} mih={32}>
      <Text size={size} c="dimmed" aria-live="polite">
        {total === undefined ? "" : inWords(total)}
      </Text>
      <Pages {...pages} />
    </Group>
  );
}

/** Page links, if there is more than one page. */
function Pages({ total = 0, page, pageSize = usualSize, onPage }: PagesProps) {
  const { t } = useTranslation();
  const pages = Math.ceil(total / pageSize);
  return pages > 1 ? (
    <Pagination
      size="sm"
      total={pages}
      value={page}
      onChange={onPage}
      getControlProps={(control) => ({ "aria-label": t(`pager.${control}`) })}
      getItemProps={(item) => ({ "aria-label": t("pager.page", { page: item }) })}
    />
  ) : null;
}
