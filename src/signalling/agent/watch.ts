/** Periodic tasks of the agent namespace: heartbeat, call watch, token check. */
import { findOngoingCalls } from "../chat-store.ts";
import type { SignallingDeps } from "../ports.ts";
import { keepPresencesAlive } from "../presence-store.ts";
import { mayStillRead } from "./notify.ts";
import { endSocket, type AgentNamespace, type AgentSocket } from "./socket.ts";

/** Refreshes the presence rows and applies state changes whose wake-up was lost. */
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
      // A state that this socket changed during the query is newer than the row.
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

/** Checks access again: the ticket may have been reassigned since the page began to watch it. */
async function notifyCall(
  deps: SignallingDeps,
  socket: AgentSocket,
  { destId, isOngoing }: Readonly<{ destId: number; isOngoing: boolean }>,
): Promise<void> {
  const { calls } = socket.data;
  const may = await mayStillRead(deps, socket, destId);
  // The page may have sent `hang-up` or a new `call` during the check.
  if (calls.get(destId) !== !isOngoing) {
    return;
  }
  if (may) {
    calls.set(destId, isOngoing);
  } else {
    calls.delete(destId);
  }
  // An agent who lost access gets `isOngoing: false`; otherwise the page would keep showing the
  // call.
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
