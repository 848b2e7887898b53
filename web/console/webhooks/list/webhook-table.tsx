import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { DataTable } from "../../../components/data-table.tsx";
import { liveQuery } from "../data.ts";
import { byTrouble } from "../health-words.ts";
import { ActivateCell, BacklogCell, DayCell, HealthCell, LastCell, NameCell } from "./cells.tsx";
import type { LiveWebhook, Webhook } from "../types.ts";

/** As in the table itself: below it, minor columns are left out. */
const narrow = "(max-width: 48em)";

const nothingYet: ReadonlyMap<number, LiveWebhook> = new Map();

type Row = Readonly<{ webhook: Webhook; live: LiveWebhook | undefined }>;

/** They stay the same while numbers change: a new one would take the focus off its switch. */
const useColumns = (): ColumnDef<Row>[] => {
  const { t } = useTranslation("webhooks");
  const isNarrow = useMediaQuery(narrow, undefined, { getInitialValueInEffect: false });
  return useMemo(() => {
    const health: ColumnDef<Row> = {
      id: "health",
      header: t("column.health"),
      cell: ({ row }) => <HealthCell {...row.original} />,
    };
    return [
      {
        id: "active",
        header: t("column.active"),
        cell: ({ row }) => <ActivateCell {...row.original} />,
      },
      {
        id: "name",
        header: t("column.name"),
        enableHiding: false,
        cell: ({ row }) => <NameCell {...row.original} isAll={isNarrow} />,
      },
      ...(isNarrow ? [] : [health]),
      {
        id: "day",
        header: t("column.day"),
        meta: { isMinor: true },
        cell: ({ row }) => <DayCell webhookId={row.original.webhook.id} />,
      },
      {
        id: "waiting",
        header: t("column.waiting"),
        meta: { isNumber: true, isMinor: true },
        cell: ({ row }) => <BacklogCell webhookId={row.original.webhook.id} />,
      },
      {
        id: "last",
        header: t("column.last"),
        meta: { isMinor: true },
        cell: ({ row }) => <LastCell webhook={row.original.webhook} />,
      },
    ];
  }, [t, isNarrow]);
};

export const WebhookTable = ({ webhooks }: { webhooks: readonly Webhook[] | undefined }) => {
  const { t } = useTranslation("webhooks");
  const navigate = useNavigate();
  const { data: live = nothingYet } = useQuery(liveQuery);
  const columns = useColumns();
  const rows = useMemo(
    () =>
      webhooks === undefined
        ? undefined
        : byTrouble(webhooks, live).map((webhook) => ({ webhook, live: live.get(webhook.id) })),
    [webhooks, live],
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
};
