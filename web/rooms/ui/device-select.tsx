import { useId, type ReactNode } from "react";
import styles from "./device-select.module.css";

export type DeviceSelectProps = Readonly<{
  label: string;
  /** The name of a device that has none, by its number. */
  nameOf: (number: number) => string;
  devices: readonly MediaDeviceInfo[];
  /** The track of the device that is used. */
  track: MediaStreamTrack | undefined;
  onChoose: (deviceId: string) => void;
}>;

/** Chooses a camera or a microphone. Nothing is shown while none is known. */
export function DeviceSelect(props: DeviceSelectProps): ReactNode {
  const { label, nameOf, devices, track, onChoose } = props;
  const id = useId();
  if (devices.length === 0) {
    return null;
  }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <select
        id={id}
        className={styles.select}
        value={track?.getSettings().deviceId ?? ""}
        onChange={({ currentTarget }) => onChoose(currentTarget.value)}
      >
        {track === undefined ? <option value="">–</option> : null}
        {devices.map((device, index) => (
          <option key={device.deviceId} value={device.deviceId}>
            {device.label === "" ? nameOf(index + 1) : device.label}
          </option>
        ))}
      </select>
    </div>
  );
}
