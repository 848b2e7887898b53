/** Which of the two dialogs is open. */
import { useSyncExternalStore } from "react";

export type Shown = "commands" | "shortcuts" | null;

let shown: Shown = null;

const listeners = new Set<() => void>();

export function show(what: Shown): void {
  shown = what;
  listeners.forEach((listener) => listener());
}

export function useShown(): Shown {
  return useSyncExternalStore(listen, () => shown);
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
