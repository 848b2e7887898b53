import { Alert, Group, Text } from "@mantine/core";
import { IconBolt, IconEraser } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../../base/i18n.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { highlightJson } from "../../../components/json-highlight.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { ticketOf, type DeliveryInFull } from "../model.ts";
import { useWords } from "../labels.ts";
import { DetailSection } from "./detail-section.tsx";
import classes from "./detail.module.css";

/** The event and its exact body. */
export function EventSection({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
  const words = useWords();
  const { object_id: id, event_id: eventId, body, expunged } = delivery;
  const about = id === null ? "" : ` · ${words.object(delivery.object)} ${id}`;
  return (
    <DetailSection
      icon={IconBolt}
      title={`${words.event(delivery)}${about}`}
      when={<RelativeTime at={delivery.created} />}
    >
      {eventId === null ? null : <CopyText value={eventId} name={t("detail.event_id")} />}
      {body === null ? (
        <Alert color="gray" icon={<IconEraser size={18} aria-hidden />} mt="xs">
          {expunged === null ? (
            t("detail.not_kept")
          ) : (
            <>
              {t("detail.removed")} <RelativeTime at={expunged} />
              <Text size="xs" c="dimmed">
                {t("detail.removed_note")}
              </Text>
            </>
          )}
        </Alert>
      ) : (
        <JsonView text={body} name={t("detail.body")} draw={highlightJson} />
      )}
      <Links delivery={delivery} />
    </DetailSection>
  );
}

function Links({ delivery }: { delivery: DeliveryInFull }) {
  const { t } = useTranslation("deliveries");
  const { event_id: eventId, replay, replay_of: first } = delivery;
  const ticket = ticketOf(delivery, delivery.body);
  return (
    <Group gap="md" className={classes["links"] ?? ""}>
      {ticket === undefined ? null : (
        <Link to="/tickets/$ticketId" params={{ ticketId: String(ticket) }}>
          {t("detail.to_ticket", { id: ticket })}
        </Link>
      )}
      {eventId === null ? null : (
        <>
          <Link to="/dashboard/deliveries/log" search={{ eventId }}>
            {t("detail.same_event")}
          </Link>
          <Link to="/dashboard/explain" search={{ q: eventId }}>
            {t("detail.explain")}
          </Link>
        </>
      )}
      {first === null ? null : (
        <Link to="/dashboard/deliveries/$deliveryId" params={{ deliveryId: String(first) }}>
          {t("detail.repeats", { id: first })}
        </Link>
      )}
      {replay === null ? null : (
        <Link to="/dashboard/deliveries/replays" search={{ replay: String(replay) }}>
          {t("detail.by_replay", { id: replay })}
        </Link>
      )}
    </Group>
  );
}
