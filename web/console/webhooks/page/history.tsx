import { Anchor, Skeleton, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { colon } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useMay } from "../../session.ts";
import { useChanges } from "../disabled-since.tsx";
import { Section } from "../section.tsx";
import type { AuditEntry } from "../types.ts";

/** The webhook's audit log, if the user may read it. */
export function History({ webhookId }: { webhookId: number }) {
  const { t } = useTranslation("webhooks");
  const mayRead = useMay("audit.read");
  const { data, error, refetch } = useChanges();
  if (!mayRead) {
    return null;
  }
  if (data === undefined) {
    return (
      <Section title={t("history.title")}>
        {error === null ? (
          <Skeleton height={120} />
        ) : (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        )}
      </Section>
    );
  }
  const entries = data.data.filter(({ objectId }) => objectId === String(webhookId));
  const isTruncated = data.total > data.data.length;
  return (
    <Section title={t("history.title")} note={isTruncated ? t("history.truncated") : undefined}>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t("history.none")}
        </Text>
      ) : (
        <Entries entries={entries} />
      )}
    </Section>
  );
}

const few = 6;

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation("webhooks");
  const [isAll, setAll] = useState(false);
  const shown = isAll ? entries : entries.slice(0, few);
  const hidden = entries.length - shown.length;
  return (
    <>
      <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: "none" }}>
        {shown.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Stack>
      {hidden === 0 ? null : (
        <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setAll(true)}>
          {t("history.more", { count: hidden })}
        </Anchor>
      )}
    </>
  );
}

function Entry({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation("webhooks");
  const sentence = useSentence()(entry);
  return (
    <li>
      <Text size="sm" lineClamp={2} title={sentence} style={{ overflowWrap: "anywhere" }}>
        {sentence}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <RelativeTime at={entry.created} /> ·{" "}
        {entry.userId === null ? t("history.platform") : entry.login}
      </Text>
    </li>
  );
}

/** What an entry changed; enabling and disabling have their own sentence. */
function useSentence() {
  const { t } = useTranslation("webhooks");
  const fieldName = useFieldName();
  return ({ action, changes }: AuditEntry): string => {
    if (action !== "update") {
      return t(
        `history.${action === "create" || action === "rotate" || action === "test" ? action : "other"}`,
      );
    }
    const { active, ...others } = changes;
    const parts = [
      ...(active === undefined ? [] : [t(active.to === true ? "history.on" : "history.off")]),
      ...Object.entries(others).map(([field, { from, to }]) =>
        from === undefined
          ? `${fieldName(field)}${colon()} ${valueText(to)}`
          : `${fieldName(field)}${colon()} ${valueText(from)} → ${valueText(to)}`,
      ),
    ];
    return parts.join("; ");
  };
}

function useFieldName() {
  const { find } = useTranslation("webhooks");
  return (field: string): string => find(`field.${field}`) ?? field;
}

function valueText(value: unknown): string {
  return value === null || value === undefined
    ? "–"
    : typeof value === "string"
      ? value
      : JSON.stringify(value);
}
