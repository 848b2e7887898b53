import { useMemo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { DataTable, type Column } from "../../../components/data-table.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { subjectOf, type AuditEntry } from "./entry-subject.ts";

type AuditTableProps = Readonly<{
  rows: readonly AuditEntry[] | undefined;
  onOpen: (entry: AuditEntry) => void;
  openId: string | undefined;
}>;

export function AuditTable({ rows, onOpen, openId }: AuditTableProps) {
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
        isWhole: true,
        cell: (entry) =>
          `${t(`audit.${subjectOf(entry)}`)} · ${t(`audit.objects.${entry.object}`)}\u00A0${entry.objectId}`,
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
}

function whenOf({ created }: AuditEntry) {
  return <RelativeTime at={created} />;
}
