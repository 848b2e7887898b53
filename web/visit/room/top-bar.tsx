/** Who is there, the state of the call in one sentence, and the indicators of a recording and of a supervisor. */
import { useEffect, useRef, type ReactNode } from "react";
import { IconEye, IconX } from "@tabler/icons-react";
import type { PeerView, Room, RoomView } from "../../rooms/room.ts";
import { IconButton } from "../../rooms/ui/icon-button.tsx";
import { useWords } from "../texts.ts";
import { callStatus } from "./call-status.ts";
import styles from "./call-screen.module.css";
import type { CallEvents } from "./use-call-events.ts";

export type TopBarProps = Readonly<{
  view: RoomView;
  room: Room;
  agent: PeerView | undefined;
  who: string;
  events: CallEvents;
}>;

export function TopBar({ view, room, agent, who, events }: TopBarProps): ReactNode {
  const { t } = useWords();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { tone, text } = callStatus(view, agent, events.note);
  const isRecording = view.recording.state === "recording";
  return (
    <header className={styles.top}>
      <div className={styles.names}>
        <h1 ref={heading} tabIndex={-1} className={styles.title}>
          {agent === undefined ? t("waiting_title", { who }) : t("with_you", { who })}
        </h1>
        {isRecording ? (
          <p className={styles.recording} role="status">
            <span className={styles.dot} aria-hidden />
            {t("recording")}
          </p>
        ) : null}
      </div>
      <p className={styles.facts} role="status">
        {view.position === undefined ? "" : t(`position_${view.position}`, { who })}
      </p>
      <p className={styles.facts} role="status">
        {expertsIn(view)
          .map(({ name }) => t("expert_present", { who: name }))
          .join(" · ")}
      </p>
      {view.isWatched ? (
        <p className={styles.watched} role="status">
          <IconEye size={18} aria-hidden />
          {t("watched")}
        </p>
      ) : null}
      <div className={styles.status} data-tone={tone}>
        <p role="status">{text === undefined ? "" : t(text, { who })}</p>
        {view.notice === undefined ? null : (
          <IconButton label={t("close_note")} onPress={room.clearNotice}>
            <IconX size={22} aria-hidden />
          </IconButton>
        )}
      </div>
    </header>
  );
}

/** Whom the agent invited into the call. */
function expertsIn({ peers }: RoomView): readonly PeerView[] {
  return peers.filter(({ role, isInCall }) => isInCall && role === "expert");
}
