/** What runs beside the sockets of agents: heartbeats, calls that they watch, and tokens that end. */
import { findOngoingCalls } from "../chat-store.ts";
import type { SignallingDeps } from "../ports.ts";
import { keepPresencesAlive } from "../presence-store.ts";
import { mayStillRead } from "./notify.ts";
import { endSocket, type AgentNamespace, type AgentSocket } from "./socket.ts";

/** Says who is here, and hears what became of their states: a hint of that may be lost. */
export function createHeartbeat({ db, clock }: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()];
    if (sockets.length === 0) {
      return;
    }
    const present = sockets.map(({ data: { presence, state } }) => ({ ...presence, state }));
    const states = await keepPresencesAlive(db, present, clock.now());
    for (const [index, socket] of sockets.entries()) {
      const before = present[index]?.state;
      const state = states.get(socket.data.presence.id);
      // Not where it was changed on this very page since.
      if (state !== undefined && state !== before && socket.data.state === before) {
        socket.data.state = state;
        socket.emit("state", { state });
      }
    }
  };
}

export function createCallWatch(deps: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()].filter(({ data }) => data.calls.size > 0);
    if (sockets.length === 0) {
      return;
    }
    const calls = sockets.flatMap(({ data: { presence, calls: own } }) =>
      [...own.keys()].map((ticketId) => ({ enterpriseId: presence.enterpriseId, ticketId })),
    );
    const ongoing = await findOngoingCalls(deps.db, calls);
    for (const socket of sockets) {
      for (const [destId, was] of socket.data.calls) {
        const isOngoing = ongoing.has(destId);
        if (isOngoing !== was) {
          await notifyCall(deps, socket, { destId, isOngoing });
        }
      }
    }
  };
}

/** The ticket may have gone to somebody else since the page began to watch it. */
async function notifyCall(
  deps: SignallingDeps,
  socket: AgentSocket,
  { destId, isOngoing }: Readonly<{ destId: number; isOngoing: boolean }>,
): Promise<void> {
  const { calls } = socket.data;
  const may = await mayStillRead(deps, socket, destId);
  // The page may have hung up meanwhile, or begun anew.
  if (calls.get(destId) !== !isOngoing) {
    return;
  }
  if (may) {
    calls.set(destId, isOngoing);
  } else {
    calls.delete(destId);
  }
  // It shows the call until it is told of the end, which is now for whom it is no business of.
  socket.emit("call", { destId, isOngoing: may && isOngoing });
}

export function createTokenCheck({ findValidTokens }: SignallingDeps, namespace: AgentNamespace) {
  return async (): Promise<void> => {
    const sockets = [...namespace.sockets.values()];
    if (sockets.length > 0) {
      const valid = await findValidTokens([...new Set(sockets.map(({ data }) => data.token))]);
      sockets.filter(({ data }) => !valid.has(data.token)).forEach(endSocket);
    }
  };
}
