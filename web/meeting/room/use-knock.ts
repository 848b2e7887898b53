import { useEffect, useRef } from "react";
import type { WaitingPerson } from "../../../src/contracts/room-messages.ts";
import { t } from "../texts.ts";
import { playKnock } from "./sounds.ts";

const flashMs = 1_000;

/** Notifies a host of a waiting guest, by sound and in the title of the tab. */
export function useKnock(waiting: readonly WaitingPerson[]): void {
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const isNew = waiting.some(({ participant }) => !known.current.has(participant));
    known.current = new Set(waiting.map(({ participant }) => participant));
    if (isNew) {
      playKnock();
    }
  }, [waiting]);
  const count = waiting.length;
  useEffect(() => {
    if (count === 0) {
      return undefined;
    }
    const before = document.title;
    const flash = `(${count}) ${t("title_waiting")}`;
    document.title = flash;
    const timer = setInterval(() => {
      document.title = document.title === flash ? before : flash;
    }, flashMs);
    return () => {
      clearInterval(timer);
      document.title = before;
    };
  }, [count]);
}
