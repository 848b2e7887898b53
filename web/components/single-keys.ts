/**
 * Shortcuts of one key: `n`, `/`, `?`. Who types with a speech recognizer, or by accident, can
 * switch them off (WCAG 2.1.4); those with Ctrl or Cmd stay.
 */
import { useHotkeys, type HotkeyItem } from "@mantine/hooks";
import { useSyncExternalStore } from "react";

const storageKey = "sightline.single-keys";

let areOn = readKept();

const listeners = new Set<() => void>();

export function switchSingleKeys(on: boolean): void {
  areOn = on;
  try {
    localStorage.setItem(storageKey, on ? "on" : "off");
  } catch {
    // For this page only.
  }
  listeners.forEach((listener) => listener());
}

/** As `useHotkeys`, while single keys are on. */
export function useSingleKeys(keys: HotkeyItem[]): void {
  useHotkeys(useAreSingleKeysOn() ? keys : []);
}

export function useAreSingleKeysOn(): boolean {
  return useSyncExternalStore(listen, () => areOn);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** In a frame of another site, some browsers refuse even to look. */
function readKept(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}
