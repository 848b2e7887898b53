import { useCallback, useState } from "react";

export type BlockedSound = Readonly<{
  onBlocked: (video: HTMLVideoElement) => void;
  /** To be called in a click; undefined: nothing is blocked. */
  play: (() => void) | undefined;
}>;

/** Browsers may play no sound before a click, for instance after a reload. */
export function useBlockedSound(): BlockedSound {
  const [blocked, setBlocked] = useState<readonly HTMLVideoElement[]>([]);
  const onBlocked = useCallback(
    (video: HTMLVideoElement) =>
      setBlocked((known) => (known.includes(video) ? known : [...known, video])),
    [],
  );
  const play = (): void => {
    blocked.forEach((video) => void video.play().catch(() => undefined));
    setBlocked([]);
  };
  return { onBlocked, play: blocked.length === 0 ? undefined : play };
}
