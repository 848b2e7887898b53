/** The state of the page: the screen, and what the screens do. */
import { useCallback, useMemo, useRef, useState } from "react";
import type { Room } from "../rooms/room.ts";
import { createGuestApi, faultOf, type GuestApi } from "./guest-api.ts";
import type { GuestLink, PositionRequest } from "./guest-types.ts";
import { dropVisit, keepVisit } from "./kept-visit.ts";
import { openVisit, type OpenedVisit } from "./open-visit.ts";
import { postToParent } from "../shared/parent-frame.ts";
import { screenOfGone, type Screen } from "./visit-screen.ts";

export type VisitControl = Readonly<{
  screen: Screen;
  link: GuestLink;
  /** Who calls, as the customer knows them. */
  who: string;
  api: GuestApi;
  position: PositionRequest | undefined;
  isBusy: boolean;
  /** The last attempt did not reach the platform. */
  hasFailed: boolean;
  go(screen: Screen, position?: PositionRequest): void;
  /** Does one thing at a time; a refusal becomes a screen or a notice. */
  run(work: () => Promise<void>): Promise<void>;
  /** The room of this visit, made when it is first needed. */
  openRoom(): Promise<Room>;
  closeRoom(): void;
  /** The call and its survey are done. */
  finish(): void;
  /** Refetches the progress of this visit. */
  reopen(): Promise<void>;
  /** A new visit of the same link. */
  restart(): Promise<void>;
}>;

const noLink: GuestLink = {
  ...{ state: "", service_name: "", enterprise_name: "", agent_name: "" },
  ...{ subject: null, language: null, is_survey_due: false },
};

export function useVisit(secret: string, first: OpenedVisit): VisitControl {
  const [opened, setOpened] = useState<VisitState>(first);
  const attempt = useAttempt(setOpened);
  const { link = noLink, token = "", screen, position, hasFailed = false } = opened;
  const { openRoom, closeRoom } = useCallRoom(token);
  const api = useMemo(() => createGuestApi(token), [token]);
  const go = useCallback((next: Screen, asked?: PositionRequest) => {
    setOpened((before) => ({
      ...before,
      screen: next,
      position: asked ?? before.position,
      hasFailed: false,
    }));
  }, []);
  const reopen = async (): Promise<void> => {
    closeRoom();
    const next = await openVisit(secret);
    setOpened((before) => ({ ...before, ...next, hasFailed: false }));
  };
  return {
    ...{ screen, link, api, position, go, openRoom, closeRoom, reopen, hasFailed, ...attempt },
    who: link.agent_name === "" ? link.enterprise_name : link.agent_name,
    finish: () => {
      closeRoom();
      keepVisit({ secret, token, isFinished: true });
      go("thanks");
    },
    restart: () => {
      dropVisit();
      return reopen();
    },
  };
}

/** A failure belongs to its screen. */
type VisitState = OpenedVisit & Readonly<{ hasFailed?: boolean }>;

type SetOpened = (change: (before: VisitState) => VisitState) => void;

function useAttempt(setOpened: SetOpened): Pick<VisitControl, "run" | "isBusy"> {
  const [isBusy, setBusy] = useState(false);
  const setFailed = (hasFailed: boolean): void => setOpened((before) => ({ ...before, hasFailed }));
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (isBusy) {
      return;
    }
    setBusy(true);
    setFailed(false);
    try {
      await work();
    } catch (thrown) {
      const { status, details } = faultOf(thrown);
      if (status === 410) {
        postToParent({ type: "ended" });
        setOpened((before) => ({ ...before, screen: screenOfGone(details) }));
      } else {
        setFailed(true);
      }
    } finally {
      setBusy(false);
    }
  };
  return { run, isBusy };
}

function useCallRoom(token: string): Pick<VisitControl, "openRoom" | "closeRoom"> {
  const made = useRef<Promise<Room> | undefined>(undefined);
  const openRoom = useCallback((): Promise<Room> => {
    made.current ??= import("../rooms/create-room.ts").then(({ createRoom }) =>
      createRoom({ token, facing: "environment" }),
    );
    return made.current;
  }, [token]);
  const closeRoom = useCallback(() => {
    void made.current?.then((room) => room.close());
    made.current = undefined;
  }, []);
  return { openRoom, closeRoom };
}
