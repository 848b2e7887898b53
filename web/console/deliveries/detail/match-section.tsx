import { Code, Text } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { useWebhookLabel } from "../use-labels.ts";
import { matchingFilters } from "../match.ts";
import type { DeliveryInFull } from "../model.ts";
import { webhooksQuery } from "../queries.ts";
import { DetailSection } from "./detail-section.tsx";

/**
 * Why this webhook matched. The filters of that time are not stored, so a later change is pointed
 * out.
 */
export function MatchSection({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
  const { data } = useQuery(webhooksQuery);
  const { webhook } = delivery;
  const today = data?.data.find(({ id }) => id === webhook.id);
  const label = useWebhookLabel();
  const title = t("match.title", { webhook: label(webhook) });
  if (today === undefined) {
    return (
      <DetailSection icon={IconFilter} title={title}>
        <Text size="sm" c="dimmed">
          {webhook.deleted ? t("match.deleted") : "\u00a0"}
        </Text>
      </DetailSection>
    );
  }
  const filters = matchingFilters(today.filters, delivery);
  const conditions = today.conditions === null ? undefined : JSON.stringify(today.conditions);
  const isChanged = new Date(today.modified) > new Date(delivery.created);
  return (
    <DetailSection icon={IconFilter} title={title}>
      <Text size="sm">
        {filters.length === 0
          ? t("match.none_today")
          : t("match.filter", { count: filters.length })}{" "}
        {filters.map((filter) => (
          <Code key={filter} mr={4}>
            {filter}
          </Code>
        ))}
      </Text>
      {conditions === undefined ? null : (
        <Text size="sm">
          {t("match.conditions")} <Code>{conditions}</Code>
        </Text>
      )}
      {isChanged ? (
        <Text size="xs" c="dimmed">
          {t("match.changed")}
        </Text>
      ) : null}
      <Text size="sm" mt={4}>
        <Link to="/settings/webhooks/$webhookId" params={{ webhookId: String(webhook.id) }}>
          {t("match.to_webhook")}
        </Link>
      </Text>
    </DetailSection>
  );
}
