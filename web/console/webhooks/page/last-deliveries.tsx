import { Anchor, Skeleton, Table, Text } from "@mantine/core";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import type { components } from "../../../base/api-types.ts";
import { formatNumber } from "../../../base/format.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { meaningOf } from "../../deliveries/state-meaning.ts";
import { RetryButton } from "../../deliveries/detail/retry-button.tsx";
import { useLabels } from "../../deliveries/use-labels.ts";
import { useWords } from "../../deliveries/labels.ts";
import { lastDeliveriesQuery } from "../data.ts";
import { Section } from "../section.tsx";
import classes from "./page.module.css";
import type { Webhook } from "../types.ts";

type Delivery = components["schemas"]["WebhookDeliveryList"]["data"][number];

type LastDeliveriesProps = Readonly<{
  webhook: Webhook;
  /** The newest few only, or the failed ones if there are any. */
  isShort?: boolean;
}>;

/** The newest or the failed deliveries; the log has all of them. */
export function LastDeliveries(props: LastDeliveriesProps) {
  const { t } = useTranslation("webhooks");
  const { result, hasFailing } = useShown(props);
  const title = t(hasFailing ? "page.last_failed" : "page.last");
  const search = {
    webhook: String(props.webhook.id),
    ...(hasFailing ? { status: "retry,dead" } : {}),
  };
  return (
    <Section
      title={title}
      actions={
        <Anchor
          size="sm"
          renderRoot={(link) => <Link to="/dashboard/deliveries/log" search={search} {...link} />}
        >
          {t("page.log")}
        </Anchor>
      }
    >
      <List result={result} title={title} />
    </Section>
  );
}

const few = 5;

const many = 25;

/** Selects the deliveries: failed ones if the receiver is failing, else the newest few. */
function useShown({ webhook, isShort = false }: LastDeliveriesProps) {
  const { id } = webhook;
  const isFailing = isShort && webhook.failing_since !== null;
  const failing = useQuery({
    ...lastDeliveriesQuery(id, { status: "retry,dead", limit: few }),
    enabled: isFailing,
  });
  const last = useQuery(lastDeliveriesQuery(id, { limit: isShort ? few : many }));
  const hasFailing = isFailing && failing.data !== undefined && failing.data.length > 0;
  return { result: hasFailing ? failing : last, hasFailing };
}

function List({ result, title }: { result: UseQueryResult<Delivery[]>; title: string }) {
  const { data, error, refetch } = result;
  if (data !== undefined) {
    return <Rows deliveries={data} title={title} />;
  }
  return error === null ? (
    <Skeleton height={180} />
  ) : (
    <ErrorBox error={error} onRetry={() => void refetch()} />
  );
}

function Rows({ deliveries, title }: { deliveries: readonly Delivery[]; title: string }) {
  const { t } = useTranslation("webhooks");
  return deliveries.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("delivery.none")}
    </Text>
  ) : (
    <Table.ScrollContainer
      minWidth={520}
      // Focusable, so that the arrow keys scroll it.
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": title } }}
    >
      <Table verticalSpacing={5} aria-label={title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("delivery.state")}</Table.Th>
            <Table.Th>{t("preview.event")}</Table.Th>
            <Table.Th>{t("delivery.result")}</Table.Th>
            <Table.Th>{t("preview.when")}</Table.Th>
            <Table.Th />
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
}

function Row({ delivery }: { delivery: Delivery }) {
  const labels = useLabels();
  const words = useWords();
  const { id, status, object_id: objectId } = delivery;
  return (
    <Table.Tr>
      <Table.Td>
        <StateBadge meaning={meaningOf(status)}>{labels.state(status)}</StateBadge>
      </Table.Td>
      <Table.Td>
        <Link
          className={classes["event"] ?? ""}
          to="/dashboard/deliveries/$deliveryId"
          params={{ deliveryId: String(id) }}
        >
          {words.event(delivery)}
        </Link>{" "}
        <Text size="xs" c="dimmed" component="span">
          {objectId}
        </Text>
      </Table.Td>
      <Table.Td>
        <Result delivery={delivery} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={delivery.created} />
      </Table.Td>
      <Table.Td ta="right">
        <RetryButton delivery={delivery} isSmall />
      </Table.Td>
    </Table.Tr>
  );
}

/** "HTTP 500", "time-out", with the attempt's number. */
function Result({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation("webhooks");
  const labels = useLabels();
  const { last_code, last_error, attempt_count: count } = delivery;
  return (
    <>
      {last_code === null && last_error === null ? "" : labels.cause({ last_code, last_error })}
      {count > 1 ? (
        <Text size="xs" c="dimmed" component="span">
          {" "}
          {t("delivery.attempts", { count, formatted: formatNumber(count) })}
        </Text>
      ) : null}
    </>
  );
}
