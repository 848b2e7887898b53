import type { ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../../rooms/ui/dialog.tsx";
import { findText, plural, t } from "../texts.ts";
import styles from "./banners.module.css";
import type { Happening } from "./use-happenings.ts";
import { WaitingList } from "./waiting-list.tsx";

export type BannersProps = Readonly<{
  room: Room;
  view: RoomView;
  happenings: readonly Happening[];
  /** The list is shown elsewhere already. */
  isWaitingListShown: boolean;
  isMutedByHost: boolean;
  /** The browser plays no sound before a click. */
  onPlaySound: (() => void) | undefined;
}>;

/** Notices over the pictures, the most urgent first. */
export function Banners(props: BannersProps): ReactNode {
  const { room, view, happenings, isWaitingListShown, isMutedByHost, onPlaySound } = props;
  const isAway = view.connection === "reconnecting" || view.connection === "connecting";
  return (
    <div className={styles.banners}>
      <div className={styles.live} role="status">
        {isAway ? (
          <Banner tone="warn">
            <strong>{t("reconnecting")}</strong> {t("reconnecting_text")}
          </Banner>
        ) : (
          <QualityAdvice room={room} view={view} />
        )}
        {isMutedByHost ? <Banner>{t("muted_by_host")}</Banner> : null}
        {happenings.map(({ id, text }) => (
          <Banner key={id}>{text}</Banner>
        ))}
      </div>
      {view.local.screen === undefined ? null : (
        <Banner>
          {t("sharing")}
          <Button isSmall onClick={() => void room.shareScreen(false)}>
            {t("stop_sharing")}
          </Button>
        </Banner>
      )}
      {onPlaySound === undefined ? null : (
        <Banner tone="warn">
          {t("sound_blocked")}
          <Button isSmall tone="main" onClick={onPlaySound}>
            {t("play_sound")}
          </Button>
        </Banner>
      )}
      {view.waiting.length === 0 || isWaitingListShown ? null : (
        <section className={styles.waiting} aria-label={t("waiting_list")} aria-live="polite">
          <h2>{plural("waiting", view.waiting.length)}</h2>
          <WaitingList room={room} people={view.waiting} />
        </section>
      )}
      <Notice room={room} view={view} />
      <RecordingNotices room={room} view={view} />
    </div>
  );
}

type BannerProps = Readonly<{ tone?: "plain" | "warn" | "bad"; children: ReactNode }>;

function Banner({ tone = "plain", children }: BannerProps): ReactNode {
  return (
    <div className={styles.banner} data-tone={tone}>
      {children}
    </div>
  );
}

type RoomProps = Readonly<{ room: Room; view: RoomView }>;

function QualityAdvice({ room, view }: RoomProps): ReactNode {
  const { quality, isCameraOn } = view.local;
  if (quality === "good") {
    return null;
  }
  return (
    <Banner tone="warn">
      {t(quality === "poor" ? "advice_poor" : "advice_fair")}
      {quality === "poor" && isCameraOn ? (
        <Button isSmall onClick={() => void room.setCamera(false)}>
          {t("advice_camera_off")}
        </Button>
      ) : null}
    </Banner>
  );
}

/** The last thing that failed. */
function Notice({ room, view }: RoomProps): ReactNode {
  const text = view.notice === undefined ? undefined : findText(`notice_${view.notice}`);
  if (text === undefined) {
    return null;
  }
  return (
    <div className={styles.banner} data-tone="warn" role="alert">
      {text}
      <Button isSmall onClick={() => room.clearNotice()}>
        {t("close")}
      </Button>
    </div>
  );
}

function RecordingNotices({ room, view }: RoomProps): ReactNode {
  const { state, by } = view.recording;
  switch (state) {
    case "asked":
      return (
        <Dialog
          title={t("recording_ask_title")}
          closeLabel={t("close")}
          onClose={() => room.answerRecording(false)}
          actions={
            <>
              <Button onClick={() => room.answerRecording(false)}>{t("recording_refuse")}</Button>
              <Button tone="main" onClick={() => room.answerRecording(true)}>
                {t("recording_agree")}
              </Button>
            </>
          }
        >
          <p>{t("recording_ask_text", { name: by?.name || t("guest") })}</p>
        </Dialog>
      );
    case "asking":
      return <Banner>{t("recording_asking")}</Banner>;
    case "paused":
      return <Banner>{t("recording_paused")}</Banner>;
    case "refused":
      return by === undefined ? <Banner tone="warn">{t("recording_refused")}</Banner> : null;
    case "failed":
      return <Banner tone="bad">{t("recording_failed")}</Banner>;
    default:
      return null;
  }
}
