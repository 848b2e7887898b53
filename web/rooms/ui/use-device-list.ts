import { useEffect, useState } from "react";

export type DeviceList = Readonly<{
  cameras: readonly MediaDeviceInfo[];
  microphones: readonly MediaDeviceInfo[];
}>;

const none: DeviceList = { cameras: [], microphones: [] };

/** Which devices there are. Their names are known only once one was allowed: then `stream` changes. */
export function useDeviceList(stream: MediaStream | undefined): DeviceList {
  const [list, setList] = useState(none);
  useEffect(() => {
    const devices = navigator.mediaDevices as MediaDevices | undefined;
    let isOver = false;
    const read = async (): Promise<void> => {
      const found = (await devices?.enumerateDevices().catch(() => [])) ?? [];
      if (!isOver) {
        const known = found.filter(({ deviceId }) => deviceId !== "");
        setList({
          cameras: known.filter(({ kind }) => kind === "videoinput"),
          microphones: known.filter(({ kind }) => kind === "audioinput"),
        });
      }
    };
    const onChange = (): void => void read();
    void read();
    devices?.addEventListener("devicechange", onChange);
    return () => {
      isOver = true;
      devices?.removeEventListener("devicechange", onChange);
    };
  }, [stream]);
  return list;
}
