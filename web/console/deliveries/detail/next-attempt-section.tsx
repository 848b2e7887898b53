import { Text } from "@mantine/core";
import { IconClockPlay, IconHourglass } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import type { DeliveryInFull } from "../model.ts";
import { DetailSection } from "./detail-section.tsx";
import { Countdown } from "./countdown.tsx";

/** The next automatic step, if there is one. */
export function NextAttemptSection({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
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
  return next === null ? null : (
    <DetailSection
      icon={IconClockPlay}
      meaning="waiting"
      title={t("next.try", { number: delivery.attempt_count + 1 })}
      when={<Countdown to={next} />}
    />
  );
}
