/** The room token of this tab. It is a credential: it stays in the tab and ends with it. */

export type KeptVisit = Readonly<{ secret: string; token: string; isFinished?: boolean }>;

const key = "sightline.visit";

/** Undefined if the tab has no visit of this link. */
export function findKeptVisit(secret: string): KeptVisit | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as KeptVisit | null;
    return kept?.secret === secret ? kept : undefined;
  } catch {
    return undefined;
  }
}

export function keepVisit(visit: KeptVisit): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(visit));
  } catch {
    // Without storage a reload begins a new visit.
  }
}

export function dropVisit(): void {
  try {
    sessionStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
