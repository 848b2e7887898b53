/**
 * A reference model of sessions, computed second by second and without a database, with which the
 * real rooms are compared. Times are in whole seconds after the start.
 */
export type Side = "agent" | "requestor";

export type Mark = Readonly<
  | { at: number; what: "join" | "leave" | "beat"; who: string; side: Side }
  /** The sweeper or a timer checks the room. */
  | { at: number; what: "look" }
  | { at: number; what: "end" | "established" }
>;

type ModelParticipation = {
  who: string;
  side: Side;
  from: number;
  seen: number;
  to: number | undefined;
};

export type ModelSession = {
  from: number;
  participations: ModelParticipation[];
  metAt: number | undefined;
  establishedAt: number | undefined;
  cause: string | undefined;
};

function isThere(one: ModelParticipation): boolean {
  return one.to === undefined;
}

/** Ends participations without heartbeats. Returns true if this ends the whole session. */
function markGone(session: ModelSession, at: number): void {
  const there = session.participations.filter(isThere);
  const isCrash = there.length > 0 && there.every(({ seen }) => at - seen > 60);
  for (const one of there) {
    if (at - one.seen >= 20) {
      one.to = one.seen;
    }
  }
  const lastLeave = Math.max(
    ...session.participations.map(({ to }) => to ?? Number.POSITIVE_INFINITY),
  );
  if (isCrash) {
    session.cause = "crash";
  } else if (at - lastLeave >= 300) {
    session.cause = "empty";
  }
}

function apply(session: ModelSession, mark: Mark): void {
  if (mark.what === "end") {
    session.participations.filter(isThere).forEach((one) => {
      one.to = mark.at - one.seen >= 20 ? one.seen : mark.at;
    });
    session.cause = "ended";
  }
  if (mark.what === "established" && session.metAt !== undefined) {
    session.establishedAt ??= mark.at;
  }
}

function recordHeartbeat(session: ModelSession | undefined, who: string, at: number): void {
  const participation = session?.participations.find((one) => one.who === who && isThere(one));
  if (participation !== undefined && at - participation.seen < 20) {
    participation.seen = at;
  }
}

function leave(session: ModelSession, who: string, at: number): void {
  const participation = session.participations.find((one) => one.who === who && isThere(one));
  if (participation !== undefined) {
    participation.to = at;
  }
}

function enter(session: ModelSession, { at, who, side }: Mark & { who: string; side: Side }) {
  const participation = session.participations.find((one) => one.who === who && isThere(one));
  if (participation === undefined) {
    session.participations.push({ who, side, from: at, seen: at, to: undefined });
  } else {
    participation.seen = at;
  }
  const sides = new Set(session.participations.filter(isThere).map((one) => one.side));
  if (sides.size === 2) {
    session.metAt ??= at;
  }
}

/** The sessions that result from these marks, in order. */
export function modelSessions(marks: readonly Mark[]): ModelSession[] {
  const sessions: ModelSession[] = [];
  const open = () => sessions.find(({ cause }) => cause === undefined);
  for (const mark of marks) {
    if (mark.what === "beat") {
      recordHeartbeat(open(), mark.who, mark.at);
      continue;
    }
    const before = open();
    if (before !== undefined && mark.what !== "end") {
      markGone(before, mark.at);
    }
    let session = open();
    if (mark.what === "join") {
      if (session === undefined) {
        const { at: from } = mark;
        session = {
          from,
          participations: [],
          metAt: undefined,
          establishedAt: undefined,
          cause: undefined,
        };
        sessions.push(session);
      }
      enter(session, mark);
    } else if (mark.what === "leave" && session !== undefined) {
      leave(session, mark.who, mark.at);
    } else if (session !== undefined) {
      apply(session, mark);
    }
  }
  return sessions;
}

/** Counts the seconds in which the predicate holds for the present participants. */
function countSeconds(
  { participations, from }: ModelSession,
  isCounted: (there: readonly ModelParticipation[]) => boolean,
): number {
  const end = Math.max(...participations.map(({ to }) => to ?? from));
  let count = 0;
  for (let second = from; second < end; second += 1) {
    const there = participations.filter((one) => one.from <= second && (one.to ?? end) > second);
    count += isCounted(there) ? 1 : 0;
  }
  return count;
}

/** The stored values of an ended session. */
export function modelRow(session: ModelSession) {
  const people = new Set(session.participations.map(({ who }) => who)).size;
  const seconds = countSeconds(session, (there) => there.length > 0);
  return {
    from: session.from,
    metAt: session.metAt ?? null,
    establishedAt: session.establishedAt ?? null,
    cause: session.cause,
    finishedAt: Math.max(...session.participations.map(({ to }) => to ?? Number.NaN)),
    billing: people < 2 ? 0 : (Math.trunc(seconds / 60) + (seconds % 60 === 0 ? 0 : 1)) * 60,
    both: countSeconds(
      session,
      (there) =>
        there.some(({ side }) => side === "agent") && there.some(({ side }) => side !== "agent"),
    ),
    people,
  };
}
