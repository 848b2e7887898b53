/** The media of a small call: one connection to each other page in it. */
import type { CallSignal, IceSettings } from "../../../src/contracts/room-messages.ts";
import { limitsFor } from "./limits.ts";
import type { LocalTracks, MediaTransport, TransportEvents } from "./media-transport.ts";
import { MeshLink } from "./mesh-link.ts";
import type { TransportPeer } from "./negotiation.ts";

export type MeshOptions = TransportEvents &
  Readonly<{ self: TransportPeer; ice: IceSettings; tracks: LocalTracks }>;

/** Signals of a page that is not known as a participant yet: its join is still on the way. */
const maxEarlySignals = 100;

export function createMesh(options: MeshOptions): MediaTransport {
  const { self, send, onChange } = options;
  const links = new Map<string, MeshLink>();
  const early = new Map<string, CallSignal[]>();
  let { ice, tracks } = options;
  let limits = limitsFor(1);

  const openLink = (peer: TransportPeer): void => {
    const link = new MeshLink({
      ...{ self, peer, ice, tracks, limits },
      send: (signal) => send(peer.id, signal),
      onChange: () => onChange(peer.id),
    });
    links.set(peer.id, link);
    early.get(peer.id)?.forEach((signal) => link.receive(signal));
    early.delete(peer.id);
  };
  const restartAll = (): void => links.forEach((link) => link.restart());
  // On a phone this is the change from Wi-Fi to mobile data, or back.
  window.addEventListener("online", restartAll);

  return {
    setPeers: (peers) => {
      const present = new Set(peers.map(({ id }) => id));
      for (const [id, link] of links) {
        if (!present.has(id)) {
          link.close();
          links.delete(id);
          onChange(id);
        }
      }
      limits = limitsFor(peers.length + 1);
      links.forEach((link) => link.setLimits(limits));
      peers.filter(({ id }) => !links.has(id)).forEach(openLink);
    },
    setTracks: (next) => {
      tracks = next;
      links.forEach((link) => link.setTracks(next));
    },
    setIce: (settings) => {
      ice = settings;
      links.forEach((link) => link.setIce(settings));
    },
    receive: (from, signal) => {
      const link = links.get(from);
      if (link !== undefined) {
        link.receive(signal);
        return;
      }
      const waiting = early.get(from) ?? [];
      early.set(from, [...waiting, signal].slice(-maxEarlySignals));
    },
    onSignallingBack: () => links.forEach((link) => link.recover()),
    media: (peerId) => links.get(peerId)?.media(),
    stats: async () => {
      const found = [...links].map(async ([id, link]) => [id, await link.stats()] as const);
      return new Map(await Promise.all(found));
    },
    close: () => {
      window.removeEventListener("online", restartAll);
      links.forEach((link) => link.close());
      links.clear();
    },
  };
}
