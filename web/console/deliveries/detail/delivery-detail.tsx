import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { meaningOf } from "../state-meaning.ts";
import type { DeliveryInFull } from "../model.ts";
import { deliveryQuery } from "../queries.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { useWords } from "../labels.ts";
import { AttemptsSection } from "./attempts.tsx";
import { EventSection } from "./event-section.tsx";
import { MatchSection } from "./match-section.tsx";
import { NextAttemptSection } from "./next-attempt-section.tsx";
import { ReplayButton } from "./replay-button.tsx";
import { RetryButton } from "./retry-button.tsx";
import classes from "./detail.module.css";

type DeliveryDetailProps = Readonly<{
  deliveryId: number;
  /** Called with the new delivery after a replay. */
  onReplayed: (deliveryId: number) => void;
}>;

/** The history of a delivery: event, attempts, last response and next attempt. */
export function DeliveryDetail({ deliveryId, onReplayed }: DeliveryDetailProps) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(deliveryId));
  if (delivery === undefined) {
    return error === null ? <Waiting /> : <ErrorBox error={error} onRetry={() => void refetch()} />;
  }
  return (
    <article>
      <Summary delivery={delivery} onReplayed={onReplayed} />
      <ol className={classes["sections"]}>
        <EventSection delivery={delivery} />
        <MatchSection delivery={delivery} />
        <AttemptsSection delivery={delivery} />
        <NextAttemptSection delivery={delivery} />
      </ol>
    </article>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack role="status" aria-label={t("state.loading")} gap="lg">
      <Skeleton height={22} width={260} />
      <Skeleton height={150} />
      <Skeleton height={44} />
      <Skeleton height={260} />
    </Stack>
  );
}

function Summary({
  delivery,
  onReplayed,
}: { delivery: DeliveryInFull } & Omit<DeliveryDetailProps, "deliveryId">) {
  const { state } = useWords();
  const text = useSummary(delivery);
  return (
    <Group justify="space-between" align="flex-start" gap="sm" mb="md">
      <div className={classes["summary"]}>
        <StateBadge meaning={meaningOf(delivery.status)}>{state(delivery.status)}</StateBadge>
        <Text size="sm" mt={6} role="status">
          {text}
        </Text>
      </div>
      <RetryButton delivery={delivery} />
      <ReplayButton delivery={delivery} onReplayed={onReplayed} />
    </Group>
  );
}

/** The outcome in one sentence. */
function useSummary(delivery: DeliveryInFull): string {
  const { t } = useTranslation("deliveries");
  const { endReason } = useWords();
  const label = useWebhookLabel();
  const { status, attempt_count: count, webhook, created, ended, waits_for: first } = delivery;
  if (first !== null && status === "pending") {
    return t("summary.waits", { sequence: first });
  }
  const took = ended === null ? 0 : new Date(ended).getTime() - new Date(created).getTime();
  const reason = delivery.end_reason === null ? "" : endReason(delivery.end_reason);
  return t(`summary.${status}`, {
    count,
    webhook: label(webhook),
    time: formatDuration(Math.max(took, 1_000)),
    reason,
  });
}
