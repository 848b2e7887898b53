/** Everything after, beside or instead of the call: what happened, and the one thing to do. */
import { useEffect, type ReactNode } from "react";
import { IconAlertTriangle, IconCheck, IconX, type Icon } from "@tabler/icons-react";
import { ApiFault } from "../../rooms/http.ts";
import { faultOf } from "../guest-api.ts";
import { useWords } from "../texts.ts";
import type { TextKey } from "../text-key.ts";
import type { VisitControl } from "../use-visit.ts";
import {
  nextCheckMs,
  screenOfClosedVisit,
  screenOfGone,
  type Screen as ScreenName,
} from "../visit-screen.ts";
import { Button, Screen } from "./screen.tsx";
import styles from "./screen.module.css";

type EndKind =
  | "declined"
  | "left"
  | "lost"
  | "elsewhere"
  | "closed"
  | "full"
  | "thanks"
  | "expired"
  | "cancelled"
  | "finished"
  | "deleted"
  | "unknown"
  | "failed";

type Action = Readonly<{ label: TextKey; run: (visit: VisitControl) => void }>;

const enterAgain = ({ go }: VisitControl): void => go("room");
const reopen = ({ reopen: read }: VisitControl): void => void read();

const actionsOf: Readonly<Record<EndKind, readonly Action[]>> = {
  declined: [],
  left: [
    { label: "return", run: enterAgain },
    { label: "finish", run: (visit) => void finishOrSurvey(visit) },
  ],
  lost: [{ label: "return", run: reopen }],
  elsewhere: [{ label: "use_here", run: enterAgain }],
  closed: [],
  full: [{ label: "retry", run: enterAgain }],
  thanks: [{ label: "call_again", run: ({ restart }) => void restart() }],
  expired: [],
  cancelled: [],
  finished: [],
  deleted: [],
  unknown: [],
  failed: [{ label: "retry", run: reopen }],
};

const icons: Readonly<Record<EndKind, Icon>> = {
  declined: IconX,
  left: IconCheck,
  lost: IconAlertTriangle,
  elsewhere: IconCheck,
  closed: IconCheck,
  full: IconX,
  thanks: IconCheck,
  expired: IconX,
  cancelled: IconX,
  finished: IconCheck,
  deleted: IconX,
  unknown: IconX,
  failed: IconAlertTriangle,
};

export function EndScreen({
  visit,
  kind,
}: Readonly<{ visit: VisitControl; kind: EndKind }>): ReactNode {
  const { t } = useWords();
  const { who, link } = visit;
  useWhatFollows(visit, kind);
  const EndIcon = icons[kind];
  // Without the data of the link, there is nothing left to do.
  const isReopened = link.state === "";
  const actions = kind === "thanks" && isReopened ? [] : actionsOf[kind];
  return (
    <Screen
      isCentered
      above={
        <span className={styles.icon}>
          <EndIcon size={34} aria-hidden />
        </span>
      }
      title={t(kind, { who })}
      text={t(isReopened && kind === "declined" ? "declined_over_text" : `${kind}_text`, { who })}
      actions={
        actions.length === 0
          ? undefined
          : actions.map(({ label, run }, index) => (
              <Button
                key={label}
                isMain={index === 0 && kind !== "thanks"}
                onPress={() => run(visit)}
              >
                {t(label)}
              </Button>
            ))
      }
    />
  );
}

/** The survey comes when the session is over, which may be some time after the customer left. */
async function finishOrSurvey({ api, go, finish }: VisitControl): Promise<void> {
  const visit = await api.readVisit().catch(() => undefined);
  if (visit?.is_survey_due === true) {
    go("survey");
  } else {
    finish();
  }
}

/** The survey, when it is due; and after a call that others ended, why, where that is known. */
function useWhatFollows({ api, go }: VisitControl, kind: EndKind): void {
  useEffect(() => {
    if (kind !== "closed" && kind !== "left") {
      return undefined;
    }
    const sinceMs = Date.now();
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const check = async (): Promise<void> => {
      const visit = await api.readVisit().catch(faultOf);
      const isFault = visit instanceof ApiFault;
      const next = isFault ? screenOfFault(visit) : screenOfClosedVisit(visit);
      const waitMs = nextCheckMs(Date.now() - sinceMs);
      if (isOver) {
        return;
      }
      if (next === "survey" || (kind === "closed" && next !== "closed")) {
        go(next);
      } else if (waitMs !== undefined && !(isFault && [401, 410].includes(visit.status))) {
        timer = setTimeout(() => void check(), waitMs);
      }
    };
    void check();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [api, go, kind]);
}

/** A ticket that was deleted; after other faults, the next check tells. */
function screenOfFault({ status, details }: ApiFault): ScreenName {
  return status === 410 ? screenOfGone(details) : "closed";
}
