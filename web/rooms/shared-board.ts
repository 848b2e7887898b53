/**
 * The board of one page, and what the page needs to bring it together with that of the other side after
 * a lost connection: each shape has one author, and a removed shape never comes back.
 */
import type { BoardChange, BoardState } from "../../src/contracts/room-messages.ts";
import {
  applyChange,
  compactShape,
  mergeShapes,
  splitShapes,
  type Board,
  type SingleChange,
} from "./board-shapes.ts";

/** Older removals cannot conflict any more. */
const maxRemoved = 500;

export class SharedBoard {
  readonly #own = new Set<string>();
  readonly #removed = new Set<string>();
  #board: Board | undefined;
  #isOpener = false;

  view(): Board | undefined {
    return this.#board;
  }

  /** This page opened the last board. */
  isOpener(): boolean {
    return this.#isOpener;
  }

  /** By this page. False: it concerns a shape that was removed. */
  change(change: SingleChange): boolean {
    if (change.op === "put" && this.#removed.has(change.shape.id)) {
      return false;
    }
    this.#apply(change, true);
    return true;
  }

  /** By the other side. True: it asks for the state of this page. */
  receive(change: BoardChange): boolean {
    if (change.op === "state") {
      this.#merge(change);
      return !change.isReply && (this.#isOpener || this.#board !== undefined);
    }
    const isStale =
      change.op === "put" && (this.#removed.has(change.shape.id) || this.#own.has(change.shape.id));
    if (!isStale) {
      this.#apply(change, false);
    }
    return false;
  }

  /** The messages that tell the others what this page has. */
  state(isReply: boolean): BoardChange[] {
    const { first, rest } = splitShapes((this.#board?.shapes ?? []).map(compactShape));
    const state: BoardState = {
      op: "state",
      mediaId: this.#board?.mediaId ?? null,
      shapes: first,
      removed: [...this.#removed].slice(-maxRemoved),
      isOpener: this.#isOpener,
      isReply,
    };
    return [state, ...rest.map((shape) => ({ op: "put", shape }) as const)];
  }

  #begin(isMine: boolean): void {
    this.#own.clear();
    this.#removed.clear();
    this.#isOpener = isMine;
  }

  #apply(change: SingleChange, isMine: boolean): void {
    if (change.op === "open") {
      this.#begin(isMine);
      change.shapes.filter(() => isMine).forEach(({ id }) => this.#own.add(id));
    } else if (change.op === "remove") {
      this.#removed.add(change.id);
    } else if (change.op === "clear") {
      this.#board?.shapes.forEach(({ id }) => this.#removed.add(id));
    } else if (change.op === "put" && isMine) {
      this.#own.add(change.shape.id);
    }
    this.#board = applyChange(this.#board, change);
  }

  #merge(state: BoardState): void {
    if (state.mediaId === (this.#board?.mediaId ?? null)) {
      this.#join(state);
    } else if (state.isOpener && (!this.#isOpener || state.isReply)) {
      this.#begin(false);
      this.#board = state.mediaId === null ? undefined : { mediaId: state.mediaId, shapes: [] };
      this.#join(state);
    } // otherwise the photo of this page counts
  }

  /** Adds what the other side has drawn and removed on the same photo. */
  #join({ shapes: theirs, removed, isOpener: isTheirOrder }: BoardState): void {
    removed.forEach((id) => this.#removed.add(id));
    if (this.#board !== undefined) {
      const { mediaId, shapes: mine } = this.#board;
      const rules = { own: this.#own, removed: this.#removed, isTheirOrder };
      this.#board = { mediaId, shapes: mergeShapes({ mine, theirs, ...rules }) };
    }
  }
}
