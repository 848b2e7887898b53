/** A timeline entry: sentence, actor, time and details. */
import { Text } from "@mantine/core";
import { IconPointFilled } from "@tabler/icons-react";
import { memo } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatNumber } from "../../../base/format.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { TimelineLine } from "../../../components/timeline/line.tsx";
import type { EntryAppearance } from "../../../components/timeline/entry-icon.tsx";
import type { Media, TimelineEvent } from "../types.ts";
import { EventDeliveries } from "./deliveries.tsx";
import { eventAppearances } from "./event-icons.ts";
import { actorName } from "./event-actor.ts";
import classes from "./timeline.module.css";
import { useSentence } from "./use-sentence.ts";

function Picture({ mediaId, medias }: { mediaId: number; medias: readonly Media[] }) {
  const { t } = useTranslation("tickets");
  const media = medias.find(({ id }) => id === mediaId);
  if (media === undefined || media.media_type !== "image") {
    return (
      <Text size="xs" c="dimmed">
        {t("event.picture", { id: mediaId })}
      </Text>
    );
  }
  return (
    <a href={media.url} target="_blank" rel="noreferrer" className={classes["picture"]}>
      <img src={media.url} alt={media.description ?? media.title} loading="lazy" />
    </a>
  );
}

function Survey({ event }: { event: Extract<TimelineEvent, { eventType: "survey.answered" }> }) {
  const { language } = useTranslation("tickets");
  const { questions, feedback } = event.surveyAnswer;
  return (
    <div className={classes["more"]}>
      {questions.map(({ id, label, answer }) => (
        <Text key={id} size="xs">
          {label[language] ?? Object.values(label)[0] ?? id}
          {" : "}
          <b>{answer}</b>
        </Text>
      ))}
      {feedback === "" || feedback === null ? null : <Text size="xs">“{feedback}”</Text>}
    </div>
  );
}

/** The details of an entry: image, text, position or answers. */
function Brought({ event, medias }: { event: TimelineEvent; medias: readonly Media[] }) {
  const { t } = useTranslation("tickets");
  switch (event.eventType) {
    case "media.pictureTaken":
    case "media.pictureSent":
      return <Picture mediaId={event.mediaId} medias={medias} />;
    case "media.OCRDone":
      return (
        <pre className={`mono ${classes["read"]}`} tabIndex={0} aria-label={t("media.read_text")}>
          {event.text}
        </pre>
      );
    case "geo.ansAllowed":
      return <Coordinates {...event.geoloc} />;
    case "survey.answered":
      return <Survey event={event} />;
    default:
      return null;
  }
}

/** A position as coordinates, for any map application. */
export function Coordinates({ lat, lng }: { lat: number; lng: number }) {
  const { t } = useTranslation("tickets");
  const digits = { maximumFractionDigits: 5, minimumFractionDigits: 5 };
  const exact = `${lat}, ${lng}`;
  return (
    <span
      title={`${formatNumber(lat, digits)}° ${formatNumber(lng, digits)}°`}
      className={classes["position"]}
    >
      <CopyText value={exact} name={t("detail.position")} />
    </span>
  );
}

type LineProps = Readonly<{
  event: TimelineEvent;
  medias: readonly Media[];
  /** Arrived after the page was opened. */
  isNew: boolean;
  showsWebhooks: boolean;
}>;

const unknownAppearance: EntryAppearance = { icon: IconPointFilled, meaning: "neutral" };

export const EventLine = memo(({ event, medias, isNew, showsWebhooks }: LineProps) => {
  const { t } = useTranslation("tickets");
  const sentence = useSentence(event);
  return (
    <TimelineLine
      type={event.eventType}
      appearance={
        (eventAppearances as Partial<typeof eventAppearances>)[event.eventType] ?? unknownAppearance
      }
      sentence={sentence}
      source={actorName(event) ?? t(`source.${event.source}`)}
      at={event.created}
      isNew={isNew}
      trailing={showsWebhooks ? <EventDeliveries eventId={event.id} /> : undefined}
    >
      <Brought event={event} medias={medias} />
    </TimelineLine>
  );
});
EventLine.displayName = "EventLine";
