/**
 * The state of this page: kept in its view, and reported to the others; changes only, the
 * newest one last.
 */
import type { PeerState } from "../../src/contracts/room-messages.ts";
import type { Signalling } from "./signalling/signalling-client.ts";
import type { Store } from "./store.ts";

export type StateReporter = Readonly<{
  /** Something may have changed. */
  report(): void;
  /** A new connection: the server may know nothing, or something old. */
  reportAll(): void;
}>;

export type StateReporterOptions = Readonly<{
  store: Pick<Store, "view" | "update">;
  signalling: Pick<Signalling, "isReady" | "request">;
  read(): PeerState;
}>;

export function createStateReporter({
  store,
  signalling,
  read,
}: StateReporterOptions): StateReporter {
  let sent: Partial<PeerState> = {};
  let isSending = false;
  const send = async (): Promise<void> => {
    if (isSending || !signalling.isReady()) {
      return; // the loop below, or the next hello, sends it
    }
    isSending = true;
    for (let change = changeOf(sent, read()); change !== undefined;) {
      const ack = await signalling.request("state", change);
      if (!ack.ok) {
        break;
      }
      sent = { ...sent, ...change };
      change = changeOf(sent, read());
    }
    isSending = false;
  };
  const report = (): void => {
    showOwnState(store, read());
    void send();
  };
  return {
    report,
    reportAll: () => {
      sent = {};
      report();
    },
  };
}

/** The server tells the others of this page, not the page itself. */
function showOwnState(store: StateReporterOptions["store"], state: PeerState): void {
  const { self } = store.view();
  if (self !== undefined && changeOf(self.state, state) !== undefined) {
    store.update({ self: { ...self, state } });
  }
}

/** What differs; undefined: nothing. */
function changeOf(sent: Partial<PeerState>, now: PeerState): Partial<PeerState> | undefined {
  const changes = Object.entries(now).filter(
    ([key, value]) => JSON.stringify(sent[key as keyof PeerState]) !== JSON.stringify(value),
  );
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}
