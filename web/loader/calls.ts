/**
 * Calls: shows the agent's page in the box of the ticket, or in a tab where that is not possible,
 * and tracks whether the ticket's room has participants.
 */
import type { BoxKind, AckError } from "../../src/contracts/signalling.ts";
import type { Box } from "./box.ts";
import { openCallPage, type CallPage } from "./call-page.ts";
import type { NotInBox } from "./call-view.ts";
import { formatDuration } from "./duration.ts";
import type { Frame } from "./frame.ts";
import { askWithRetry } from "./retry.ts";
import type { Ask } from "./signal.ts";
import type { Texts } from "./texts.ts";

export type CallsDeps = Readonly<{
  ask: Ask;
  frame: Frame;
  texts: Texts;
  /** Origin of the platform. */
  root: string;
  openBox(destId: number): Promise<Box | undefined>;
  findBox(destId: number): Box | undefined;
  showFault(error: AckError["error"]): void;
}>;

export type Calls = Readonly<{
  /** Out: whether the call is shown, in the box or in a tab. */
  begin(destId: number): Promise<boolean>;
  /** The agent does not want it any more. */
  end(destId: number, kind: BoxKind): void;
  /** Moves the call from the box to a tab. */
  moveToTab(destId: number): void;
  /** Handles a change of the room. */
  change(input: Readonly<{ destId: number; isOngoing: boolean }>): void;
  /** Called after a reconnect. */
  resume(): void;
  endAll(): void;
}>;

type Call = {
  readonly agentUrl: string;
  /** The room had participants since the call started. */
  isOngoing: boolean;
  page: CallPage | undefined;
  /** Since when the agent is in the call; known in the box only. */
  sinceMs: number | undefined;
};

type World = Readonly<{ deps: CallsDeps; calls: Map<number, Call> }>;

export function createCalls(deps: CallsDeps): Calls {
  const calls = new Map<number, Call>();
  const world: World = { deps, calls };
  const starting = new Map<number, Promise<boolean>>();
  return {
    begin: (destId) => {
      const begun = starting.get(destId) ?? begin(world, destId);
      starting.set(destId, begun);
      const forget = (): void => void starting.delete(destId);
      begun.then(forget, forget);
      return begun;
    },
    end: (destId, kind) => {
      if (kind === "ticket") {
        end(world, destId, false);
      }
    },
    moveToTab: (destId) => {
      const call = calls.get(destId);
      if (call !== undefined) {
        openTab(world, destId, call);
      }
    },
    change: ({ destId, isOngoing }) => {
      const call = calls.get(destId);
      if (call !== undefined) {
        call.isOngoing = isOngoing;
        if (!isOngoing) {
          endOrWait(world, destId, call);
        }
      }
    },
    resume: () => calls.forEach((call, destId) => void watchAgain(world, destId, call)),
    endAll: () => [...calls.keys()].forEach((destId) => end(world, destId, false)),
  };
}

async function begin(world: World, destId: number): Promise<boolean> {
  const { ask, frame, openBox, showFault } = world.deps;
  const box = await openBox(destId);
  if (box === undefined) {
    return false;
  }
  box.maximize();
  if (world.calls.get(destId)?.page !== undefined) {
    box.view.call.showPage();
    return true;
  }
  const isFree = [...world.calls.values()].every(({ page }) => page === undefined);
  const [ack, access] = await Promise.all([
    ask("call", { destId }),
    isFree ? ask("call-page", { destId }) : undefined,
  ]);
  if (!ack.ok) {
    showFault(ack.error);
    return false;
  }
  const { agentUrl, isOngoing } = ack;
  const call: Call = { agentUrl, isOngoing, page: undefined, sinceMs: undefined };
  world.calls.set(destId, call);
  frame.start();
  if (access === undefined) {
    return openTab(world, destId, call, "other");
  }
  if (!access.ok || access.ssoUrl === null) {
    return openTab(world, destId, call, access.ok ? "domain" : "refused");
  }
  return openInBox(world, { destId, call, box, ssoUrl: access.ssoUrl });
}

type CallInBox = Readonly<{ destId: number; call: Call; box: Box; ssoUrl: string }>;

async function openInBox(world: World, { destId, call, box, ssoUrl }: CallInBox): Promise<boolean> {
  const { root, texts } = world.deps;
  const { call: view } = box.view;
  // At the address that the host uses, which may be an alias of its own domain.
  const { pathname, search } = new URL(ssoUrl);
  const setSince = (sinceMs: number | undefined): void => {
    call.sinceMs = sinceMs;
    view.setSince(sinceMs);
    view.setStatus(sinceMs === undefined ? "left" : "joined");
  };
  const refuse = (): boolean =>
    world.calls.get(destId) === call && openTab(world, destId, call, "refused");
  view.showPage();
  view.setStatus("opening");
  const page = openCallPage(
    { root, address: root + pathname + search, title: texts.call, place: view.place },
    {
      "signed-out": refuse,
      ringing: ({ isRinging }) => view.setStatus(isRinging === true ? "ringing" : "ready"),
      joined: () => setSince(Date.now()),
      left: () => setSince(undefined),
      snapshot: () => box.addEvent(texts.photo),
      ended: () => end(world, destId, true),
    },
  );
  call.page = page;
  const outcome = await page.outcome;
  if (outcome === "ready") {
    view.setStatus("ready");
    if (box.view.root.contains(document.activeElement)) {
      box.view.focus(); // the keyboard answers the customer
    }
  }
  return outcome === "failed" ? refuse() : outcome === "ready";
}

/** Returns whether the browser opened it. A call in the box then moves there. */
function openTab(world: World, destId: number, call: Call, why?: NotInBox): boolean {
  // Without "noopener", because `window.open` would then return null, as for a blocked tab.
  const tab = window.open(call.agentUrl, "_blank");
  if (tab !== null) {
    tab.opener = null;
  }
  const blockedUrl = tab === null ? call.agentUrl : undefined;
  world.deps.findBox(destId)?.view.call.showTab({ blockedUrl, why });
  call.page?.close();
  [call.page, call.sinceMs] = [undefined, undefined];
  return tab !== null;
}

const uploadMs = 15_000;

/**
 * The room is empty. The page of the agent who was in the call may still upload the end of a
 * recording; then it reports the end itself.
 */
function endOrWait(world: World, destId: number, call: Call): void {
  const finish = (): void => {
    if (world.calls.get(destId) === call && !call.isOngoing) {
      end(world, destId, true);
    }
  };
  if (call.page === undefined || call.sinceMs === undefined) {
    finish();
  } else {
    setTimeout(finish, uploadMs);
  }
}

/** `isOver`: for everybody, or the agent lost the ticket. */
function end({ deps, calls }: World, destId: number, isOver: boolean): void {
  const call = calls.get(destId);
  if (call === undefined) {
    return;
  }
  const { ask, frame, findBox, texts } = deps;
  calls.delete(destId);
  const box = findBox(destId);
  box?.view.call.hide(); // before the frame is gone, and the focus with it
  call.page?.close();
  const passed =
    call.sinceMs === undefined ? "" : ` (${formatDuration(Date.now() - call.sinceMs)})`;
  box?.addEvent((isOver ? texts.callEnded : texts.callLeft) + passed);
  void ask("hang-up", { destId });
  if (calls.size === 0) {
    frame.stop();
  }
}

/** After a reconnect, the room may be empty, or the ticket assigned to another agent. */
async function watchAgain(world: World, destId: number, call: Call): Promise<void> {
  const isCurrent = (): boolean => world.calls.get(destId) === call;
  const ack = await askWithRetry(() => world.deps.ask("call", { destId }), isCurrent);
  if (!isCurrent()) {
    return;
  }
  const wasOngoing = call.isOngoing;
  call.isOngoing = ack.ok && ack.isOngoing;
  if (!ack.ok || (wasOngoing && !ack.isOngoing)) {
    endOrWait(world, destId, call);
  }
}
