/** Handles the end of a session while a page is open: offers to sign in again. */
import { focusManager, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { whenSignedOut } from "../base/api.ts";
import { fetchSession, whenSignedInElsewhere, type Session } from "../base/session.ts";
import { lazyDialog } from "../components/lazy-dialog.tsx";
import { router } from "./router.tsx";
import { sessionQuery } from "./session.ts";

const [SessionEnded] = lazyDialog(
  async () => (await import("./sign-in/session-ended.tsx")).SessionEnded,
);

/** Rendered beside every page of the console. */
export function SessionWatch() {
  const queries = useQueryClient();
  const { ended, finish } = useEndedSession();
  const goOn = (session: Session): void => {
    if (session.user.id !== ended?.user.id) {
      window.location.reload(); // another user signed in, so discard the page's state
      return;
    }
    queries.setQueryData(sessionQuery.queryKey, session);
    finish();
    wakeLiveParts();
    void queries.invalidateQueries();
  };
  useSessionFromOtherTab(ended !== undefined, goOn);
  if (ended === undefined) {
    return null;
  }
  const leave = (): void => {
    const next = router.state.location.href;
    queries.clear();
    queries.setQueryData(sessionQuery.queryKey, null);
    finish();
    void router.navigate({ to: "/login", search: { next, reason: "ended" } });
  };
  return (
    <SessionEnded login={ended.user.login} onSignedIn={goOn} onLeave={leave} onClose={leave} />
  );
}

function useEndedSession() {
  const queries = useQueryClient();
  const [ended, setEnded] = useState<Session>();
  useEffect(
    () =>
      whenSignedOut(() => {
        const session = queries.getQueryData(sessionQuery.queryKey);
        if (session !== undefined && session !== null) {
          holdQuestions(true);
          setEnded(session);
        }
      }),
    [queries],
  );
  const finish = useCallback((): void => {
    setEnded(undefined);
    holdQuestions(false);
  }, []);
  return { ended, finish };
}

/** Pauses polling while signed out, because each request would be rejected. */
function holdQuestions(isHeld: boolean): void {
  focusManager.setFocused(isHeld ? false : undefined);
}

/** Restarts parts that follow the page's visibility, such as live data. */
function wakeLiveParts(): void {
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Continues here once the user has signed in again in another tab. */
function useSessionFromOtherTab(isEnded: boolean, goOn: (session: Session) => void): void {
  const found = useEffectEvent(goOn);
  useEffect(() => {
    if (!isEnded) {
      return undefined;
    }
    let isOver = false;
    const checkSession = async (): Promise<void> => {
      const session = await fetchSession().catch(() => null);
      if (session !== null && !isOver) {
        found(session);
      }
    };
    void checkSession();
    const stop = whenSignedInElsewhere(() => void checkSession());
    return () => {
      isOver = true;
      stop();
    };
  }, [isEnded]);
}
