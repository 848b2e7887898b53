import { Text } from "@mantine/core";
import { IconClockPlay, IconHourglass } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { formatShort } from "../../../base/format.ts";
import { useIsPast } from "../../../components/relative-time.tsx";
import { isUnderWay, type DeliveryInFull } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { DetailSection } from "./detail-section.tsx";
import { Countdown } from "./countdown.tsx";
import { holdOf, type Hold } from "./hold.ts";

/** The next automatic step, if there is one. */
export function NextAttemptSection({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
  const hold = useHold(delivery);
  const { next_try: next, waits_for: first, waits_for_id: firstId, status } = delivery;
  if (first !== null && status === "pending") {
    return (
      <DetailSection icon={IconHourglass} meaning="waiting" title={t("next.waits")}>
        <Text size="sm">
          {t("next.waits_note", { sequence: first })}{" "}
          {firstId === null ? null : (
            <Link to="/dashboard/deliveries/$deliveryId" params={{ deliveryId: String(firstId) }}>
              {t("detail.title", { id: firstId })}
            </Link>
          )}
        </Text>
      </DetailSection>
    );
  }
  if (status === "paused") {
    return (
      <DetailSection icon={IconHourglass} title={t("next.paused")}>
        <Text size="sm">{t("next.paused_note")}</Text>
      </DetailSection>
    );
  }
  if (next === null) {
    return null;
  }
  const title = t("next.try", { number: delivery.attempt_count + 1 });
  return hold === undefined ? (
    <DetailSection
      icon={IconClockPlay}
      meaning="waiting"
      title={title}
      when={<Countdown to={next} />}
    />
  ) : (
    <DetailSection icon={IconHourglass} meaning="waiting" title={title}>
      <HoldText hold={hold} />
    </DetailSection>
  );
}

/** What the webhook's health says about the next attempt; polled, because it may recover. */
function useHold({ webhook, status, next_try: next }: DeliveryInFull): Hold | undefined {
  const isWaiting = isUnderWay(status) && next !== null;
  const isDue = useIsPast(new Date(next ?? Infinity));
  const { data } = useQuery({ ...webhooksQuery, refetchInterval: isWaiting ? 5_000 : false });
  const health = data?.data.find(({ id }) => id === webhook.id)?.health;
  return next === null || health === undefined ? undefined : holdOf(health, next, isDue);
}

function HoldText({ hold: { verdict, until } }: { hold: Hold }) {
  const { t } = useTranslation("deliveries");
  const isPast = useIsPast(until);
  return (
    <Text size="sm">
      {verdict === "circuit_open" && isPast
        ? t("next.probing")
        : t(`verdict.${verdict}`, { until: shortTime(until) })}
    </Text>
  );
}

function shortTime(at: Date): string {
  return formatShort(at, new Date());
}
