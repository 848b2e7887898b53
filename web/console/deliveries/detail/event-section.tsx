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
      {eventId === null ? null : <CopyText value={eventId} name={t("story.event_id")} />}
      {body === null ? (
        <Alert color="gray" icon={<IconEraser size={18} aria-hidden />} mt="xs">
          {expunged === null ? (
            t("story.not_kept")
          ) : (
            <>
              {t("story.removed")} <RelativeTime at={expunged} />
              <Text size="xs" c="dimmed">
                {t("story.removed_note")}
              </Text>
            </>
          )}
        </Alert>
      ) : (
        <JsonView text={body} name={t("story.body")} draw={highlightJson} />
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
          {t("story.to_ticket", { id: ticket })}
        </Link>
      )}
      {eventId === null ? null : (
        <>
          <Link to="/dashboard/deliveries/log" search={{ eventId }}>
            {t("story.same_event")}
          </Link>
          <Link to="/dashboard/explain" search={{ q: eventId }}>
            {t("story.explain")}
          </Link>
        </>
      )}
      {first === null ? null : (
        <Link to="/dashboard/deliveries/$deliveryId" params={{ deliveryId: String(first) }}>
          {t("story.repeats", { id: first })}
        </Link>
      )}
      {replay === null ? null : (
        <Link to="/dashboard/deliveries/replays" search={{ replay: String(replay) }}>
          {t("story.by_replay", { id: replay })}
        </Link>
      )}
    </Group>
  );
}
