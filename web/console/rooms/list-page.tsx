import { IconVideo } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { formatNumber } from "../../base/format.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { PagedTable } from "../../components/paged-table.tsx";
import { useSearchValues } from "../use-search.ts";
import { useColumns } from "./columns.tsx";
import { pageSize, roomsQuery } from "./queries.ts";

// Loaded together: both are small, and need the same files.
export { WatchPage } from "./watch/watch-page.tsx";

/** The rooms in which a session is running now. */
export function LiveRoomsPage() {
  const { t } = useTranslation("rooms");
  const [{ page }, set] = useSearchValues<Readonly<{ page?: string }>>();
  const result = useQuery(roomsQuery(page));
  const columns = useColumns();
  return (
    <>
      <PageHeader title={t("list.title")} note={t("list.note")} />
      <PagedTable
        name="rooms"
        label={t("list.title")}
        columns={columns}
        query={result}
        nothing={<EmptyState icon={IconVideo} title={t("list.none")} text={t("list.none_text")} />}
        words={(count) => t("list.total", { count, shown: formatNumber(count) })}
        page={page}
        pageSize={pageSize}
        onPage={(chosen) => set({ page: chosen })}
      />
    </>
  );
}
