/** The pointer, and the drawing board that agent and customer share. */
import type { BoardChange, Point, Shape } from "../../src/contracts/room-messages.ts";
import { compactPoint, compactShape, type SingleChange } from "./board-shapes.ts";
import { SharedBoard } from "./shared-board.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import type { Store } from "./store.ts";
import { createThrottle } from "./throttle.ts";

export type BoardControl = Readonly<{
  change(change: SingleChange): void;
  movePointer(point: Point | null): void;
  /** Somebody joined the call: the page that opened the board sends it to them. */
  onNewcomer(): void;
  /** This page joined or reconnected: both sides may have missed changes. */
  onJoined(): void;
}>;

/** 20 per second. */
const intervalMs = 50;

/** Hides a pointer that stopped moving, in case its end was lost. */
const pointerMs = 10_000;

export function createBoardControl(store: Store, signalling: Signalling): BoardControl {
  const board = new SharedBoard();
  const show = (): void => store.update({ board: board.view() });
  let hideTimer: ReturnType<typeof setTimeout> | undefined;
  // One after the other, so that a repeated message never overtakes a later one.
  let work: Promise<unknown> = Promise.resolve();
  const send = (change: BoardChange): void => {
    work = work.then(() => signalling.request("board", change));
  };
  const growing = createThrottle<Shape>(intervalMs, (shape) => send({ op: "put", shape }));
  let growingId: string | undefined;
  const pointer = createThrottle<Point | null>(intervalMs, (point) => {
    void signalling.send("pointer", { point });
  });

  const sendState = (isReply: boolean): void => {
    growing.flush();
    board.state(isReply).forEach(send);
  };

  signalling.on("board", ({ change }) => {
    const isAsked = board.receive(change);
    show();
    if (isAsked) {
      sendState(true);
    }
  });
  signalling.on("pointer", ({ from, point }) => {
    clearTimeout(hideTimer);
    store.update({ pointer: point === null ? undefined : { from, point } });
    hideTimer = setTimeout(() => store.update({ pointer: undefined }), pointerMs);
  });

  return {
    change: (change) => {
      if (!board.change(change)) {
        return;
      }
      show();
      if (change.op !== "put") {
        growing.flush();
        send(
          change.op === "open" ? { ...change, shapes: change.shapes.map(compactShape) } : change,
        );
        return;
      }
      if (change.shape.id !== growingId) {
        growing.flush();
      }
      growingId = change.shape.id;
      growing.call(compactShape(change.shape));
    },
    movePointer: (point) => pointer.call(point === null ? null : compactPoint(point)),
    onNewcomer: () => {
      if (board.isOpener()) {
        sendState(true);
      }
    },
    onJoined: () => {
      if (board.isOpener() || board.view() !== undefined) {
        sendState(false);
      }
    },
  };
}
