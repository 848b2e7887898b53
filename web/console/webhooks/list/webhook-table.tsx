import { useMediaQuery } from "@mantine/hooks";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { liveQuery } from "../data.ts";
import { ActivateCell, BacklogCell, DayCell, HealthCell, LastCell, NameCell } from "./cells.tsx";
import { inOrder, useOrder } from "./use-order.ts";
import type { LiveWebhook, Webhook } from "../types.ts";

export function WebhookTable({ list }: { list: UseQueryResult<readonly Webhook[]> }) {
  const { t } = useTranslation("webhooks");
  const navigate = useNavigate();
  const result = useQuery(liveQuery);
  const order = useOrder(list, result);
  const columns = useColumns();
  const [{ data: webhooks }, { data: live }] = [list, result];
  const rows = useMemo(
    () =>
      webhooks === undefined || order === undefined
        ? undefined
        : inOrder(order, webhooks).map((webhook) => ({ webhook, live: live?.get(webhook.id) })),
    [webhooks, live, order],
  );
  return (
    <DataTable
      name="webhooks"
      label={t("list.title")}
      columns={columns}
      rows={rows}
      rowId={({ webhook }) => String(webhook.id)}
      onOpen={({ webhook }) =>
        void navigate({
          to: "/settings/webhooks/$webhookId",
          params: { webhookId: String(webhook.id) },
        })
      }
    />
  );
}

/** The table's own breakpoint, below which minor columns are hidden. */
const narrow = "(max-width: 48em)";

type Row = Readonly<{ webhook: Webhook; live: LiveWebhook | undefined }>;

/** Memoized: new columns would remount the switches and lose the focus. */
function useColumns(): Column<Row>[] {
  const { t } = useTranslation("webhooks");
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  return useMemo(() => {
    const health: Column<Row> = {
      id: "health",
      header: t("column.health"),
      cell: (row) => <HealthCell {...row} />,
    };
    return [
      {
        id: "active",
        header: t("column.active"),
        cell: (row) => <ActivateCell {...row} />,
      },
      {
        id: "name",
        header: t("column.name"),
        isFixed: true,
        cell: (row) => <NameCell {...row} isAll={isNarrow} />,
      },
      ...(isNarrow ? [] : [health]),
      {
        id: "day",
        header: t("column.day"),
        isMinor: true,
        cell: (row) => <DayCell webhookId={row.webhook.id} />,
      },
      {
        id: "waiting",
        header: t("column.waiting"),
        isNumber: true,
        isMinor: true,
        cell: (row) => <BacklogCell webhookId={row.webhook.id} />,
      },
      {
        id: "last",
        header: t("column.last"),
        isMinor: true,
        cell: (row) => <LastCell webhook={row.webhook} />,
      },
    ];
  }, [t, isNarrow]);
}
