import { agentNameOf } from "../links.ts";
import type { OpenedExpertLink } from "./access.ts";

/** What the page of a link shows before the expert enters: of the ticket, its subject and agent. */
export function presentExpertCall({ expert, ticket, service, isOngoing }: OpenedExpertLink) {
  return {
    name: ticket.subject ?? "",
    status: isOngoing ? "ongoing" : "scheduled",
    start_time: null,
    organizer: agentNameOf(ticket),
    is_password_required: false,
    is_locked: false,
    account: null,
    expert: { name: expert.name, enterprise: service.enterpriseName },
  };
}
