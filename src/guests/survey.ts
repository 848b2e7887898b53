/** The survey that a customer is shown after a session. */
import { invalidParameter, problem } from "../contracts/problems.ts";
import { defaultSurvey, type Survey } from "../contracts/survey.ts";
import type { Queryable, Trx } from "../platform/db/pool.ts";
import { surveyEntry } from "./entries.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import type { SurveyBody } from "./schema.ts";
import {
  findGuestService,
  hasSurveyAnswer,
  insertSurveyAnswer,
  type GuestService,
} from "./survey-store.ts";

export type DueSurvey = Readonly<{ sessionId: string; survey: Survey }>;

type SurveyDeps = Pick<GuestDeps, "findLatestSession">;

/** The survey that waits for an answer. */
export async function findDueSurvey(
  deps: SurveyDeps,
  db: Queryable,
  about: { ticket: GuestTicket; service: GuestService; at: Date },
): Promise<DueSurvey | undefined> {
  const surveyed = await findSurveyed(deps, db, about);
  return surveyed === undefined || (await hasSurveyAnswer(db, surveyed.sessionId))
    ? undefined
    : surveyed;
}

/** One answer per session: who comes second changes nothing. */
export async function answerSurvey(
  deps: Pick<GuestDeps, "findLatestSession" | "tickets">,
  trx: Trx,
  { ticket, body, at }: { ticket: GuestTicket; body: SurveyBody; at: Date },
): Promise<void> {
  const service = await findGuestService(trx, ticket);
  const surveyed = service && (await findSurveyed(deps, trx, { ticket, service, at }));
  if (surveyed === undefined) {
    throw problem("conflict", "There is no session that a survey is due for.");
  }
  const { enterpriseId, id: ticketId } = ticket;
  const answer = checkAnswers(surveyed.survey, body);
  const { sessionId } = surveyed;
  if (await insertSurveyAnswer(trx, { ...answer, sessionId, enterpriseId, ticketId, at })) {
    await deps.tickets.tell(trx, ticket, [surveyEntry(ticket, answer)], at);
  }
}

/** How long after the end of a session its survey can be answered. */
const answerableMs = 24 * 60 * 60 * 1000;

/** The latest session, if it is over, not for too long, and the service asks about it. */
async function findSurveyed(
  { findLatestSession }: SurveyDeps,
  db: Queryable,
  { ticket, service, at }: { ticket: GuestTicket; service: GuestService; at: Date },
): Promise<DueSurvey | undefined> {
  const survey = service.survey ?? defaultSurvey;
  const session = await findLatestSession(db, ticket);
  const endedAt = session?.endedAt?.getTime();
  if (!survey.enabled || session === undefined || endedAt === undefined) {
    return undefined;
  }
  return at.getTime() - endedAt <= answerableMs ? { sessionId: session.id, survey } : undefined;
}

function checkAnswers(survey: Survey, { questions, feedback }: SurveyBody) {
  const known = new Map(questionsOf(survey).map((question) => [question.id, question.label]));
  const answers = questions.map(({ id, answer }) => {
    const label = known.get(id);
    if (label === undefined) {
      throw invalidParameter("questions", "unknown", `The survey asks no question ${id}.`);
    }
    return { id, label, answer };
  });
  if (new Set(answers.map(({ id }) => id)).size < answers.length) {
    throw invalidParameter("questions", "duplicate", "A question is answered once.");
  }
  if (!survey.feedback && feedback !== undefined && feedback !== "") {
    throw invalidParameter("feedback", "unknown", "The survey asks for no text.");
  }
  return { questions: answers, feedback: feedback ?? "" };
}

type Question = Readonly<{ id: number; label: Record<string, string> }>;

/** A question is known by its place. */
export function questionsOf({ questions }: Survey): Question[] {
  return questions.map(({ label }, index) => ({ id: index + 1, label: { ...label } }));
}
