/**
 * The objects that a call can refer to, as seen by one actor: own, of the enterprise, of another
 * enterprise.
 */
import type { Reach, Role } from "../../src/contracts/permissions.ts";
import type { ProblemKind } from "../../src/contracts/problems.ts";
import type { Classified, Ids, TargetKind } from "./routes/kinds.ts";
import { reachOf } from "./routes.ts";
import * as accounts from "./targets/accounts.ts";
import * as messages from "./targets/messages.ts";
import * as rooms from "./targets/rooms.ts";
import type { Target } from "./targets/target.ts";
import * as webhooks from "./targets/webhooks.ts";

export type { Target, Fixture } from "./targets/target.ts";

const none: Target = { name: "what it asks for", needs: "own", make: async () => ({}) };

const targets: Readonly<Record<TargetKind, readonly Target[]>> = {
  none: [none],
  ticket: rooms.ticketTargets,
  ticketInCall: rooms.ticketInCallTargets,
  ticketOfEnterprise: rooms.ticketOfEnterpriseTargets,
  conference: rooms.conferenceTargets,
  dialIn: rooms.dialInTargets,
  conversation: rooms.conversationTargets,
  session: rooms.sessionTargets,
  runningSession: rooms.runningSessionTargets,
  media: rooms.mediaTargets,
  mediaOfTicket: rooms.mediaOfTicketTargets,
  user: accounts.userTargets,
  ownBrowserSession: accounts.ownBrowserSessionTargets,
  ownApiToken: accounts.ownApiTokenTargets,
  apiToken: accounts.apiTokenTargets,
  service: accounts.serviceTargets,
  button: accounts.buttonTargets,
  serviceTemplate: accounts.serviceTemplateTargets,
  enterprise: accounts.enterpriseTargets,
  ownEnterprise: accounts.ownEnterpriseTargets,
  group: accounts.groupTargets,
  domain: accounts.domainTargets,
  enterpriseTemplate: accounts.enterpriseTemplateTargets,
  sms: messages.messageTargets("sms"),
  email: messages.messageTargets("email"),
  hl7: messages.hl7Targets,
  webhook: webhooks.webhookTargets,
  keptWebhook: webhooks.keptWebhookTargets,
  platformWebhook: webhooks.platformWebhookTargets,
  keyedWebhook: webhooks.keyedWebhookTargets,
  delivery: webhooks.deliveryTargets,
  anyDelivery: webhooks.anyDeliveryTargets,
  endedDelivery: webhooks.endedDeliveryTargets,
  failingDelivery: webhooks.failingDeliveryTargets,
  ownEndedDelivery: webhooks.ownEndedDeliveryTargets,
  ownFailingDelivery: webhooks.ownFailingDeliveryTargets,
  openCircuit: webhooks.openCircuitTargets,
  replay: webhooks.replayTargets,
  event: webhooks.eventTargets,
};

export function targetsOf(operation: string, { target }: Classified): readonly Target[] {
  return target === "user" && !operation.startsWith("GET ")
    ? [...targets.user, accounts.superadminTarget]
    : targets[target];
}

/** An object that the operation accepts from permitted callers. */
export function firstTargetOf({ target }: Classified): Target {
  return targets[target][0] ?? none;
}

const width: Record<Reach, number> = { own: 1, group: 2, all: 3 };

function isReached(
  { ignoresReach, isOwnersOnly }: Classified,
  reach: Reach,
  needs: Reach,
): boolean {
  if (isOwnersOnly === true) {
    return needs === "own";
  }
  return ignoresReach === true || width[reach] >= width[needs];
}

/** Whether the role is refused for this object, whatever its reach. */
function isRefused(
  { claimedBy }: Classified,
  role: Role,
  { refusedTo = [], isUnclaimed }: Target,
): boolean {
  return refusedTo.includes(role) || (isUnclaimed === true && claimedBy?.includes(role) === false);
}

/** The expected response: first by role, then by existence, then by tenant. */
export function expectedEnd(route: Classified, role: Role, target: Target): number | ProblemKind {
  const reach = reachOf(route, role);
  const { needs, opensTo = [] } = target;
  if (reach === undefined || isRefused(route, role, target)) {
    return "forbidden";
  }
  if (opensTo.includes(role)) {
    return route.status;
  }
  if (needs === undefined) {
    return "not_found";
  }
  return isReached(route, reach, needs) ? route.status : "forbidden";
}

export function pathOf(path: string, ids: Ids): string {
  return path.replace(/\{(\w+)\}/gu, (_whole, name: string) => String(ids[name]));
}

/** Syntactically valid path parameters of objects that do not exist. */
export const anyIds: Ids = {
  ...{ ticketId: 1, webhookId: 1, deliveryId: 1, conferenceId: 1, conversationId: 1, mediaId: 1 },
  ...{ userId: 1, serviceId: 1, buttonId: 1, templateId: 1, enterpriseId: 1, groupId: 1 },
  ...{ domainId: 1, messageId: 1, recordingId: 1, number: 0, code: "a".repeat(10) },
  ...{ secret: "a".repeat(22), provider: "http", replayId: 1 },
  tokenId: 1,
  eventId: "evt_00000000-0000-4000-8000-000000000000",
  sessionId: "00000000-0000-4000-8000-000000000000",
  requestId: "00000000-0000-4000-8000-000000000000",
};
