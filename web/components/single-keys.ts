/**
 * Shortcuts without modifier: `n`, `/`, `?`. Users can switch them off (WCAG 2.1.4, speech input);
 * shortcuts with Ctrl or Cmd stay.
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
    // If storage is blocked, the choice lasts until the next page load.
  }
  listeners.forEach((listener) => listener());
}

/** `useHotkeys` that respects the setting for single-key shortcuts. */
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

/** In a cross-site frame, some browsers throw on access to storage. */
function readKept(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}
