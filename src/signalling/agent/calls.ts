/** Calls of tickets: whether the room is in use, and the agent's page of it. */
import { problem } from "../../contracts/problems.ts";
import { findOngoingCalls } from "../chat-store.ts";
import { isOwnPage, originOf } from "../authentication.ts";
import type { SignallingDeps } from "../ports.ts";
import { requireCapacity, requireTicketLabel } from "./boxes.ts";
import { readingScope, type AgentSocket } from "./socket.ts";

/**
 * Watches the room of a ticket that the user may read. Out: the URL of the agent's page and whether
 * a call is running.
 */
export async function watchCall(
  deps: SignallingDeps,
  socket: AgentSocket,
  ticketId: number,
): Promise<{ agentUrl: string; isOngoing: boolean }> {
  const scope = await readingScope(deps, socket);
  await deps.chats.get(scope, { ticketId });
  const { enterpriseId } = scope;
  const { agentUrl } = await requireTicketLabel(deps, enterpriseId, ticketId);
  const isOngoing = (await findOngoingCalls(deps.db, [{ enterpriseId, ticketId }])).has(ticketId);
  requireCapacity(socket.data.calls, ticketId);
  socket.data.calls.set(ticketId, isOngoing);
  return { agentUrl, isOngoing };
}

/** The longest call with a margin. A token ends earlier if its ticket is closed. */
const ssoTokenMs = 12 * 60 * 60 * 1000;

/**
 * The address that signs the user in on the agent's page of this ticket, for a frame of the page
 * that opened the socket. Null if browsers would refuse that frame: the origin of the page is not,
 * or no longer, an allowed domain of the enterprise.
 */
export async function openCallPage(
  deps: SignallingDeps,
  socket: AgentSocket,
  ticketId: number,
): Promise<{ ssoUrl: string | null }> {
  const scope = await readingScope(deps, socket);
  const { isOver } = await deps.chats.get(scope, { ticketId });
  if (isOver) {
    throw problem("conflict", `Ticket ${ticketId} is closed.`); // its tokens were revoked
  }
  const { enterpriseId, userId } = scope;
  const { agentUrl } = await requireTicketLabel(deps, enterpriseId, ticketId);
  if (!(await mayFrame(deps, socket))) {
    return { ssoUrl: null };
  }
  const expiresAt = new Date(deps.clock.now().getTime() + ssoTokenMs);
  const token = await deps.issueSsoToken({ enterpriseId, userId, ticketId, expiresAt });
  return { ssoUrl: `${agentUrl}?access_token=${token}` };
}

async function mayFrame(
  { isAllowedOrigin, baseUrl }: SignallingDeps,
  socket: AgentSocket,
): Promise<boolean> {
  const origin = originOf(socket);
  const apiKey = String(socket.handshake.auth["apiKey"]);
  return origin === undefined || isOwnPage(socket, baseUrl) || isAllowedOrigin({ apiKey, origin });
}
