import { Stack, Table, Text } from "@mantine/core";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { SidePanel } from "../../../components/side-panel.tsx";
import { subjectOf, type AuditEntry } from "./entry-subject.ts";

type AuditPanelProps = Readonly<{
  entry: AuditEntry | undefined;
  /** The entry in the URL is not in the list. */
  isMissing: boolean;
  onClose: () => void;
}>;

/** One change, field by field. */
export function AuditPanel({ entry, isMissing, onClose }: AuditPanelProps) {
  const { t } = useTranslation("settings");
  return (
    <SidePanel isOpen={entry !== undefined || isMissing} onClose={onClose} title={useTitle(entry)}>
      {entry === undefined ? (
        <Text size="sm">{isMissing ? t("audit.missing") : null}</Text>
      ) : (
        <Stack>
          <Text size="sm">
            {entry.login === "" ? t("audit.platform") : entry.login} ·{" "}
            <RelativeTime at={entry.created} />
          </Text>
          {Object.keys(entry.changes).length === 0 ? (
            <Text size="sm" c="dimmed">
              {t("audit.no_fields")}
            </Text>
          ) : (
            <Changes changes={entry.changes} />
          )}
          {entry.requestId === null ? null : (
            <Text size="xs" c="dimmed" component="div">
              {t("audit.request")} <CopyText value={entry.requestId} name={t("audit.request")} />
            </Text>
          )}
        </Stack>
      )}
    </SidePanel>
  );
}

function useTitle(entry: AuditEntry | undefined): string {
  const { t } = useTranslation("settings");
  return entry === undefined
    ? t("audit.title")
    : `${t(`audit.${subjectOf(entry)}`)} · ${t(`audit.objects.${entry.object}`)} ${entry.objectId}`;
}

function Changes({ changes }: Pick<AuditEntry, "changes">) {
  const { t } = useTranslation("settings");
  return (
    <Table withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("audit.field")}</Table.Th>
          <Table.Th>{t("audit.from")}</Table.Th>
          <Table.Th>{t("audit.to")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {Object.entries(changes).map(([field, { from, to }]) => (
          <Table.Tr key={field}>
            <Table.Td className="mono">{field}</Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{textOf(from)}</Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{textOf(to)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") {
    return "–";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}
