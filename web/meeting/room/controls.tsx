import {
  IconCameraRotate,
  IconDotsVertical,
  IconHandStop,
  IconLock,
  IconLockOpen,
  IconMessageCircle,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlayerRecord,
  IconPlayerStop,
  IconPointer,
  IconScreenShare,
  IconScreenShareOff,
  IconSettings,
  IconUsers,
  IconVideo,
  IconVideoOff,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { isOwnRecording } from "../../rooms/recording/answers.ts";
import { Popover, PopoverItem } from "./popover.tsx";
import { plural, t } from "../texts.ts";
import { ControlButton } from "./control-button.tsx";
import styles from "./controls.module.css";
import { isHost } from "./person.ts";
import type { Pointing } from "./use-pointing.tsx";

export type Panel = "chat" | "people";

export type ControlsProps = Readonly<{
  room: Room;
  view: RoomView;
  panel: Panel | undefined;
  unread: number;
  isHandRaised: boolean;
  /** On the page of an expert, who points instead of raising a hand. */
  pointing: Pointing | undefined;
  onPanel: (panel: Panel) => void;
  onHand: () => void;
  onSettings: () => void;
  onLeave: () => void;
  onEnd: () => void;
}>;

/** Controls for everybody; hosts have more in the menu. */
export function Controls(props: ControlsProps): ReactNode {
  const { room, view, panel, unread, onPanel } = props;
  const { isMicOn, isCameraOn } = view.local;
  return (
    <footer className={styles.bar} aria-label={t("controls")}>
      <ControlButton
        label={t(isMicOn ? "mute" : "unmute")}
        isOff={!isMicOn}
        icon={isMicOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
        onPress={() => void room.setMic(!isMicOn)}
      />
      <ControlButton
        label={t(isCameraOn ? "camera_off" : "camera_on")}
        isOff={!isCameraOn}
        icon={isCameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
        onPress={() => void room.setCamera(!isCameraOn)}
      />
      <div className={styles.wide}>
        <ShareButton {...props} />
        {props.pointing === undefined ? (
          <HandButton {...props} />
        ) : (
          <ControlButton {...pointControl(props.pointing)} isPressed={props.pointing.isOn} />
        )}
      </div>
      <ControlButton
        label={unread > 0 ? `${t("chat")}, ${plural("unread", unread)}` : t("chat")}
        isPressed={panel === "chat"}
        count={unread}
        icon={<IconMessageCircle aria-hidden />}
        onPress={() => onPanel("chat")}
      />
      <ControlButton
        label={
          view.waiting.length > 0
            ? `${t("people")}, ${plural("waiting", view.waiting.length)}`
            : t("people")
        }
        isPressed={panel === "people"}
        count={view.waiting.length}
        icon={<IconUsers aria-hidden />}
        onPress={() => onPanel("people")}
      />
      <MoreMenu {...props} />
      <LeaveButton {...props} />
    </footer>
  );
}

/** Phones cannot share their screen from a browser. */
const canShare = "mediaDevices" in navigator && "getDisplayMedia" in navigator.mediaDevices;

function ShareButton({ room, view }: ControlsProps): ReactNode {
  const isSharing = view.local.screen !== undefined;
  return canShare ? (
    <ControlButton
      label={t(isSharing ? "stop_sharing" : "share")}
      isPressed={isSharing}
      icon={isSharing ? <IconScreenShareOff aria-hidden /> : <IconScreenShare aria-hidden />}
      onPress={() => void room.shareScreen(!isSharing)}
    />
  ) : null;
}

function HandButton({ isHandRaised, onHand }: ControlsProps): ReactNode {
  return (
    <ControlButton
      label={t(isHandRaised ? "lower_hand" : "raise_hand")}
      isPressed={isHandRaised}
      icon={<IconHandStop aria-hidden />}
      onPress={onHand}
    />
  );
}

function pointControl({ isOn, toggle }: Pointing) {
  return {
    label: t(isOn ? "stop_pointing" : "point"),
    icon: <IconPointer size={20} aria-hidden />,
    onPress: toggle,
  };
}

function MoreMenu(props: ControlsProps): ReactNode {
  const { room, view, isHandRaised, onHand, onSettings, pointing } = props;
  return (
    <Popover align="end" trigger={{ label: t("more"), icon: <IconDotsVertical aria-hidden /> }}>
      {(close) => {
        const thenClose = (action: () => void) => (): void => {
          close();
          action();
        };
        return (
          <>
            <div className={styles.narrow}>
              {pointing === undefined ? (
                <PopoverItem
                  icon={<IconHandStop size={20} aria-hidden />}
                  label={t(isHandRaised ? "lower_hand" : "raise_hand")}
                  onPress={thenClose(onHand)}
                />
              ) : (
                <PopoverItem {...pointControl(pointing)} onPress={thenClose(pointing.toggle)} />
              )}
              <PopoverItem
                icon={<IconCameraRotate size={20} aria-hidden />}
                label={t("switch_camera")}
                onPress={thenClose(() => void room.switchCamera())}
              />
            </div>
            <PopoverItem
              icon={<IconSettings size={20} aria-hidden />}
              label={t("settings")}
              onPress={thenClose(onSettings)}
            />
            {isHost(view.self?.role) ? <HostItems {...props} thenClose={thenClose} /> : null}
          </>
        );
      }}
    </Popover>
  );
}

type HostItemsProps = ControlsProps & Readonly<{ thenClose: (action: () => void) => () => void }>;

function HostItems({ room, view, thenClose }: HostItemsProps): ReactNode {
  const { isLocked, recording } = view;
  const isRecording = isOwnRecording(recording);
  const isByOther = recording.state === "recording" && recording.by !== undefined;
  return (
    <>
      <PopoverItem
        icon={
          isLocked ? <IconLockOpen size={20} aria-hidden /> : <IconLock size={20} aria-hidden />
        }
        label={t(isLocked ? "unlock" : "lock")}
        onPress={thenClose(() => room.setLocked(!isLocked))}
      />
      {isByOther ? null : (
        <PopoverItem
          icon={
            isRecording ? (
              <IconPlayerStop size={20} aria-hidden />
            ) : (
              <IconPlayerRecord size={20} aria-hidden />
            )
          }
          label={t(isRecording ? "stop_recording" : "record")}
          onPress={thenClose(() => void (isRecording ? room.stopRecording() : room.askToRecord()))}
        />
      )}
    </>
  );
}

function LeaveButton({ view, onLeave, onEnd }: ControlsProps): ReactNode {
  const icon = <IconPhoneOff aria-hidden />;
  if (!isHost(view.self?.role)) {
    return <ControlButton label={t("leave")} isDanger icon={icon} onPress={onLeave} />;
  }
  return (
    <Popover align="end" trigger={{ label: t("leave_options"), isDanger: true, icon }}>
      {(close) => (
        <>
          <PopoverItem
            icon={<IconPhoneOff size={20} aria-hidden />}
            label={t("leave_only")}
            onPress={onLeave}
          />
          <PopoverItem
            isDanger
            icon={<IconPlayerStop size={20} aria-hidden />}
            label={t("end_for_all")}
            onPress={() => {
              close();
              onEnd();
            }}
          />
        </>
      )}
    </Popover>
  );
}
