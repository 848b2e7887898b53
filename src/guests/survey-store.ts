import type { Survey } from "../contracts/survey.ts";
import { rowsOf, type Queryable, type Trx } from "../platform/db/pool.ts";

export type GuestService = Readonly<{
  name: string;
  enterpriseName: string;
  asksPosition: boolean;
  /** Null: the default one. */
  survey: Survey | null;
  language: string | null;
}>;

/** What a customer's pages show of the service that assists them. */
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

export async function hasSurveyAnswer(db: Queryable, sessionId: string): Promise<boolean> {
  return (
    (await rowsOf(db, "SELECT 1 FROM survey_answers WHERE session_id = ?", [sessionId])).length > 0
  );
}

/** The first answer about a session. Out: false where it has one already. */
export async function insertSurveyAnswer(
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
