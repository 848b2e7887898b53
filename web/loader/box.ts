/** The model of a box: its messages, kept up to date. */
import type { BoxMessage, BoxOpened, AckError } from "../../src/contracts/signalling.ts";
import { createBoxView, type BoxView } from "./box-view.ts";
import { messageHtml } from "./message-html.ts";
import { createCatchUp, pageSize } from "./catch-up.ts";
import { newId } from "../shared/new-id.ts";
import { wait } from "../shared/wait.ts";
import type { Ask } from "./signal.ts";
import type { Texts } from "./texts.ts";
import { createThread, type Thread } from "./thread.ts";
import type { Fire } from "./types.ts";

export type BoxDeps = Readonly<{
  ask: Ask;
  fire: Fire;
  texts: Texts;
  language: string;
  userId: number;
  /** Shows and announces an error. */
  showFault(error: AckError["error"]): void;
  onClose(): void;
  onCall(): void;
  onEndCall(): void;
  onMoveToTab(): void;
  onUnread(): void;
  /** Called when it is maximized, and when a call changes its size. */
  onMaximize(): void;
  /** The module was stopped, or its token expired. */
  isOver(): boolean;
}>;

export type Box = Readonly<{
  view: BoxView;
  agentUrl: string | null;
  unread(): number;
  isMinimized(): boolean;
  minimize(): void;
  maximize(): void;
  send(text: string): Promise<boolean>;
  /** Adds a pushed message. */
  receive(message: BoxMessage): void;
  /** Adds a line that nobody wrote. */
  addEvent(text: string): void;
  /** Fetches missed messages after a reconnect. Returns false if it must be retried. */
  resume(): Promise<boolean>;
  setConnected(isConnected: boolean): void;
  /** Called when the token expires. */
  end(): void;
}>;

type Parts = Readonly<{
  opened: BoxOpened;
  deps: BoxDeps;
  thread: Thread;
  view: () => BoxView;
  show(): void;
}>;

/** `firstMessage`: the pushed message that opens the box; it and later ones count as unread. */
export function createBox(
  opened: BoxOpened,
  deps: BoxDeps,
  firstMessage: BoxMessage | undefined,
): Box {
  const thread = createThread(deps.userId);
  const show = (): void => view.showLines(thread.lines(), history.hasOlder());
  const parts: Parts = { opened, deps, thread, view: () => view, show };
  const sending = createSending(parts);
  const history = createHistory(parts);
  const state = createState(parts);
  const attention = createAttention(parts);
  const minimize = (): void => attention.setMinimized(true);
  const maximize = (): void => attention.setMinimized(false);
  const receive = (message: BoxMessage): void => {
    const isNew = thread.add([message]).length > 0;
    show();
    if (isNew && message.userId !== deps.userId) {
      attention.note();
      deps.fire("showNewMessage", toShown(message));
    }
  };
  const view = createBoxView(opened, deps, {
    ...{ minimize, maximize, close: deps.onClose, call: deps.onCall, endCall: deps.onEndCall },
    openTab: deps.onMoveToTab,
    onLayout: () => attention.isMinimized() || deps.onMaximize(),
    send: (text) => void sending.send(text),
    resend: sending.resend,
    older: () => void history.readOlder(),
  });
  const { kind, destId } = opened;
  const catchUp = createCatchUp({
    thread,
    open: (after) => deps.ask("open", { kind, destId, ...(after === undefined ? {} : { after }) }),
    receive,
    onNewest: history.note,
    isOver: () => deps.isOver() || !view.root.isConnected,
  });
  view.root.addEventListener("focusin", attention.seen);
  history.note(opened.messages);
  thread.add(
    opened.messages.filter(({ id }) => firstMessage === undefined || id < firstMessage.id),
  );
  show();
  state.show();
  return {
    view,
    ...{ minimize, maximize, receive },
    agentUrl: opened.agentUrl,
    unread: attention.unread,
    isMinimized: attention.isMinimized,
    addEvent: (text) => {
      thread.addEvent({ text, created: new Date().toISOString() });
      show();
    },
    send: sending.send,
    resume: catchUp.resume,
    setConnected: (isConnected) => {
      if (!isConnected) {
        catchUp.lose();
      }
      state.setConnected(isConnected);
    },
    end: state.end,
  };
}

const againMs = 3_000;

function createSending({ opened: { kind, destId }, deps, thread, show }: Parts) {
  const delivered = new Set<string>();
  /** Messages without an acknowledgement are sent again; the client id makes this idempotent. */
  const push = async (clientId: string, text: string): Promise<boolean> => {
    const ack = await deps.ask("send", { kind, destId, clientId, text });
    if (!ack.ok && ack.error.kind === "dependency_down") {
      await wait(againMs);
      return isPending(clientId) ? push(clientId, text) : delivered.has(clientId);
    }
    if (!ack.ok) {
      thread.fail(clientId);
      deps.showFault(ack.error);
    } else if (!delivered.has(clientId)) {
      delivered.add(clientId);
      thread.add([ack.message]);
      deps.fire("sendMessage", { destId, message: text });
    }
    show();
    return ack.ok;
  };
  const isPending = (clientId: string): boolean =>
    !deps.isOver() && thread.pending().some((draft) => draft.clientId === clientId);
  return {
    push,
    send: (text: string): Promise<boolean> => {
      const clientId = newId();
      thread.begin({ clientId, text, created: new Date().toISOString() });
      show();
      return push(clientId, text);
    },
    resend: (clientId: string): void => {
      thread.retry(clientId);
      show();
      thread.pending().forEach((draft) => {
        if (draft.clientId === clientId) {
          void push(clientId, draft.text);
        }
      });
    },
  };
}

function createHistory({ opened: { kind, destId }, deps, thread, show }: Parts) {
  let hasOlder = false;
  const note = (messages: readonly BoxMessage[]): void => {
    hasOlder = messages.length >= pageSize;
  };
  return {
    note,
    hasOlder: () => hasOlder,
    readOlder: async (): Promise<void> => {
      const ack = await deps.ask("open", { kind, destId, before: thread.oldest() });
      if (ack.ok) {
        note(ack.messages);
        thread.add(ack.messages);
        show();
      }
    },
  };
}

/** The state between the box and its messages. */
function createState({ opened: { isOver }, deps: { texts }, view }: Parts) {
  let isConnected = true;
  let isEnded = false;
  const show = (): void => {
    const lost = isConnected ? undefined : texts.offline;
    view().showNote(isOver ? texts.isOver : isEnded ? texts.signedOut : lost);
    view().setOpen(!isOver && !isEnded);
  };
  return {
    show,
    setConnected: (next: boolean): void => {
      isConnected = next;
      show();
    },
    end: (): void => {
      isEnded = true;
      show();
    },
  };
}

/** Minimized state and unread count of the box. */
function createAttention({ opened: { destId }, deps, view }: Parts) {
  let isMinimized = false;
  let unread = 0;
  const setUnread = (count: number): void => {
    unread = count;
    view().showUnread(count);
    deps.onUnread();
  };
  return {
    unread: () => unread,
    isMinimized: () => isMinimized,
    note: (): void => setUnread(isMinimized || !document.hasFocus() ? unread + 1 : 0),
    seen: (): void => {
      if (unread > 0 && !isMinimized) {
        setUnread(0);
      }
    },
    setMinimized: (next: boolean): void => {
      if (next !== isMinimized) {
        isMinimized = next;
        view().setMinimized(next);
        setUnread(next ? unread : 0);
        deps.fire(next ? "minimize" : "maximize", destId);
        if (!next) {
          deps.onMaximize();
        }
      }
    },
  };
}

function toShown({ name, destId, text }: BoxMessage) {
  return {
    nickname: name,
    destId,
    message: text,
    html: messageHtml(text),
  };
}
