/** The other pages in the room, with their media. */
import type { RoomPeer } from "../../src/contracts/room-messages.ts";
import type { RemoteMedia } from "./media/media-transport.ts";
import type { PeerView } from "./room.ts";
import type { Store } from "./store.ts";

export type Peers = Readonly<{
  replaceAll(peers: readonly RoomPeer[]): void;
  put(peer: RoomPeer): void;
  remove(id: string): void;
  /** Without this page. */
  inCall(): readonly RoomPeer[];
  /** Ids of supervisors' pages, which only receive. */
  supervisors(): readonly string[];
  find(id: string): PeerView | undefined;
  /** The media of a peer changed. */
  refresh(): void;
}>;

export type PeersOptions = Readonly<{
  store: Store;
  media(peerId: string): RemoteMedia | undefined;
  /** Somebody joined or left. */
  onChange(): void;
  /** The view of them changed. */
  onShown(): void;
}>;

export function createPeers({ store, media, onChange, onShown }: PeersOptions): Peers {
  const known = new Map<string, RoomPeer>();
  const refresh = (): void => {
    const people = [...known.values()].filter((peer) => !isSupervisor(peer));
    store.update({
      peers: people.map((peer) => viewOf(peer, media(peer.id))),
      isWatched: people.length < known.size,
    });
    onShown();
  };
  const change = (edit: () => void): void => {
    edit();
    onChange();
    refresh();
  };
  const isSelf = ({ id }: RoomPeer): boolean => id === store.view().self?.id;
  return {
    replaceAll: (peers) =>
      change(() => {
        known.clear();
        peers.filter((peer) => !isSelf(peer)).forEach((peer) => known.set(peer.id, peer));
      }),
    put: (peer) => {
      if (!isSelf(peer)) {
        change(() => known.set(peer.id, peer));
      }
    },
    remove: (id) => change(() => known.delete(id)),
    inCall: () => [...known.values()].filter(({ isInCall }) => isInCall),
    supervisors: () => [...known.values()].filter(isSupervisor).map(({ id }) => id),
    find: (id) => store.view().peers.find((peer) => peer.id === id),
    refresh,
  };
}

function isSupervisor({ role }: RoomPeer): boolean {
  return role === "supervisor";
}

function viewOf(peer: RoomPeer, media: RemoteMedia | undefined): PeerView {
  return {
    ...peer,
    stream: media?.stream,
    screen: peer.state.isSharing ? media?.screen : undefined,
    media: media?.state ?? "connecting",
  };
}
