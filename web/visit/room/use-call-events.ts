/** What the customer is notified of: what the agent did with their camera, and new messages. */
import { useEffect, useRef, useState } from "react";
import type { RoomView } from "../../rooms/room.ts";
import { useUnread } from "../../rooms/ui/use-unread.ts";
import { postToParent } from "../../shared/parent-frame.ts";
import type { TextKey } from "../text-key.ts";
import { noteOfChange } from "./note-of-change.ts";

export type CallEvents = Readonly<{
  /** Shown for some seconds. */
  note: TextKey | undefined;
  isFlashing: boolean;
  unread: number;
  /** The customer mutes the microphone, so no notification is needed. */
  expectMute(): void;
  /** Whether the customer sends a file at the moment: that is no photo of the agent's. */
  expectFile(isExpected: boolean): void;
}>;

const noteMs = 4_000;
const flashMs = 450;

export function useCallEvents(view: RoomView, isChatOpen: boolean): CallEvents {
  const before = useRef(view);
  const isMuteExpected = useRef(false);
  const isFileExpected = useRef(false);
  const [note, setNote] = useTemporary<TextKey>(noteMs);
  const [flash, setFlash] = useTemporary<number>(flashMs);
  useEffect(() => {
    const last = before.current;
    before.current = view;
    const change = noteOfChange(last, view, {
      isMuteExpected: isMuteExpected.current,
      isFileExpected: isFileExpected.current,
    });
    if (last.local.isMicOn !== view.local.isMicOn) {
      isMuteExpected.current = false;
    }
    if (change === undefined) {
      return;
    }
    setNote(change.note);
    if (change.mediaId !== undefined) {
      setFlash(change.mediaId);
      postToParent({ type: "snapshot", mediaId: change.mediaId });
    }
  }, [view, setNote, setFlash]);
  return {
    note,
    isFlashing: flash !== undefined,
    unread: useUnread(view.messages, isChatOpen),
    expectMute: () => {
      isMuteExpected.current = true;
    },
    expectFile: (isExpected) => {
      isFileExpected.current = isExpected;
    },
  };
}

/** A value that is cleared after a time. */
function useTemporary<T>(ms: number): [T | undefined, (value: T) => void] {
  const [held, setHeld] = useState<Readonly<{ value: T }>>();
  useEffect(() => {
    if (held === undefined) {
      return undefined;
    }
    const timer = setTimeout(() => setHeld(undefined), ms);
    return () => clearTimeout(timer);
  }, [held, ms]);
  const [set] = useState(() => (value: T) => setHeld({ value }));
  return [held?.value, set];
}
