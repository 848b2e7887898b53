import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import type { components } from "../../../base/api-types.ts";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";

export type AuditEntry = components["schemas"]["AuditEntry"];

type AuditTableProps = Readonly<{
  rows: readonly AuditEntry[] | undefined;
  onOpen: (entry: AuditEntry) => void;
  openId: string | undefined;
}>;

const whenOf = ({ created }: AuditEntry) => <RelativeTime at={created} />;

export const AuditTable = ({ rows, onOpen, openId }: AuditTableProps) => {
  const { t } = useTranslation("settings");
  const columns = useMemo<Column<AuditEntry>[]>(
    () => [
      {
        id: "when",
        header: t("audit.when"),
        isFixed: true,
        cell: whenOf,
      },
      {
        id: "who",
        header: t("audit.who"),
        cell: ({ login }) => (login === "" ? t("audit.platform") : login),
      },
      {
        id: "what",
        header: t("audit.what"),
        cell: ({ action, object, objectId }) =>
          `${t(`audit.actions.${action}`)} · ${t(`audit.objects.${object}`)} ${objectId}`,
      },
      {
        id: "fields",
        header: t("audit.fields"),
        isMinor: true,
        cell: ({ changes }) => Object.keys(changes).join(", "),
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
      openId={openId}
    />
  );
};
