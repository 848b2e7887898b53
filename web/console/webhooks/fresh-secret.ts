/** A secret that was just made, on its way to the one page that shows it. Never stored. */
import { useEffect, useSyncExternalStore } from "react";

let fresh: Readonly<{ webhookId: number; secret: string }> | undefined;
const listeners = new Set<() => void>();

const set = (next: typeof fresh): void => {
  fresh = next;
  listeners.forEach((listener) => listener());
};

export const keepFreshSecret = (webhookId: number, secret: string): void =>
  set({ webhookId, secret });

export const forgetFreshSecret = (): void => set(undefined);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** The secret that was just made for this webhook. Forgotten when its page is left. */
export const useFreshSecret = (webhookId: number): string | undefined => {
  useEffect(() => forgetFreshSecret, [webhookId]);
  const kept = useSyncExternalStore(subscribe, () => fresh);
  return kept?.webhookId === webhookId ? kept.secret : undefined;
};
