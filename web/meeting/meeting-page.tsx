import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { useRoom } from "../rooms/ui/use-room.ts";
import { loadRoomScreen } from "./load-room-screen.ts";
import type { EntryFault } from "./entry/enter.ts";
import { fetchFacts, type MeetingFacts } from "./entry/facts.ts";
import type { Meeting } from "./meeting.ts";
import { screenOf, type MessageScreen as MessageName } from "./screen.ts";
import { ConnectingScreen } from "./screens/connecting-screen.tsx";
import { MessageScreen } from "./screens/message-screen.tsx";
import { NameCard } from "./screens/name-card.tsx";
import { WaitingScreen } from "./screens/waiting-screen.tsx";
import { useParentMessages } from "./use-parent-messages.ts";

const RoomScreen = lazy(loadRoomScreen);

export function MeetingPage({ meeting }: Readonly<{ meeting: Meeting }>): ReactNode {
  const state = useSyncExternalStore(meeting.subscribe, meeting.state);
  const view = useRoom(state.room);
  const screen = screenOfFault(state.fault) ?? screenOf(state.stage, view);
  useParentMessages(screen, view);
  useEffect(() => {
    if (screen === "ended" || screen === "removed" || screen === "denied") {
      meeting.forgetEntry();
    }
  }, [meeting, screen]);
  switch (screen) {
    case "card":
      return <NameCard meeting={meeting} state={state} view={view} />;
    case "connecting":
      return <ConnectingScreen />;
    case "waiting":
      return <WaitingScreen meeting={meeting} room={state.room} view={view} />;
    case "room":
      return (
        <Suspense fallback={<ConnectingScreen />}>
          <RoomScreen meeting={meeting} room={state.room} view={view} />
        </Suspense>
      );
    case "ended":
      return <EndedScreen facts={meeting.facts} wasWaiting={view.phase === "waiting"} />;
    default:
      return (
        <MessageScreen screen={screen} facts={meeting.facts} onAction={actionOf(meeting, screen)} />
      );
  }
}

/** Entry errors that the card cannot solve. */
function screenOfFault(fault: EntryFault | undefined): MessageName | undefined {
  return fault === "link" || fault === "over" || fault === "cancelled" ? fault : undefined;
}

/** A waiting guest learns only that the room is closed; asks the platform whether it was cancelled. */
function EndedScreen({
  facts,
  wasWaiting,
}: Readonly<{ facts: MeetingFacts; wasWaiting: boolean }>): ReactNode {
  const [isCancelled, setCancelled] = useState(false);
  useEffect(() => {
    if (wasWaiting) {
      fetchFacts().then(
        (now) => setCancelled(now?.status === "cancelled"),
        () => undefined, // what is known is shown
      );
    }
  }, [wasWaiting]);
  return <MessageScreen screen={isCancelled ? "cancelled" : "ended"} facts={facts} />;
}

function actionOf(meeting: Meeting, screen: MessageName): (() => void) | undefined {
  switch (screen) {
    case "left":
    case "elsewhere":
    case "full":
    case "locked":
      return () => void meeting.joinAgain();
    case "expired":
      return () => void meeting.askAgain();
    case "failed":
      return () => meeting.startOver();
    default:
      return undefined;
  }
}
