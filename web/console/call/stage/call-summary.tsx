/** Summary of the call that just ended: duration, photos and files. */
import { useQuery } from "@tanstack/react-query";
import { formatDuration, formatNumber } from "../../../base/format.ts";
import { useTranslation } from "../../../base/i18n.ts";
import { useSession } from "../../session.ts";
import { reaches } from "../../tickets/allowed-actions.ts";
import { chatQuery, mediasQuery, sessionsQuery } from "../../tickets/detail/queries.ts";
import { isShown } from "../../tickets/media/media-tile.tsx";
import type { Ticket } from "../../tickets/types.ts";
import classes from "./stage.module.css";

export function CallSummary({ ticket }: { ticket: Ticket }) {
  const { t } = useTranslation("call");
  const facts = useCallFacts(ticket);
  return (
    <dl className={classes["summary"]} aria-label={t("summary.title")}>
      {facts.map(([name, value]) => (
        <div key={name} data-fact={name}>
          <dt>{t(`summary.${name}`)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type Fact = "duration" | "photos" | "files" | "messages";

/** Facts of the newest session: without those that the user may not read, with a dash while loading. */
function useCallFacts(ticket: Ticket): (readonly [Fact, string])[] {
  const session = useSession();
  const hasMedia = reaches(session, "media.read", ticket);
  const hasChat = reaches(session, "conversations.read", ticket);
  const { data: sessions } = useQuery(sessionsQuery(ticket.id));
  const { data: medias } = useQuery({ ...mediasQuery(ticket.id), enabled: hasMedia });
  const { data: chat } = useQuery({ ...chatQuery(ticket.id), enabled: hasChat });
  const last = sessions?.data[0];
  const count = (of: readonly { created: string }[] | undefined): string =>
    of === undefined || last === undefined
      ? unknown
      : formatNumber(of.filter((one) => isSince(one.created, last.start_time)).length);
  const files = medias?.data;
  return [
    ["duration", lengthOf(last?.call_duration)] as const,
    ...(hasMedia
      ? [
          ["photos", count(files?.filter(isShown))] as const,
          ["files", count(files?.filter((media) => !isShown(media)))] as const,
        ]
      : []),
    ...(hasChat ? [["messages", count(chat === null ? [] : chat?.messages)] as const] : []),
  ];
}

const unknown = "–";

function lengthOf(seconds: number | null | undefined): string {
  return typeof seconds === "number" ? formatDuration(seconds * 1_000) : unknown;
}

function isSince(created: string, start: string): boolean {
  return Date.parse(created) >= Date.parse(start);
}
