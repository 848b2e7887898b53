import "./meeting.css";
import { createRoot } from "react-dom/client";
import { endStart, pageRoot } from "../shared/page-root.ts";
import { postToParent } from "../shared/parent-frame.ts";
import { takeAddress } from "./entry/take-address.ts";
import { readFacts, type MeetingFacts } from "./entry/facts.ts";
import { loadRoomScreen } from "./load-room-screen.ts";
import { Meeting } from "./meeting.ts";
import { MeetingPage } from "./meeting-page.tsx";
import type { MessageScreen as MessageName } from "./screen.ts";
import { MessageScreen } from "./screens/message-screen.tsx";
import { language, speakToExpert, t } from "./texts.ts";

function screenOfStatus(status: MeetingFacts["status"] | undefined): MessageName {
  if (status === undefined) {
    return "unknown";
  }
  return status === "cancelled" ? "cancelled" : "over";
}

function start(): void {
  document.documentElement.lang = language;
  const facts = readFacts();
  if (facts?.expert !== undefined) {
    speakToExpert();
  }
  const root = createRoot(pageRoot());
  document.title = facts?.name || t("page_title");
  if (facts === undefined || facts.status === "ended" || facts.status === "cancelled") {
    root.render(<MessageScreen screen={screenOfStatus(facts?.status)} facts={facts} />);
  } else {
    const meeting = new Meeting(facts, takeAddress());
    root.render(<MeetingPage meeting={meeting} />);
    void meeting.start();
    void loadRoomScreen();
  }
  postToParent({ type: "ready" });
  endStart();
}

start();
