/** The customer's page: one screen at a time. */
import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { postToParent } from "../shared/parent-frame.ts";
import type { OpenedVisit } from "./open-visit.ts";
import { PartBoundary } from "./part-boundary.tsx";
import { BrowserScreen } from "./screens/browser-screen.tsx";
import { ConsentScreen } from "./screens/consent-screen.tsx";
import { DeclineScreen } from "./screens/decline-screen.tsx";
import { EndScreen } from "./screens/end-screen.tsx";
import { Loading } from "./screens/loading.tsx";
import { PositionScreen } from "./screens/position-screen.tsx";
import { SurveyScreen } from "./screens/survey-screen.tsx";
import { WelcomeScreen } from "./screens/welcome-screen.tsx";
import type { Language } from "../shared/customer-language.ts";
import { loadTexts, WordsContext, type Words } from "./texts.ts";
import { useVisit, type VisitControl } from "./use-visit.ts";

const DevicesScreen = lazy(async () => {
  const { DevicesScreen: screen } = await import("./room/devices-screen.tsx");
  return { default: screen };
});

const CallScreen = lazy(async () => {
  const { CallScreen: screen } = await import("./room/call-screen.tsx");
  return { default: screen };
});

export type VisitPageProps = Readonly<{ secret: string; opened: OpenedVisit; words: Words }>;

export function VisitPage({ secret, opened, words: first }: VisitPageProps): ReactNode {
  const [words, setWords] = useState(first);
  const visit = useVisit(secret, opened);
  const { enterprise_name: enterprise } = visit.link;
  useEffect(() => postToParent({ type: "ready" }), []);
  useEffect(() => {
    document.title = enterprise === "" ? "Video" : enterprise;
  }, [enterprise]);
  const speak = (language: Language): void => {
    loadTexts(language).then(setWords, () => undefined);
  };
  return (
    <WordsContext value={words}>
      <PartBoundary>
        <Suspense fallback={<Loading />}>
          <CurrentScreen visit={visit} speak={speak} />
        </Suspense>
      </PartBoundary>
    </WordsContext>
  );
}

type CurrentScreenProps = Readonly<{ visit: VisitControl; speak: (language: Language) => void }>;

function CurrentScreen({ visit, speak }: CurrentScreenProps): ReactNode {
  const { screen } = visit;
  switch (screen) {
    case "welcome":
      return <WelcomeScreen visit={visit} onLanguage={speak} />;
    case "in-app":
    case "unsupported":
      return <BrowserScreen key={screen} visit={visit} isInApp={screen === "in-app"} />;
    case "consent":
      return <ConsentScreen visit={visit} />;
    case "decline":
      return <DeclineScreen visit={visit} />;
    case "position":
      return <PositionScreen visit={visit} />;
    case "devices":
      return <DevicesScreen visit={visit} />;
    case "room":
      return <CallScreen visit={visit} />;
    case "survey":
      return <SurveyScreen visit={visit} />;
    default:
      return <EndScreen key={screen} visit={visit} kind={screen} />;
  }
}
