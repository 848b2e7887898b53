/** The buttons of the call, in one row within thumb reach. */
import type { ReactNode } from "react";
import {
  IconCameraRotate,
  IconMessageCircle,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
  IconVideo,
  IconVideoOff,
} from "@tabler/icons-react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { useDeviceList } from "../../rooms/ui/use-device-list.ts";
import { useWords } from "../texts.ts";
import styles from "./controls.module.css";

export type ControlsProps = Readonly<{
  view: RoomView;
  room: Room;
  isChatOpen: boolean;
  unread: number;
  onOwnMute: () => void;
  onChat: () => void;
  onLeave: () => void;
}>;

export function Controls(props: ControlsProps): ReactNode {
  const { t } = useWords();
  const { view, room, isChatOpen, unread, onChat, onLeave } = props;
  return (
    <div className={styles.controls}>
      <DeviceControls {...props} />
      <Control
        label={chatLabelOf(t, isChatOpen, unread)}
        word={t("chat")}
        icon={<IconMessageCircle aria-hidden />}
        isPressed={isChatOpen}
        badge={unread}
        onPress={onChat}
      />
      <PauseControl view={view} room={room} />
      <Control
        isEnd
        label={t("leave_yes")}
        word={t("leave")}
        icon={<IconPhoneOff aria-hidden />}
        onPress={onLeave}
      />
    </div>
  );
}

function chatLabelOf(
  t: ReturnType<typeof useWords>["t"],
  isChatOpen: boolean,
  unread: number,
): string {
  if (isChatOpen) {
    return t("chat_close");
  }
  return unread === 0 ? t("chat_open") : t("chat_open_unread", { count: String(unread) });
}

type DeviceProps = Pick<ControlsProps, "view" | "room" | "onOwnMute">;

function DeviceControls({ view, room, onOwnMute }: DeviceProps): ReactNode {
  const { t } = useWords();
  const { isMicOn, isCameraOn, isPaused, stream } = view.local;
  const { cameras } = useDeviceList(stream);
  return (
    <>
      <Control
        label={t(isMicOn ? "mic_mute" : "mic_unmute")}
        word={t("mic")}
        icon={isMicOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
        isOff={!isMicOn}
        onPress={() => {
          onOwnMute();
          void room.setMic(!isMicOn);
        }}
      />
      <Control
        label={t(isCameraOn ? "camera_stop" : "camera_start")}
        word={t("camera")}
        icon={isCameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
        isOff={!isCameraOn}
        onPress={() => void room.setCamera(!isCameraOn)}
      />
      {cameras.length > 1 && isCameraOn && !isPaused ? (
        <Control
          label={t("switch_camera")}
          word={t("turn_camera")}
          icon={<IconCameraRotate aria-hidden />}
          onPress={() => void room.switchCamera()}
        />
      ) : null}
    </>
  );
}

function PauseControl({ view, room }: Pick<ControlsProps, "view" | "room">): ReactNode {
  const { t } = useWords();
  const { isPaused } = view.local;
  return (
    <Control
      label={t(isPaused ? "resume_label" : "pause_label")}
      word={t(isPaused ? "resume" : "pause")}
      icon={isPaused ? <IconPlayerPlay aria-hidden /> : <IconPlayerPause aria-hidden />}
      isOff={isPaused}
      onPress={() => void room.setPaused(!isPaused)}
    />
  );
}

type ControlProps = Readonly<{
  /** The accessible name: the action. */
  label: string;
  /** Below the icon. */
  word: string;
  icon: ReactNode;
  isOff?: boolean;
  isEnd?: boolean;
  isPressed?: boolean;
  badge?: number;
  onPress: () => void;
}>;

function Control(props: ControlProps): ReactNode {
  const { label, word, icon, isOff = false, isEnd = false, isPressed, badge = 0, onPress } = props;
  return (
    <button
      type="button"
      className={styles.control}
      aria-label={label}
      aria-expanded={isPressed}
      data-off={isOff ? "" : undefined}
      data-end={isEnd ? "" : undefined}
      onClick={onPress}
    >
      <span className={styles.icon}>
        {icon}
        {badge > 0 ? <span className={styles.badge}>{Math.min(badge, 99)}</span> : null}
      </span>
      <span className={styles.word} aria-hidden>
        {word}
      </span>
    </button>
  );
}
