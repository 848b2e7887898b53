/** Call messages: participation, media, and relayed messages. */
import { problem, type ProblemKind } from "../../contracts/problems.ts";
import type {
  CallJoined,
  IceSettings,
  JoinRefusal,
  RoomPeer,
} from "../../contracts/room-messages.ts";
import { isHost, type PeerRole } from "../../contracts/signalling.ts";
import type { Guest } from "../../http/route.ts";
import { userAgentOf } from "../authentication.ts";
import { iceSettings, type SignallingDeps } from "../ports.ts";
import type { SocketHandlers } from "../socket-protocol.ts";
import { keepPeersAlive, takeCall } from "./peer-store.ts";
import type { Relay } from "./relay.ts";
import { allowedState, mayCommand, mayDraw, mayPoint } from "./rights.ts";
import * as schemas from "./schemas.ts";
import { routedPeer } from "./media-route.ts";
import {
  endParticipation,
  peerOf,
  requirePeerId,
  requireRole,
  requireToken,
  type RoomSocket,
} from "./socket.ts";

export type CallContext = Readonly<{
  deps: SignallingDeps;
  socket: RoomSocket;
  relay: Relay;
  /** Other pages in the room, as of the last poll. */
  others(): RoomPeer[];
  poll(): Promise<void>;
}>;

/** See `ServedMessages.relayed`. */
export const relayedTypes: ReadonlySet<string> = new Set([
  ...["signal", "command", "result", "pointer", "board", "shared"],
]);

export function createCallHandlers(context: CallContext): SocketHandlers {
  const { deps, socket } = context;
  const save = async (): Promise<void> => {
    await keepPeersAlive(deps.db, [peerOf(socket)], deps.clock.now());
    deps.publish(`peers:${socket.data.guest.conversationId}`);
  };
  return {
    ...participationHandlers(context, save),
    ...mediaHandlers(context, save),
    ...relayHandlers(context),
  };
}

function iceFor(deps: SignallingDeps, { participant }: Guest): IceSettings {
  return iceSettings(deps.ice, participant, deps.clock.now());
}

function participationHandlers(
  { deps, socket, relay, others, poll }: CallContext,
  save: () => Promise<void>,
): SocketHandlers {
  const { data } = socket;
  const { guest } = data;
  return {
    join: async (): Promise<CallJoined> => {
      const id = requirePeerId(data);
      await requireToken(deps, socket);
      const joined = await deps.rooms.join({ guest, userAgent: userAgentOf(socket) });
      if (joined.outcome === "refused") {
        throw refusalProblem(joined.reason);
      }
      data.sessionId = joined.sessionId;
      await save(); // the row may have expired
      // A heartbeat during the next statements must not report the page as outside.
      data.rejoinUntilMs = performance.now() + deps.times.goneMs;
      const { participant } = guest;
      const taken = { participant, now: deps.clock.now() };
      const displaced = await takeCall(deps.db, { ...guest, id }, taken);
      data.isInCall = true;
      for (const other of displaced) {
        await relay.toPeer(guest, other, { type: "left", payload: { reason: "elsewhere" } });
        deps.media.leave(joined.sessionId, other);
      }
      deps.publish(`peers:${guest.conversationId}`);
      const route = await deps.media.enter(routedPeer(socket, joined.sessionId));
      data.route = route.kind;
      await poll();
      return { sessionId: joined.sessionId, ice: iceFor(deps, guest), route, peers: others() };
    },
    leave: async () => {
      await leaveCall(deps, socket);
      await save();
      return {};
    },
    end: async () => {
      requirePeerId(data);
      await requireToken(deps, socket);
      if (!isHost(requireRole(data))) {
        throw problem(
          "forbidden",
          "Only the agent, the organizer or a moderator can end the call.",
        );
      }
      const latest = await deps.rooms.findLatestSession(deps.db, guest);
      await deps.rooms.end(guest);
      await relay.toRoom(guest, null, { type: "left", payload: { reason: "ended" } });
      if (latest !== undefined) {
        deps.media.end(latest.id);
      }
      if (guest.conferenceId !== null) {
        deps.publish(`ended:${guest.conversationId}`); // for those who wait to be admitted
      }
      return {};
    },
  };
}

/** Media state and media failures of a page, and its ICE settings. */
function mediaHandlers({ deps, socket }: CallContext, save: () => Promise<void>): SocketHandlers {
  const { data } = socket;
  const { guest } = data;
  return {
    established: async () => {
      requireInCall(socket);
      await deps.rooms.established(guest);
      return {};
    },
    ice: async () => {
      requireInCall(socket);
      return iceFor(deps, guest);
    },
    "media-failed": async (raw) => {
      const { kind } = schemas.readMediaFailure(raw);
      requireInCall(socket);
      const peer = routedPeer(socket, data.sessionId ?? "");
      const route = await deps.media.onFailure(peer, kind);
      data.route = route.kind;
      return { route };
    },
    state: async (raw) => {
      requirePeerId(data);
      data.state = { ...data.state, ...allowedState(requireRole(data), schemas.readState(raw)) };
      await save();
      return {};
    },
  };
}

function relayHandlers({ deps, socket, relay, others }: CallContext): SocketHandlers {
  const { guest } = socket.data;
  /** The sender's id and the target. Both must be in the room; the sender must be in the call. */
  const between = (to: string): { from: string; target: RoomPeer } => {
    const from = requireInCall(socket);
    const target = others().find(({ id }) => id === to);
    if (target === undefined) {
      throw problem("not_found", "This person has left the room.");
    }
    return { from, target };
  };
  return {
    signal: async (raw) => {
      const { to, ...signal } = schemas.readSignal(raw);
      const { from } = between(to);
      await relay.toPeer(guest, to, { type: "signal", payload: { ...signal, from } });
      return {};
    },
    command: async (raw) => {
      const { to, id, command } = schemas.readCommand(raw);
      const { from, target } = between(to);
      if (!mayCommand(requireRole(socket.data), target.role, command)) {
        throw problem("forbidden", "You may not control the devices of this person.");
      }
      await relay.toPeer(guest, to, { type: "command", payload: { from, id, command } });
      return {};
    },
    result: async (raw) => {
      const { to, id, result } = schemas.readResult(raw);
      const { from } = between(to);
      await relay.toPeer(guest, to, { type: "result", payload: { from, id, result } });
      return {};
    },
    pointer: async (raw) => {
      const from = requireRight(socket, mayPoint);
      const payload = { ...schemas.readPointer(raw), from };
      await relay.toRoom(guest, from, { type: "pointer", payload });
      return {};
    },
    board: async (raw) => {
      const from = requireRight(socket, mayDraw);
      const change = schemas.readBoard(raw);
      await relay.toRoom(guest, from, { type: "board", payload: { from, change } });
      return {};
    },
    shared: async (raw) => {
      const from = requirePeerId(socket.data);
      const payload = { ...schemas.readShared(raw), from };
      await relay.toRoom(guest, from, { type: "shared", payload });
      return {};
    },
    record: async (raw) => {
      const from = requireInCall(socket);
      const message = schemas.readRecording(raw);
      if (message.step === "ask" && !isHost(requireRole(socket.data))) {
        throw problem("forbidden", "Only the agent, the organizer or a moderator can record.");
      }
      if (message.step === "answer") {
        await deps.rooms.answerRecording(guest, message.isAccepted);
      }
      await relay.toRoom(guest, from, { type: "record", payload: { ...message, from } });
      return {};
    },
  };
}

/** Ends the participation or the watching, unless another page of the same person took it over. */
export async function leaveCall(deps: SignallingDeps, socket: RoomSocket): Promise<void> {
  const { sessionId, watchedSessionId, peerId, guest } = socket.data;
  endParticipation(socket);
  if (watchedSessionId !== undefined) {
    deps.media.leave(watchedSessionId, peerId ?? "");
  }
  if (sessionId !== undefined) {
    deps.media.leave(sessionId, peerId ?? "");
    await deps.rooms.leave(guest);
  }
}

function requireInCall({ data }: RoomSocket): string {
  const id = requirePeerId(data);
  if (data.sessionId === undefined) {
    throw problem("conflict", "You have not joined the call.");
  }
  return id;
}

function requireRight(socket: RoomSocket, may: (role: PeerRole) => boolean): string {
  const from = requireInCall(socket);
  if (!may(requireRole(socket.data))) {
    throw problem(
      "forbidden",
      "Pointers belong to video assistance, and drawings to its agent and customer.",
    );
  }
  return from;
}

const refusals: Readonly<Record<JoinRefusal, readonly [kind: ProblemKind, detail: string]>> = {
  over: ["gone", "The room is closed."],
  consent: ["forbidden", "The customer has not agreed to the terms."],
  waiting: ["forbidden", "You are still waiting to be admitted."],
  denied: ["forbidden", "You may not join this call."],
  expired: ["forbidden", "No one admitted you in time. Ask again."],
  locked: ["forbidden", "The meeting is locked."],
  full: ["quota_reached", "The call is full."],
};

function refusalProblem(reason: JoinRefusal): Error {
  const [kind, detail] = refusals[reason];
  return problem(kind, detail, { details: `Reason ${reason}` });
}
