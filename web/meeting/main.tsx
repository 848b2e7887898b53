import "./meeting.css";
import { createRoot } from "react-dom/client";
import { endStart, pageRoot } from "../shared/page-root.ts";
import { postToParent } from "../shared/parent-frame.ts";
import { takeAddress } from "./entry/take-address.ts";
import { readFacts } from "./entry/facts.ts";
import { loadRoomScreen } from "./load-room-screen.ts";
import { Meeting } from "./meeting.ts";
import { MeetingPage } from "./meeting-page.tsx";
import { MessageScreen } from "./screens/message-screen.tsx";
import { language, speakToExpert, t } from "./texts.ts";

function start(): void {
  document.documentElement.lang = language;
  const facts = readFacts();
  if (facts?.expert !== undefined) {
    speakToExpert();
  }
  const root = createRoot(pageRoot());
  document.title = facts?.name || t("page_title");
  if (facts === undefined || facts.status === "ended" || facts.status === "cancelled") {
    const screen = facts === undefined ? "unknown" : (facts.status as "ended" | "cancelled");
    root.render(<MessageScreen screen={screen} facts={facts} />);
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
