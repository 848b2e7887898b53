/**
 * Whether the agent transferred the ticket on this page. A session for one ticket ends with that:
 * nobody is asked to sign in again, even if another request learned of it before the transfer was
 * answered.
 */
import { useSyncExternalStore } from "react";

let isHandedOver = false;

const listeners = new Set<() => void>();

export function markHandedOver(): void {
  isHandedOver = true;
  listeners.forEach((notify) => notify());
}

export function useHandedOver(): boolean {
  return useSyncExternalStore(subscribe, () => isHandedOver);
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
