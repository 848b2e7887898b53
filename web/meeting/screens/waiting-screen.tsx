import type { ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { useWakeLock } from "../../rooms/ui/use-wake-lock.ts";
import type { Meeting } from "../meeting.ts";
import { Button } from "../parts/button.tsx";
import { t } from "../texts.ts";
import { DeviceSettings, Preview } from "./device-check.tsx";
import { PageFrame, Text } from "./page-frame.tsx";
import styles from "./waiting-screen.module.css";

export type WaitingScreenProps = Readonly<{ meeting: Meeting; room: Room; view: RoomView }>;

/** A guest asked to come in, and sees nothing of the room until a host decides. */
export function WaitingScreen({ meeting, room, view }: WaitingScreenProps): ReactNode {
  useWakeLock(true);
  return (
    <PageFrame
      isWide
      title={t("waiting_title")}
      eyebrow={<p className={styles.meeting}>{meeting.facts.name}</p>}
    >
      <div role="status">
        <Text>{t("waiting_text")}</Text>
      </div>
      <div className={styles.progress} aria-hidden>
        <span />
      </div>
      <div className={styles.columns}>
        <Preview room={room} view={view} />
        <div className={styles.side}>
          <p className={styles.note}>{t("waiting_since")}</p>
          <DeviceSettings room={room} view={view} />
          <Button onClick={() => meeting.startOver()}>{t("leave")}</Button>
        </div>
      </div>
      {view.connection === "reconnecting" ? <p role="status">{t("reconnecting")}</p> : null}
    </PageFrame>
  );
}
