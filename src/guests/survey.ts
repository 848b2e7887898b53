/** The survey shown to a customer after a session. */
import { invalidParameter, problem } from "../contracts/problems.ts";
import { defaultSurvey, type Survey } from "../contracts/directory.ts";
import { type Queryable, type Trx, rowsOf } from "../platform/db/pool.ts";
import { surveyEntry } from "./events.ts";
import type { GuestDeps, GuestTicket } from "./ports.ts";
import type { SurveyBody } from "./schema.ts";

export type DueSurvey = Readonly<{ sessionId: string; survey: Survey }>;

type SurveyDeps = Pick<GuestDeps, "findLatestSession">;

export type GuestService = Readonly<{
  name: string;
  enterpriseName: string;
  asksPosition: boolean;
  /** Null: the default survey. */
  survey: Survey | null;
  language: string | null;
}>;

/** The survey that can still be answered. */
export async function findDueSurvey(
  deps: SurveyDeps,
  db: Queryable,
  about: { ticket: GuestTicket; service: GuestService; at: Date },
): Promise<DueSurvey | undefined> {
  const surveyed = await findSurveyedSession(deps, db, about);
  return surveyed === undefined || (await hasSurveyAnswer(db, surveyed.sessionId))
    ? undefined
    : surveyed;
}

async function hasSurveyAnswer(db: Queryable, sessionId: string): Promise<boolean> {
  return (
    (await rowsOf(db, "SELECT 1 FROM survey_answers WHERE session_id = ?", [sessionId])).length > 0
  );
}

/** One answer per session: a second one changes nothing. */
export async function answerSurvey(
  deps: Pick<GuestDeps, "findLatestSession" | "tickets">,
  trx: Trx,
  { ticket, body, at }: { ticket: GuestTicket; body: SurveyBody; at: Date },
): Promise<void> {
  const service = await findGuestService(trx, ticket);
  const surveyed = service && (await findSurveyedSession(deps, trx, { ticket, service, at }));
  if (surveyed === undefined) {
    throw problem("conflict", "No ended session has an open survey.");
  }
  const { enterpriseId, id: ticketId } = ticket;
  const answer = checkAnswers(surveyed.survey, body);
  const { sessionId } = surveyed;
  if (await insertSurveyAnswer(trx, { ...answer, sessionId, enterpriseId, ticketId, at })) {
    await deps.tickets.writeTimeline(trx, ticket, [surveyEntry(ticket, answer)], at);
  }
}

/** The service as shown to the customer. */
export async function findGuestService(
  db: Queryable,
  { enterpriseId, serviceId }: { enterpriseId: number; serviceId: number },
): Promise<GuestService | undefined> {
  const [row] = await rowsOf<{
    name: string;
    enterprise_name: string;
    asks_position: boolean;
    survey: Survey | null;
    language: string | null;
  }>(
    db,
    `SELECT s.name, e.name AS enterprise_name, s.asks_position, s.survey, s.language
      FROM services s JOIN enterprises e ON e.id = s.enterprise_id
      WHERE s.id = ? AND s.enterprise_id = ?`,
    [serviceId, enterpriseId],
  );
  return (
    row && {
      name: row.name,
      enterpriseName: row.enterprise_name,
      asksPosition: row.asks_position,
      survey: row.survey,
      language: row.language,
    }
  );
}

/** How long after the end of a session its survey can be answered. */
export const answerableMs = 24 * 60 * 60 * 1000;

/** The latest session, if it ended recently and the service has a survey. */
async function findSurveyedSession(
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
      throw invalidParameter("questions", "unknown", `The survey has no question ${id}.`);
    }
    return { id, label, answer };
  });
  if (new Set(answers.map(({ id }) => id)).size < answers.length) {
    throw invalidParameter("questions", "duplicate", "Each question may be answered only once.");
  }
  if (!survey.feedback && feedback !== undefined && feedback !== "") {
    throw invalidParameter("feedback", "unknown", "The survey has no text field.");
  }
  return { questions: answers, feedback: feedback ?? "" };
}

type NumberedQuestion = Readonly<{ id: number; label: Record<string, string> }>;

/** The id of a question is its position. */
export function questionsOf({ questions }: Survey): NumberedQuestion[] {
  return questions.map(({ label }, index) => ({ id: index + 1, label: { ...label } }));
}

/** Inserts the answer of a session. Returns false if there is one already. */
async function insertSurveyAnswer(
  trx: Trx,
  answer: Readonly<{
    sessionId: string;
    enterpriseId: number;
    ticketId: number;
    questions: readonly unknown[];
    feedback: string;
    at: Date;
  }>,
): Promise<boolean> {
  const rows = await rowsOf(
    trx,
    `INSERT INTO survey_answers
        (session_id, enterprise_id, ticket_id, questions, feedback, created_at)
      VALUES (?, ?, ?, ?::json, ?, ?) ON CONFLICT (session_id) DO NOTHING RETURNING session_id`,
    [
      answer.sessionId,
      answer.enterpriseId,
      answer.ticketId,
      JSON.stringify(answer.questions),
      answer.feedback,
      answer.at,
    ],
  );
  return rows.length > 0;
}
