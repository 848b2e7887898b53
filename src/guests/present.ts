import type { IceSettings } from "../contracts/room-messages.ts";
import { toTimestamp } from "../platform/timestamps.ts";
import { agentNameOf, roomTokenSeconds, type IssuedRoomToken, type OpenedLink } from "./links.ts";
import { surveyAnswerWords } from "./schema.ts";
import type { GuestVisit } from "./service.ts";
import type { LastPosition, PositionRequest } from "./store.ts";
import { questionsOf, type DueSurvey } from "./survey.ts";

/** What a customer's page shows before entry. Contains no ids: the link is the only credential. */
export function presentLink({ ticket, service, survey }: OpenedLink, baseUrl: string) {
  return {
    state: ticket.state,
    service_name: service.name,
    enterprise_name: service.enterpriseName,
    agent_name: agentNameOf(ticket),
    name: ticket.name,
    subject: ticket.subject,
    language: ticket.language ?? service.language,
    start_time: toTimestamp(ticket.startTime),
    end_time: toTimestamp(ticket.endTime),
    requestor_url: `${baseUrl}/v/${ticket.requestorSecret}`,
    asks: ["camera", "microphone", ...(service.asksPosition ? ["position"] : [])],
    is_survey_due: survey !== undefined,
  };
}

export function presentRoomToken(
  { token, guest }: IssuedRoomToken,
  expiresInSeconds = roomTokenSeconds,
) {
  return {
    room_token: token,
    expires_in: expiresInSeconds,
    role: guest.role,
    participant: guest.participant,
    visit: guest.visit,
  };
}

export function presentConsent(request: PositionRequest | undefined) {
  return {
    position_request: presentOpenRequest(request),
  };
}

export function presentVisit(visit: GuestVisit) {
  return {
    state: visit.ticket.state,
    has_consent: visit.hasConsent,
    has_devices: visit.hasDevices,
    is_accepted: visit.isAccepted,
    position_request: presentOpenRequest(visit.positionRequest),
    is_survey_due: visit.survey !== undefined,
    end_reason: visit.end ?? null,
  };
}

export function presentIce({ servers, policy, expiresInSeconds }: IceSettings) {
  return { servers, policy, expires_in: expiresInSeconds };
}

function presentOpenRequest(request: PositionRequest | undefined) {
  return request === undefined ? null : presentPositionRequest(request);
}

export function presentPositionRequest({ id, createdAt }: PositionRequest) {
  return {
    id,
    created: toTimestamp(createdAt),
  };
}

export function presentPosition(position: LastPosition | undefined) {
  return {
    geoloc: position?.geoloc ?? null,
    accuracy: position?.accuracy ?? null,
    created: position === undefined ? null : toTimestamp(position.at),
  };
}

export function presentSurvey({ survey }: DueSurvey) {
  return {
    questions: questionsOf(survey),
    answers: surveyAnswerWords,
    has_feedback: survey.feedback,
  };
}
