/** A search result as one line. */
import { Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import type { components } from "../../base/api-types.ts";
import { useLabels } from "../deliveries/use-labels.ts";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { contactsOf, nameOf } from "../tickets/person.ts";
import { TicketStateBadge } from "../tickets/states.tsx";
import { addressOfDelivery, addressOfMeeting } from "./addresses.ts";
import classes from "./search.module.css";

type Schemas = components["schemas"];

export function TicketRow({ ticket }: { ticket: Schemas["TicketItem"] | Schemas["Ticket"] }) {
  const name = nameOf(ticket.requestor);
  const others = contactsOf(ticket.requestor).filter((contact) => contact !== name);
  return (
    <li>
      <Link
        to="/tickets/$ticketId"
        params={{ ticketId: String(ticket.id) }}
        className={classes["row"] ?? ""}
      >
        <span className="mono">{ticket.id}</span>
        <span className={classes["middle"]}>
          <Text span size="sm">
            {name}
          </Text>
          <Text span size="xs" c="dimmed">
            {[...others, ticket.reference, ticket.subject ?? ""].filter(Boolean).join(" · ")}
          </Text>
        </span>
        <TicketStateBadge state={ticket.state} />
        <Text span size="xs" c="dimmed">
          <RelativeTime at={ticket.created} />
        </Text>
      </Link>
    </li>
  );
}

export function MeetingRow({ meeting }: { meeting: Schemas["Conference"] }) {
  return (
    <li>
      <Link to={addressOfMeeting(meeting.id)} className={classes["row"] ?? ""}>
        <span className="mono">{meeting.id}</span>
        <span className={classes["middle"]}>
          <Text span size="sm">
            {meeting.name}
          </Text>
          <Text span size="xs" c="dimmed">
            {meeting.organizer.name}
          </Text>
        </span>
        <Text span size="xs" c="dimmed">
          <RelativeTime at={meeting.start_time} />
        </Text>
      </Link>
    </li>
  );
}

export function DeliveryRow({ delivery }: { delivery: Schemas["WebhookDeliveryItem"] }) {
  const { t } = useTranslation("search");
  const { state: label } = useLabels();
  return (
    <li>
      <Link to={addressOfDelivery(delivery.id)} className={classes["row"] ?? ""}>
        <span className="mono">{delivery.id}</span>
        <span className={classes["middle"]}>
          <Text span size="sm">
            {t("delivery_to", { name: delivery.webhook.name })}
          </Text>
          <Text span size="xs" c="dimmed" className="mono">
            {[delivery.object, delivery.event ?? "", delivery.object_id ?? ""].join(" ")}
          </Text>
        </span>
        <StateBadge
          meaning={
            delivery.status === "delivered"
              ? "good"
              : delivery.status === "dead"
                ? "bad"
                : "waiting"
          }
        >
          {label(delivery.status)}
        </StateBadge>
        <Text span size="xs" c="dimmed">
          <RelativeTime at={delivery.created} />
        </Text>
      </Link>
    </li>
  );
}
