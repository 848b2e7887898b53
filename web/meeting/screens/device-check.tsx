import { IconMicrophone, IconMicrophoneOff, IconVideo, IconVideoOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { DeviceFault, Room, RoomView } from "../../rooms/room.ts";
import { DeviceSelect } from "../../rooms/ui/device-select.tsx";
import { LevelMeter } from "../../rooms/ui/level-meter.tsx";
import { useDeviceList } from "../../rooms/ui/use-device-list.ts";
import { VideoTile } from "../../rooms/ui/video-tile.tsx";
import { findText, t, type TextKey } from "../texts.ts";
import { isFrontCamera } from "../room/person.ts";
import styles from "./device-check.module.css";

type DeviceProps = Readonly<{ room: Room; view: RoomView }>;

/** This person's picture, with buttons to switch camera and microphone off, and what is wrong with them. */
export function Preview({ room, view }: DeviceProps): ReactNode {
  const { stream, isCameraOn, isMicOn, cameraFault, micFault } = view.local;
  const isAsking = stream === undefined && cameraFault === undefined && micFault === undefined;
  const off = cameraFault === undefined ? t("camera_is_off") : "";
  return (
    <div className={styles.column}>
      <div className={styles.preview} data-faulty={cameraFault}>
        <VideoTile
          stream={stream}
          isVideoOn={isCameraOn}
          isSelf
          isMirrored={isFrontCamera(stream)}
          name={t("preview")}
          placeholder={<span>{isAsking ? t("asking_devices") : off}</span>}
        >
          <div className={styles.toggles}>
            <Toggle
              isOn={isMicOn}
              label={t(isMicOn ? "mute" : "unmute")}
              icon={isMicOn ? <IconMicrophone aria-hidden /> : <IconMicrophoneOff aria-hidden />}
              onPress={() => void room.setMic(!isMicOn)}
            />
            <Toggle
              isOn={isCameraOn}
              label={t(isCameraOn ? "camera_off" : "camera_on")}
              icon={isCameraOn ? <IconVideo aria-hidden /> : <IconVideoOff aria-hidden />}
              onPress={() => void room.setCamera(!isCameraOn)}
            />
          </div>
        </VideoTile>
      </div>
      <DeviceFaults room={room} view={view} />
    </div>
  );
}

type ToggleProps = Readonly<{ isOn: boolean; label: string; icon: ReactNode; onPress: () => void }>;

function Toggle({ isOn, label, icon, onPress }: ToggleProps): ReactNode {
  return (
    <button
      type="button"
      className={styles.toggle}
      data-off={isOn ? undefined : ""}
      aria-label={label}
      title={label}
      onClick={onPress}
    >
      {icon}
    </button>
  );
}

/** Which devices are used, and whether the microphone hears something. */
export function DeviceSettings({ room, view }: DeviceProps): ReactNode {
  const { stream, isMicOn } = view.local;
  const { cameras, microphones } = useDeviceList(stream);
  return (
    <div className={styles.settings}>
      <DeviceSelect
        label={t("camera")}
        nameOf={(number) => t("camera_number", { number: String(number) })}
        devices={cameras}
        track={stream?.getVideoTracks()[0]}
        onChoose={(id) => void room.chooseDevice("camera", id)}
      />
      <DeviceSelect
        label={t("microphone")}
        nameOf={(number) => t("microphone_number", { number: String(number) })}
        devices={microphones}
        track={stream?.getAudioTracks()[0]}
        onChoose={(id) => void room.chooseDevice("microphone", id)}
      />
      {isMicOn ? (
        <div className={styles.level}>
          <LevelMeter room={room} label={t("microphone_level")} />
          <span className={styles.note}>{t("speak")}</span>
        </div>
      ) : null}
    </div>
  );
}

/** What is wrong with the devices. One message if both are blocked: browsers allow them together. */
export function DeviceFaults({ room, view }: DeviceProps): ReactNode {
  const { cameraFault, micFault } = view.local;
  if (cameraFault === "denied" && micFault === "denied") {
    const open = (): void => void room.openDevices({ camera: true, microphone: true });
    return <Fault text={t("devices_denied")} onRetry={open} />;
  }
  return (
    <>
      {cameraFault === undefined ? null : (
        <Fault text={faultText("camera", cameraFault)} onRetry={() => void room.setCamera(true)} />
      )}
      {micFault === undefined ? null : (
        <Fault text={faultText("microphone", micFault)} onRetry={() => void room.setMic(true)} />
      )}
    </>
  );
}

function faultText(what: "camera" | "microphone", fault: DeviceFault): string {
  return findText(`${what}_${fault}`) ?? t(`${what}_failed` satisfies TextKey);
}

function Fault({ text, onRetry }: Readonly<{ text: string; onRetry: () => void }>): ReactNode {
  return (
    <p className={styles.fault} role="alert">
      {text}{" "}
      <button type="button" className={styles.retry} onClick={onRetry}>
        {t("retry")}
      </button>
    </p>
  );
}
