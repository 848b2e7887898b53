import { rowsOf } from "../../src/platform/db/pool.ts";
import { password, useAccounts } from "./accounts-api.ts";
import { openBrowser, type Browser, type BrowserAnswer } from "./cookie-client.ts";
import type { TestDatabase } from "./database.ts";

type SessionRow = {
  id: number;
  hash: Buffer;
  is_embedded: boolean;
  user_agent: string | null;
  seen_at: Date;
};

/** The status and the code of a refusal. */
export function refusalOf({ status, body }: BrowserAnswer): [number, unknown] {
  return [status, body["code"]];
}

/** Accounts, and browsers in which their user signs in. */
export function useBrowsers(database: TestDatabase) {
  const accounts = useAccounts(database);
  const aBrowser = (): Browser => openBrowser(accounts.api.url);
  return {
    accounts,
    aBrowser,
    signedIn: async (embedded?: boolean): Promise<Browser> => {
      const browser = aBrowser();
      const { status, body } = await browser.signIn(accounts.user.login, password, embedded);
      if (status !== 200) {
        throw new Error(JSON.stringify(body));
      }
      return browser;
    },
    /** The stored sessions of the user, oldest first. */
    rows: (): Promise<SessionRow[]> =>
      rowsOf<SessionRow>(
        database.db,
        "SELECT * FROM browser_sessions WHERE user_id = ? ORDER BY id",
        [accounts.user.id],
      ),
    /** Updates columns of all sessions of the user. */
    age: async (sql: string): Promise<void> => {
      await database.db.raw(`UPDATE browser_sessions SET ${sql} WHERE user_id = ?`, [
        accounts.user.id,
      ]);
    },
    /** The status of a request with the session: 200 or 401. */
    me: async (browser: Browser): Promise<number> => (await browser.call("GET /users/me")).status,
  };
}
