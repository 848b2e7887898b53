/**
 * A supervisor's connection to a call: the pages in it, and their media over LiveKit. It opens no
 * device and sends nothing. If the connection to the signalling is lost, the pages in the call stop
 * sending after 20 s, because they do not see the supervisor any more.
 */
import type { CallWatched, RoomHello } from "../../../../src/contracts/room-messages.ts";
import type { AckError } from "../../../../src/contracts/signalling.ts";
import { createLivekitTransport } from "../../../rooms/media/livekit-transport.ts";
import type { LocalTracks } from "../../../rooms/media/media-transport.ts";
import { createPeers } from "../../../rooms/peers.ts";
import type { Room } from "../../../rooms/room.ts";
import { SignallingClient } from "../../../rooms/signalling/signalling-client.ts";
import { createStore, type Store } from "../../../rooms/store.ts";

/**
 * In its view, `phase` is `in-call` while the call is watched and `left` after it, and `joinFault` says
 * that it cannot be watched.
 */
export type WatchedRoom = Pick<Room, "view" | "subscribe"> &
  Readonly<{
    /** Connects. Out: closes the connection. */
    open(): () => void;
  }>;

const noTracks: LocalTracks = { audio: null, camera: null, screen: null };

/** The room of a supervisor's room token. */
export function createWatchedRoom(token: string): WatchedRoom {
  const store = createStore();
  return { view: store.view, subscribe: store.subscribe, open: () => connect(store, token) };
}

function connect(store: Store, token: string): () => void {
  const media = createMedia(store, () => void watch());
  const { peers } = media;
  const signalling = new SignallingClient({
    token,
    renewToken: undefined,
    after: () => undefined,
    onHello: (hello, isResumed) => {
      media.onHello(hello, isResumed);
      void watch();
    },
    onLost: () => store.update({ connection: "reconnecting" }),
    onAdmission: () => undefined,
    onOver: (overReason) => {
      media.stop();
      store.update({ connection: "over", phase: "left", overReason });
    },
  });
  /** Asks for the media; a repeated request gets a fresh token. */
  const watch = async (): Promise<void> => {
    const ack = await signalling.request("watch", {});
    if (ack.ok || signalling.isReady()) {
      media.onAnswer(ack);
    } // otherwise the next hello asks again
  };
  signalling.on("peer-joined", peers.put);
  signalling.on("peer-changed", peers.put);
  signalling.on("peer-left", ({ id }) => peers.remove(id));
  // A call that left LiveKit cannot be watched any more: the answer says so.
  signalling.on("route", () => void watch());
  signalling.on("left", () => {
    media.stop();
    store.update({ phase: "left" });
  });
  signalling.connect();
  return () => {
    media.stop();
    signalling.close();
  };
}

/** What arrives from the pages in the call. */
function createMedia(store: Store, onUnreachable: () => void) {
  let transport: ReturnType<typeof createLivekitTransport> | undefined;
  const peers = createPeers({
    store,
    media: (id) => transport?.media(id),
    onChange: () => transport?.setPeers(peers.inCall()),
    onShown: () => undefined,
  });
  const stop = (): void => {
    transport?.close();
    transport = undefined;
    peers.refresh();
  };
  return {
    peers,
    stop,
    onHello: ({ self, peers: present }: RoomHello, isResumed: boolean): void => {
      store.update({ connection: "connected", self });
      if (!isResumed) {
        stop(); // LiveKit knows this page by its former id
      }
      peers.replaceAll(present);
    },
    onAnswer: (ack: (Readonly<{ ok: true }> & CallWatched) | AckError): void => {
      if (ack.ok && ack.route.kind === "livekit") {
        transport?.setAccess(ack.route);
        transport ??= createLivekitTransport({
          ...{ access: ack.route, tracks: noTracks, onUnreachable },
          onChange: () => peers.refresh(),
        });
        peers.replaceAll(ack.peers);
        store.update({ phase: "in-call", joinFault: undefined });
      } else if (!ack.ok) {
        stop();
        const { kind, detail, reason } = ack.error;
        store.update({ phase: "outside", joinFault: { kind, detail, reason } });
      }
    },
  };
}
