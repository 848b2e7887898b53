import { IconEye, IconLock, IconPlayerRecordFilled, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { FrozenPhoto } from "../../rooms/ui/frozen-photo.tsx";
import { IconButton } from "../../rooms/ui/icon-button.tsx";
import { useSpeaking } from "../../rooms/ui/use-speaking.ts";
import { useUnread } from "../../rooms/ui/use-unread.ts";
import { useWakeLock } from "../../rooms/ui/use-wake-lock.ts";
import type { Meeting } from "../meeting.ts";
import { t } from "../texts.ts";
import { Banners } from "./banners.tsx";
import { Controls, type Panel } from "./controls.tsx";
import { MeetingChat } from "./meeting-chat.tsx";
import { PeoplePanel } from "./people-panel.tsx";
import { selfIn, type Person } from "./person.ts";
import { EndDialog, SettingsDialog } from "./room-dialogs.tsx";
import styles from "./room-screen.module.css";
import { Stage } from "./stage.tsx";
import { useBlockedSound } from "./use-blocked-sound.ts";
import { useFilePositions } from "./use-file-positions.ts";
import { useHappenings } from "./use-happenings.ts";
import { useKnock } from "./use-knock.ts";
import { useMutedByHost } from "./use-muted-by-host.ts";
import { useOthers } from "./use-others.ts";
import { usePointing, type Pointing } from "./use-pointing.tsx";

export type RoomScreenProps = Readonly<{ meeting: Meeting; room: Room; view: RoomView }>;

export function RoomScreen({ meeting, room, view }: RoomScreenProps): ReactNode {
  const [panel, setPanel] = useState<Panel>();
  const [dialog, setDialog] = useState<"settings" | "end">();
  /** Null: everybody in the same size. Undefined: not chosen. */
  const [chosenId, setChosenId] = useState<string | null>();
  const draft = useRef("");
  const others = useOthers(view);
  const self = selfIn(view);
  const speaking = useSpeaking(view.peers);
  const happenings = useHappenings(others);
  const unread = useUnread(view.messages, panel === "chat");
  const positions = useFilePositions(view);
  const sound = useBlockedSound();
  const muted = useMutedByHost(room, view);
  const pointing = usePointing(room, view);
  const pinnedId = largeOf(chosenId, others, pointing);
  useWakeLock(true);
  useKnock(view.waiting);
  const { isHandRaised } = self.state;
  return (
    <div className={styles.room}>
      <RoomHeader title={meeting.facts.name || t("page_title")} view={view} />
      <div className={styles.middle}>
        <main className={styles.stage} aria-label={t("stage")}>
          <Banners
            {...{ room, view, happenings }}
            isWaitingListShown={panel === "people"}
            isMutedByHost={muted.isShown}
            onPlaySound={sound.play}
          />
          <Stage
            {...{ self, others, speaking, pinnedId, pointing }}
            onPin={(id) => setChosenId(id ?? null)}
            onBlocked={sound.onBlocked}
          />
          <SharedPhoto room={room} view={view} />
        </main>
        {panel === undefined ? null : (
          <SidePanel panel={panel} onClose={() => setPanel(undefined)}>
            {panel === "chat" ? (
              <MeetingChat {...{ room, view, positions, draft }} />
            ) : (
              <PeoplePanel {...{ room, view }} people={[self, ...others]} />
            )}
          </SidePanel>
        )}
      </div>
      <Controls
        {...{ room: muted.room, view, panel, unread, isHandRaised, pointing }}
        onPanel={(next) => setPanel(next === panel ? undefined : next)}
        onHand={() => room.raiseHand(!isHandRaised)}
        onSettings={() => setDialog("settings")}
        onLeave={() => void meeting.leave()}
        onEnd={() => setDialog("end")}
      />
      {dialog === "settings" ? (
        <SettingsDialog {...{ room, view }} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === "end" ? (
        <EndDialog onClose={() => setDialog(undefined)} onEnd={() => void meeting.endForAll()} />
      ) : null}
    </div>
  );
}

/** The large picture: the selected person; for an expert, the customer or a shared screen. */
function largeOf(
  chosenId: string | null | undefined,
  others: readonly Person[],
  pointing: Pointing | undefined,
): string | undefined {
  if (chosenId !== undefined) {
    return chosenId ?? undefined;
  }
  return others.some(({ screen }) => screen !== undefined) ? undefined : pointing?.customerId;
}

/** In a call of video assistance: what the agent froze for all. */
function SharedPhoto({ room, view }: Pick<RoomScreenProps, "room" | "view">): ReactNode {
  const { board, pointer } = view;
  return board === undefined ? null : (
    <div key={board.mediaId} className={styles.board}>
      <FrozenPhoto {...{ room, board, label: t("board_label") }} pointer={pointer?.point} />
    </div>
  );
}

function RoomHeader({ title, view }: Readonly<{ title: string; view: RoomView }>): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <header className={styles.header}>
      <h1 ref={heading} tabIndex={-1} className={styles.title}>
        {title}
      </h1>
      {view.isLocked ? (
        <span className={styles.badge}>
          <IconLock size={16} aria-hidden />
          {t("locked_badge")}
        </span>
      ) : null}
      {view.isWatched ? (
        <span className={styles.badge} role="status">
          <IconEye size={16} aria-hidden />
          {t("watched")}
        </span>
      ) : null}
      {view.recording.state === "recording" ? <RecordingBadge by={view.recording.by} /> : null}
    </header>
  );
}

function RecordingBadge({ by }: Readonly<{ by: Pick<Person, "name"> | undefined }>): ReactNode {
  const detail =
    by === undefined ? t("recording_own") : t("recording_by", { name: by.name || t("guest") });
  return (
    <span className={styles.badge} data-recording="" role="status" title={detail}>
      <IconPlayerRecordFilled size={16} aria-hidden />
      {t("recording_badge")}
      <span className={styles.hidden}>{detail}</span>
    </span>
  );
}

type SidePanelProps = Readonly<{ panel: Panel; onClose: () => void; children: ReactNode }>;

function SidePanel({ panel, onClose, children }: SidePanelProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef(document.activeElement as HTMLElement | null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [panel]);
  const close = (): void => {
    onClose();
    opener.current?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it
    <aside
      className={styles.panel}
      aria-label={t(panel)}
      onKeyDown={({ key }) => {
        if (key === "Escape") {
          close();
        }
      }}
    >
      <header className={styles.panelHead}>
        <h2 ref={heading} tabIndex={-1}>
          {t(panel)}
        </h2>
        <IconButton label={t("close")} onPress={close}>
          <IconX size={20} aria-hidden />
        </IconButton>
      </header>
      {children}
    </aside>
  );
}
