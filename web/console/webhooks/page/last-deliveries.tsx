import { Anchor, Skeleton, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import type { components } from "../../../base/api-types.ts";
import { formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import { lastDeliveriesQuery } from "../data.ts";
import { Section } from "../section.tsx";

type Delivery = components["schemas"]["WebhookDeliveryList"]["data"][number];

const meaningOf: Readonly<Record<Delivery["status"], Meaning>> = {
  pending: "waiting",
  queued: "waiting",
  sending: "waiting",
  delivered: "good",
  retry: "warn",
  dead: "bad",
  paused: "neutral",
  cancelled: "neutral",
  available: "good",
};

const Row = ({ delivery }: { delivery: Delivery }) => {
  const { t } = useTranslation("webhooks");
  const result = delivery.last_code ?? delivery.last_error;
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge meaning={meaningOf[delivery.status]}>
          {t(`delivery.${delivery.status}`)}
        </StateBadge>
      </Table.Td>
      <Table.Td>
        <span className="mono">
          {delivery.object}
          {delivery.event === null ? "" : `.${delivery.event}`} {delivery.object_id}
        </span>
      </Table.Td>
      <Table.Td>
        {result === null ? "" : <span className="mono">{result}</span>}
        {delivery.attempt_count > 1 ? (
          <Text size="xs" c="dimmed" component="span">
            {" "}
            {t("delivery.attempts", {
              count: delivery.attempt_count,
              formatted: formatNumber(delivery.attempt_count),
            })}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={delivery.created} />
      </Table.Td>
    </Table.Tr>
  );
};

const Rows = ({ deliveries }: { deliveries: readonly Delivery[] }) => {
  const { t } = useTranslation("webhooks");
  return deliveries.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("delivery.none")}
    </Text>
  ) : (
    <Table.ScrollContainer
      minWidth={460}
      // Where it is scrolled sideways, the arrow keys do it, too.
      scrollAreaProps={{
        viewportProps: { tabIndex: 0, role: "region", "aria-label": t("page.last") },
      }}
    >
      <Table verticalSpacing={5} aria-label={t("page.last")}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("delivery.state")}</Table.Th>
            <Table.Th>{t("preview.event")}</Table.Th>
            <Table.Th>{t("delivery.result")}</Table.Th>
            <Table.Th>{t("preview.when")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Row key={delivery.id} delivery={delivery} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
};

/** The newest deliveries; all of them are in the log. */
export const LastDeliveries = ({ webhookId }: { webhookId: number }) => {
  const { t } = useTranslation("webhooks");
  const { data, error, refetch } = useQuery(lastDeliveriesQuery(webhookId));
  return (
    <Section
      title={t("page.last")}
      actions={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/dashboard/deliveries/log"
              search={{ webhook: String(webhookId) }}
              {...props}
            />
          )}
        >
          {t("page.log")}
        </Anchor>
      }
    >
      {data === undefined && error !== null ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : null}
      {data === undefined && error === null ? <Skeleton height={180} /> : null}
      {data === undefined ? null : <Rows deliveries={data} />}
    </Section>
  );
};
