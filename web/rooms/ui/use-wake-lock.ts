import { useEffect } from "react";

/** Keeps the screen of a phone on while `isOn`. The browser drops the lock of a hidden page. */
export function useWakeLock(isOn: boolean): void {
  useEffect(() => {
    if (!isOn || !mayLock()) {
      return undefined;
    }
    let lock: WakeLockSentinel | undefined;
    let isOver = false;
    const request = async (): Promise<void> => {
      if (document.visibilityState !== "visible") {
        return;
      }
      try {
        const granted = await navigator.wakeLock.request("screen");
        if (isOver) {
          await granted.release();
        } else {
          lock = granted;
        }
      } catch {
        // Refused, for instance because the battery is low.
      }
    };
    const onVisible = (): void => void request();
    document.addEventListener("visibilitychange", onVisible);
    void request();
    return () => {
      isOver = true;
      document.removeEventListener("visibilitychange", onVisible);
      void lock?.release().catch(() => undefined);
    };
  }, [isOn]);
}

/** Asked for in a frame that may not, Chromium writes an error to the console. */
function mayLock(): boolean {
  const { featurePolicy } = document as {
    featurePolicy?: { allowsFeature(name: string): boolean };
  };
  return "wakeLock" in navigator && featurePolicy?.allowsFeature("screen-wake-lock") !== false;
}
