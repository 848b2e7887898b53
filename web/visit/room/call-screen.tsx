/** The room: the agent's voice or video, the customer's picture, and the controls. */
import { useRef, useState, type ReactNode } from "react";
import type { Room, RoomView } from "../../rooms/room.ts";
import { useRoom } from "../../rooms/ui/use-room.ts";
import type { VisitControl } from "../use-visit.ts";
import styles from "./call-screen.module.css";
import { ChatSheet } from "./chat-sheet.tsx";
import { Controls } from "./controls.tsx";
import { LeaveQuestion, RecordingQuestion } from "./questions.tsx";
import { Stage } from "./stage.tsx";
import { TopBar } from "./top-bar.tsx";
import { WithRoom } from "./with-room.tsx";
import { useCall } from "./use-call.ts";
import { useCallEvents } from "./use-call-events.ts";

type Props = Readonly<{ visit: VisitControl }>;

export function CallScreen({ visit }: Props): ReactNode {
  return <WithRoom visit={visit}>{(room) => <Call visit={visit} room={room} />}</WithRoom>;
}

function Call({ visit, room }: Props & Readonly<{ room: Room }>): ReactNode {
  const view = useRoom(room);
  const [isChatOpen, setChatOpen] = useState(false);
  const draft = useRef("");
  const [isLeaving, setLeaving] = useState(false);
  const events = useCallEvents(view, isChatOpen);
  useCall(visit, room, view);
  const agent = agentOf(view);
  const who = agent?.name === undefined || agent.name === "" ? visit.who : agent.name;
  const isAsked = view.recording.state === "asked";
  return (
    <div className={styles.call} data-chat={isChatOpen ? "" : undefined}>
      <div className={styles.main}>
        <TopBar {...{ view, room, agent, who, events }} />
        <Stage {...{ view, room, agent, who }} isFlashing={events.isFlashing} />
        <Controls
          {...{ view, room, isChatOpen }}
          unread={events.unread}
          onOwnMute={events.expectMute}
          onChat={() => setChatOpen(!isChatOpen)}
          onLeave={() => setLeaving(true)}
        />
      </div>
      {isChatOpen ? (
        <ChatSheet
          {...{ view, room, who, draft }}
          onFile={events.expectFile}
          onClose={() => setChatOpen(false)}
        />
      ) : null}
      {isAsked ? <RecordingQuestion who={who} onAnswer={room.answerRecording} /> : null}
      {isLeaving && !isAsked ? (
        <LeaveQuestion onCancel={() => setLeaving(false)} onLeave={() => void room.leave()} />
      ) : null}
    </div>
  );
}

/** The agent of the ticket, else another person in the call. */
function agentOf({ peers }: RoomView) {
  const present = peers.filter(({ isInCall, role }) => isInCall && role !== "expert");
  return present.find(({ role }) => role === "agent") ?? present[0];
}
