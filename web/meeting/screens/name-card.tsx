import type { ReactNode } from "react";
import type { RoomView } from "../../rooms/room.ts";
import type { MeetingFacts } from "../entry/facts.ts";
import type { Meeting, MeetingState } from "../meeting.ts";
import { locale, t } from "../texts.ts";
import { EntryForm } from "./entry-form.tsx";
import { DeviceSettings, Preview } from "./device-check.tsx";
import { PageFrame } from "./page-frame.tsx";
import styles from "./name-card.module.css";

export type NameCardProps = Readonly<{ meeting: Meeting; state: MeetingState; view: RoomView }>;

/** Organizer, time, camera preview, devices, and the name field. */
export function NameCard({ meeting, state, view }: NameCardProps): ReactNode {
  const { facts } = meeting;
  return (
    <PageFrame
      isWide
      title={facts.name || t("page_title")}
      eyebrow={
        <p className={styles.when}>
          {facts.expert === undefined ? timeOf(facts) : facts.expert.enterprise}
        </p>
      }
    >
      {facts.organizer === "" ? null : (
        <p className={styles.organizer}>{t("organized_by", { name: facts.organizer })}</p>
      )}
      <div className={styles.columns}>
        <Preview room={state.room} view={view} />
        <div className={styles.side}>
          <EntryForm meeting={meeting} state={state} />
          <DeviceSettings room={state.room} view={view} />
        </div>
      </div>
    </PageFrame>
  );
}

function timeOf({ status, start_time: start }: MeetingFacts): string {
  const time = new Date(start ?? Date.now());
  const isToday = time.toDateString() === new Date().toDateString();
  const when = time.toLocaleString(locale, {
    ...(isToday ? {} : { weekday: "long", day: "numeric", month: "long" }),
    ...{ hour: "2-digit", minute: "2-digit" },
  });
  return t(status === "ongoing" || time < new Date() ? "started_at" : "starts_at", { when });
}
