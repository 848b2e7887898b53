import type { ColumnDef } from "@tanstack/react-table";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { components } from "../../../base/api-types.ts";
import { DataTable } from "../../../components/data-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";

export type AuditEntry = components["schemas"]["AuditEntry"];

type AuditTableProps = Readonly<{
  rows: readonly AuditEntry[] | undefined;
  onOpen: (entry: AuditEntry) => void;
  openId: number | undefined;
}>;

const When = ({ row }: { row: { original: AuditEntry } }) => (
  <RelativeTime at={row.original.created} />
);

export const AuditTable = ({ rows, onOpen, openId }: AuditTableProps) => {
  const { t } = useTranslation("settings");
  const columns = useMemo<ColumnDef<AuditEntry>[]>(
    () => [
      {
        id: "when",
        header: t("audit.when"),
        enableHiding: false,
        cell: When,
      },
      {
        id: "who",
        header: t("audit.who"),
        accessorFn: ({ login }) => (login === "" ? t("audit.platform") : login),
      },
      {
        id: "what",
        header: t("audit.what"),
        accessorFn: ({ action, object, objectId }) =>
          `${t(`audit.actions.${action}`)} · ${t(`audit.objects.${object}`)} ${objectId}`,
      },
      {
        id: "fields",
        header: t("audit.fields"),
        meta: { isMinor: true },
        accessorFn: ({ changes }) => Object.keys(changes).join(", "),
      },
    ],
    [t],
  );
  return (
    <DataTable
      name="audit"
      label={t("audit.title")}
      columns={columns}
      rows={rows}
      rowId={({ id }) => String(id)}
      onOpen={onOpen}
      openId={openId === undefined ? undefined : String(openId)}
    />
  );
};
