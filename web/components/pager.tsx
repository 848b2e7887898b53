import { Group, Pagination, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "../base/i18n.ts";
import { pageSize as usualSize } from "../base/paging.ts";

type PagesProps = Readonly<{
  total: number | undefined;
  /** From 1. */
  page: number;
  pageSize?: number;
  onPage: (page: number) => void;
}>;

type PagerProps = PagesProps &
  Readonly<{
    words?: (total: number) => string;
    size?: "xs" | "sm";
    /** The page has no entries. */
    isEmpty?: boolean;
  }>;

/** The total count, in `words` or as entries, and the page links. */
export function Pager({ words, size = "sm", isEmpty = false, ...pages }: PagerProps) {
  const { t } = useTranslation();
  useLastPage(isEmpty ? pages : {});
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

/** Leaves a page beyond the end for the last one; entries may be gone since the page was opened. */
function useLastPage({ total = 0, pageSize = usualSize }: Partial<PagesProps>): void {
  const navigate = useNavigate();
  const last = Math.ceil(total / pageSize);
  useEffect(() => {
    if (last > 0) {
      const search = (known: object) => ({ ...known, page: String(last) });
      void navigate({ to: ".", search: search as never, replace: true });
    }
  }, [last, navigate]);
}
