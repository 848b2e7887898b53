import { toTimestamp, toTimestampOrNull } from "../../platform/timestamps.ts";
import { lastEndOf, presentMs } from "../model.ts";
import { presentQuality, sumQualities } from "./schema.ts";
import type { NamedParticipation, SessionStatistic } from "./store.ts";
import type { SessionParticipant, SubjectSession } from "./subject-store.ts";

/** A statistic with its participants. A participant who rejoined appears once. */
export function presentSession(
  session: SessionStatistic,
  participations: readonly NamedParticipation[],
) {
  const people = new Map<string, [NamedParticipation, ...NamedParticipation[]]>();
  for (const participation of participations) {
    const known = people.get(participation.participant);
    people.set(
      participation.participant,
      known === undefined ? [participation] : [...known, participation],
    );
  }
  return {
    ...presentStatistic(session),
    participants: [...people.values()].map(presentParticipant),
  };
}

/** Property order is part of the output. */
export function presentStatistic(session: SessionStatistic) {
  return {
    id: session.id,
    start_time: toTimestamp(session.startedAt),
    end_time: toTimestamp(session.finishedAt),
    billing_duration: session.billingSeconds,
    total_participant_count: session.participantCount,
    organizer: session.organizer,
    enterprise: session.enterprise,
    service: session.service,
    type: session.kind,
  };
}

function presentParticipant(
  participations: readonly [NamedParticipation, ...NamedParticipation[]],
) {
  const [first] = participations;
  return {
    name: participations.at(-1)?.name ?? first.name,
    role: first.role,
    user_id: first.userId,
    start_time: toTimestamp(first.joinedAt),
    end_time: toTimestamp(lastEndOf(participations)),
    duration: Math.floor(presentMs(participations) / 1_000),
    quality: presentQuality(sumQualities(participations.map(({ quality }) => quality))),
  };
}

/** An entry in a ticket's session list. Totals are null while the session is running. */
export function presentTicketSession(
  session: SubjectSession,
  people: readonly SessionParticipant[],
) {
  return {
    ...presentSubjectSession(session),
    call_duration: session.bothSeconds,
    total_participant_count: session.participantCount,
    participants: people.map(presentSubjectParticipant),
  };
}

/** An entry in a conference's session list, with its participants. */
export function presentConferenceSession(
  session: SubjectSession,
  people: readonly SessionParticipant[],
) {
  return {
    ...presentSubjectSession(session),
    total_participant_count: session.participantCount,
    participants: people.map(presentSubjectParticipant),
  };
}

function presentSubjectParticipant(person: SessionParticipant) {
  return {
    name: person.name,
    role: person.role,
    user_id: person.userId,
    start_time: toTimestamp(person.joinedAt),
    end_time: toTimestampOrNull(person.leftAt),
    quality: presentQuality(person.quality),
  };
}

function presentSubjectSession(session: SubjectSession) {
  return {
    id: session.id,
    start_time: toTimestamp(session.startedAt),
    end_time: toTimestampOrNull(session.finishedAt),
    end_reason: session.endReason,
    billing_duration: session.billingSeconds,
  };
}
