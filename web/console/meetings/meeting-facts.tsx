import { useTranslation } from "../../base/i18n.ts";
import { formatDuration, formatExact } from "../../base/format.ts";
import { CopyText } from "../../components/copy-button.tsx";
import { Facts } from "../../components/facts.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { Section } from "../../components/section.tsx";
import { endedBeforeStart, minutesOf, type Meeting } from "./types.ts";

export function MeetingFacts({ meeting }: { meeting: Meeting }) {
  const { t } = useTranslation("meetings");
  return (
    <Section title={t("facts.title")}>
      <Facts>
        <dt>{t("facts.start")}</dt>
        <dd>
          {formatExact(new Date(meeting.start_time))}
          <br />
          {endedBeforeStart(meeting) ? (
            t("list.before_start")
          ) : (
            <RelativeTime at={meeting.start_time} />
          )}
        </dd>
        <dt>{t("facts.duration")}</dt>
        <dd>{formatDuration(minutesOf(meeting) * 60_000)}</dd>
        <dt>{t("facts.organizer")}</dt>
        <dd>{meeting.organizer.name}</dd>
        <dt>{t("facts.moderator")}</dt>
        <dd>{meeting.moderator.name}</dd>
        <dt>{t("facts.created")}</dt>
        <dd>
          <RelativeTime at={meeting.created} />, {meeting.created_by.name}
        </dd>
        <dt>{t("facts.id")}</dt>
        <dd>
          <CopyText value={String(meeting.id)} name={t("facts.id")} />
        </dd>
      </Facts>
    </Section>
  );
}
