/** Which of the two is open over the page. */
import { useSyncExternalStore } from "react";

export type Shown = "commands" | "shortcuts" | null;

let shown: Shown = null;
const listeners = new Set<() => void>();

const listen = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function show(what: Shown): void {
  shown = what;
  listeners.forEach((tell) => tell());
}

export const useShown = (): Shown => useSyncExternalStore(listen, () => shown);
