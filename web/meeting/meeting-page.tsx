import { lazy, Suspense, useEffect, useSyncExternalStore, type ReactNode } from "react";
import { useSteadyRoom } from "../rooms/ui/use-steady-room.ts";
import { loadRoomScreen } from "./load-room-screen.ts";
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
  const view = useSteadyRoom(state.room);
  const screen =
    state.fault === "link" || state.fault === "over" ? "gone" : screenOf(state.stage, view);
  useParentMessages(screen, view);
  useEffect(() => {
    if (screen === "ended" || screen === "removed" || screen === "denied") {
      meeting.forgetEntry();
    }
  }, [meeting, screen]);
  switch (screen) {
    case "gone":
      return (
        <MessageScreen screen={state.fault === "link" ? "link" : "ended"} facts={meeting.facts} />
      );
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
    default:
      return (
        <MessageScreen screen={screen} facts={meeting.facts} onAction={actionOf(meeting, screen)} />
      );
  }
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
