/** Passes a new secret to the page that shows it once. In memory only. */
import { useEffect, useSyncExternalStore } from "react";

let fresh: Readonly<{ webhookId: number; secret: string }> | undefined;

const listeners = new Set<() => void>();

export function keepFreshSecret(webhookId: number, secret: string): void {
  set({ webhookId, secret });
}

/** The new secret of this webhook, cleared when its page is left. */
export function useFreshSecret(webhookId: number): string | undefined {
  useEffect(() => forgetFreshSecret, [webhookId]);
  const kept = useSyncExternalStore(subscribe, () => fresh);
  return kept?.webhookId === webhookId ? kept.secret : undefined;
}

export function forgetFreshSecret(): void {
  set(undefined);
}

function set(next: typeof fresh): void {
  fresh = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
