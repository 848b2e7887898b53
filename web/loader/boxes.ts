/** All boxes of the page. */
import type { BoxKind, BoxMessage, AckError } from "../../src/contracts/signalling.ts";
import { createBox, type Box, type BoxDeps } from "./box.ts";
import type { Calls } from "./calls.ts";
import { element } from "./dom.ts";
import { asJQuery } from "./jquery.ts";
import { askWithRetry } from "./retry.ts";
import { createRoom, type Room } from "./room.ts";
import type { Ask } from "./signal.ts";
import type { Texts } from "./texts.ts";
import type { Fire } from "./types.ts";

export type BoxesDeps = Readonly<{
  ask: Ask;
  fire: Fire;
  texts: Texts;
  language: string;
  userId: number;
  /** The root element of the module. */
  place: HTMLElement;
  calls: Calls;
  /** Called when the unread count of a box changes. */
  onUnread(): void;
  isOver(): boolean;
}>;

export type Boxes = Readonly<{
  open(destId: number, kind: BoxKind, message?: BoxMessage): Promise<Box | undefined>;
  /** Finds a box by number: of that kind, else a ticket's, else a colleague's. */
  find(destId: number, kind?: BoxKind): Box | undefined;
  close(destId: number, kind?: BoxKind): void;
  receive(message: BoxMessage): void;
  all(): readonly Box[];
  showFault(error: AckError["error"]): void;
}>;

type Shelf = Readonly<{
  deps: BoxesDeps;
  row: HTMLElement;
  room: Room;
  open: Map<string, Box>;
  showFault: Boxes["showFault"];
}>;

export function createBoxes(deps: BoxesDeps): Boxes {
  const row = element("div", { class: "im-row", role: "group", "aria-label": deps.texts.boxes });
  deps.place.append(row);
  const open = new Map<string, Box>();
  const opening = new Map<string, Promise<Box | undefined>>();
  const shelf: Shelf = { deps, row, room: createRoom(row), open, showFault: createFaults(deps) };

  const openBox: Boxes["open"] = async (destId, kind, firstMessage) => {
    const key = keyOf(destId, kind);
    const known = open.get(key) ?? opening.get(key);
    if (known !== undefined) {
      return known;
    }
    const begun = create(shelf, { destId, kind, message: firstMessage });
    opening.set(key, begun);
    const box = await begun;
    opening.delete(key);
    return box;
  };

  const openFor = async (message: BoxMessage): Promise<void> => {
    const box = await openBox(message.destId, message.kind, message);
    box?.receive(message);
  };

  return {
    open: openBox,
    find: (destId, kind) =>
      kind === undefined
        ? (open.get(keyOf(destId, "ticket")) ?? open.get(keyOf(destId, "user")))
        : open.get(keyOf(destId, kind)),
    close: (destId, kind) => {
      const isTicket = open.has(keyOf(destId, "ticket"));
      remove(shelf, destId, kind ?? (isTicket ? "ticket" : "user"));
    },
    receive: (message) => {
      const known = open.get(keyOf(message.destId, message.kind));
      // An incoming message opens a box; the user's own or a colleague's message to a ticket does
      // not.
      const isForMe = message.kind === "ticket" ? message.author === "guest" : true;
      if (known !== undefined) {
        known.receive(message);
      } else if (isForMe && message.userId !== deps.userId) {
        void openFor(message);
      }
    },
    all: () => [...open.values()],
    showFault: shelf.showFault,
  };
}

const faultMs = 8_000;

function createFaults({ place, texts }: BoxesDeps): Boxes["showFault"] {
  const root = element("div", { class: "im-faults", role: "alert" });
  place.append(root);
  return ({ kind, detail }) => {
    // Details for the host's developers.
    window.console.error(`loadAgent: ${detail}`);
    root.textContent = texts.faults[kind] ?? texts.faults["other"] ?? "";
    setTimeout(() => {
      root.textContent = "";
    }, faultMs);
  };
}

type BoxToOpen = Readonly<{ destId: number; kind: BoxKind; message: BoxMessage | undefined }>;

async function create(
  shelf: Shelf,
  { destId, kind, message }: BoxToOpen,
): Promise<Box | undefined> {
  const { deps, row, room, open, showFault } = shelf;
  const ask = () => deps.ask("open", { kind, destId });
  // A pushed message is not sent again, so opening its box is retried.
  const ack = await (message === undefined ? ask() : askWithRetry(ask, () => !deps.isOver()));
  if (!ack.ok) {
    showFault(ack.error);
    return undefined;
  }
  const ofBox: BoxDeps = {
    ...deps,
    showFault,
    onClose: () => remove(shelf, destId, kind),
    onCall: () => void deps.calls.begin(destId),
    onEndCall: () => deps.calls.end(destId, kind),
    onMoveToTab: () => deps.calls.moveToTab(destId),
    onMaximize: () => room.opened(box, true),
  };
  const box = createBox(ack, ofBox, message);
  open.set(keyOf(destId, kind), box);
  row.append(box.view.root);
  box.view.setMinimized(false);
  deps.fire("createNewIMDiv", { destId, nickname: ack.nickname });
  deps.fire("openComBox", asJQuery(box.view.root));
  room.opened(box, message === undefined);
  ack.messages.filter(({ id }) => message !== undefined && id >= message.id).forEach(box.receive);
  return box;
}

function remove({ deps, open }: Shelf, destId: number, kind: BoxKind): void {
  const box = open.get(keyOf(destId, kind));
  if (box !== undefined) {
    deps.calls.end(destId, kind);
    open.delete(keyOf(destId, kind));
    box.view.root.remove();
    void deps.ask("close", { kind, destId });
    deps.onUnread();
    deps.fire("close", destId);
  }
}

function keyOf(destId: number, kind: BoxKind): string {
  return `${kind}:${destId}`;
}
