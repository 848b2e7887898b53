import { useEffect, useMemo, useRef, useState } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";

const shownMs = 6_000;

export type MutedByHost = Readonly<{
  isShown: boolean;
  /** The room for the controls, to exclude the person's own changes. */
  room: Room;
}>;

/** The microphone was muted by a host: it works, and the person did not mute it. */
export function useMutedByHost(room: Room, { local }: RoomView): MutedByHost {
  const { isMicOn, micFault } = local;
  const expected = useRef(isMicOn);
  const [mutedAt, setMutedAt] = useState<number>();
  const controlled = useMemo(
    (): Room => ({
      ...room,
      setMic: (isOn) => {
        expected.current = isOn;
        return room.setMic(isOn);
      },
    }),
    [room],
  );
  useEffect(() => {
    const isSurprise = !isMicOn && expected.current && micFault === undefined;
    expected.current = isMicOn;
    if (!isSurprise) {
      return undefined;
    }
    const show = setTimeout(() => setMutedAt(Date.now()));
    return () => clearTimeout(show);
  }, [isMicOn, micFault]);
  useEffect(() => {
    const hide = setTimeout(() => setMutedAt(undefined), shownMs);
    return () => clearTimeout(hide);
  }, [mutedAt]);
  return { isShown: mutedAt !== undefined && !isMicOn, room: controlled };
}
