import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useMay, useSession } from "../session.ts";
import { changesQuery } from "./data.ts";
import { disabledSinceOf, type DisabledSinceFact as OffSinceOf } from "./health-state.ts";
import type { AuditEntry, Webhook } from "./types.ts";

const noChanges: readonly AuditEntry[] = [];

/** When a webhook was disabled, and by whom or why. Renders nothing if it is enabled. */
export function DisabledSince({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation("webhooks");
  const since = disabledSinceOf(webhook, useChanges().data?.data ?? noChanges);
  const by = since?.by ?? "";
  if (webhook.active) {
    return null;
  }
  return (
    <Text component="div" size="xs" c="dimmed">
      {t(wordOf(webhook.disabled_reason, since))}
      {since === undefined ? null : (
        <>
          {" · "}
          <RelativeTime at={since.at} />
        </>
      )}
      {by === "" ? null : ` · ${by}`}
    </Text>
  );
}

/** Audit entries of webhooks, if the user may read them. */
export function useChanges() {
  const { enterprise } = useSession();
  const mayRead = useMay("audit.read");
  return useQuery({ ...changesQuery(enterprise.id), enabled: mayRead });
}

function wordOf(reason: string | null, since: OffSinceOf | undefined) {
  if (reason === "gone" || reason === "failing") {
    return `off.${reason}` as const;
  }
  return since?.isNever === true ? "off.never" : "off.hand";
}
