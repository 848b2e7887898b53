/**
 * The room token of this tab. It is a credential: it stays in the tab and ends with it. Without
 * storage a reload begins a new visit.
 */
import { createKeptDevices } from "../rooms/kept-devices.ts";
import { createTabMemory } from "../shared/tab-memory.ts";

export type KeptVisit = Readonly<{ secret: string; token: string; isFinished?: boolean }>;

const memory = createTabMemory<KeptVisit>("sightline.visit");

export const { keep: keepVisit, forget: dropVisit } = memory;

/** Of the visit of this tab. */
export const keptDevices = createKeptDevices("sightline.visit.devices");

/** Undefined if the tab has no visit of this link. */
export function findKeptVisit(secret: string): KeptVisit | undefined {
  const kept = memory.read();
  return kept?.secret === secret ? kept : undefined;
}
