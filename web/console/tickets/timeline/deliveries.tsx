/** Webhook deliveries of an event, with their states. */
import { Skeleton, Text } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { InlineFault } from "../../../components/inline-fault.tsx";
import type { Meaning } from "../../../components/meaning.ts";
import { StateBadge } from "../../../components/state-badge.tsx";
import { useFault } from "../../../components/use-fault.ts";
import { useLabels } from "../../deliveries/use-labels.ts";
import { deliveriesQuery } from "../detail/queries.ts";
import type { Delivery } from "../types.ts";
import classes from "./timeline.module.css";

/** Deliveries of a timeline entry, loaded when it becomes visible. */
export function EventDeliveries({ eventId }: { eventId: number }) {
  const { t } = useTranslation("tickets");
  const { ref, inViewport } = useInViewport<HTMLDivElement>();
  const { data, error } = useQuery({
    ...deliveriesQuery("conversationevent", eventId),
    enabled: inViewport,
  });
  return (
    <div ref={ref} className={classes["trailing"]}>
      {data === undefined ? (
        error === null ? (
          <Skeleton height={20} width={120} />
        ) : (
          <Text size="xs" c="dimmed">
            {t("delivery.unknown")}
          </Text>
        )
      ) : data.length === 0 ? (
        <Text size="xs" c="dimmed">
          {t("delivery.none")}
        </Text>
      ) : (
        <Chips deliveries={data} />
      )}
    </div>
  );
}

function Chips({ deliveries }: { deliveries: readonly Delivery[] }) {
  return (
    <div className={classes["chips"]}>
      {deliveries.map((delivery) => (
        <Chip key={delivery.id} delivery={delivery} />
      ))}
    </div>
  );
}

/** Deliveries for the ticket itself: its creation and state changes. */
export function TicketDeliveries({ ticketId }: { ticketId: number }) {
  const { t } = useTranslation("tickets");
  const result = useQuery({
    ...deliveriesQuery("ticket", ticketId),
    refetchInterval: 10_000,
  });
  const fault = useFault(result);
  const { data } = result;
  if (data === undefined) {
    return fault === null ? (
      <Skeleton height={48} />
    ) : (
      <InlineFault error={fault} onRetry={() => void result.refetch()}>
        {t("delivery.unknown")}
      </InlineFault>
    );
  }
  return data.length === 0 ? (
    <Text size="sm" c="dimmed">
      {t("delivery.none_of_ticket")}
    </Text>
  ) : (
    <ul className={classes["of_ticket"]}>
      {data.map((delivery) => (
        <li key={delivery.id}>
          <Text span size="xs" c="dimmed" className="mono">
            {delivery.event === null ? "" : `ticket.${delivery.event}`}
          </Text>
          <Chip delivery={delivery} />
        </li>
      ))}
    </ul>
  );
}

const meanings: Record<Delivery["status"], Meaning> = {
  pending: "waiting",
  queued: "waiting",
  sending: "waiting",
  delivered: "good",
  retry: "warn",
  dead: "bad",
  paused: "warn",
  cancelled: "neutral",
  available: "waiting",
};

function Chip({ delivery }: { delivery: Delivery }) {
  const { state: label } = useLabels();
  const { name } = delivery.webhook;
  return (
    <Link
      to="/dashboard/deliveries/$deliveryId"
      params={{ deliveryId: String(delivery.id) }}
      className={classes["delivery"] ?? ""}
    >
      <span className={classes["webhook"]}>{name}</span>
      <StateBadge meaning={meanings[delivery.status]}>{label(delivery.status)}</StateBadge>
    </Link>
  );
}
