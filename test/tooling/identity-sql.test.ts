import { readFile } from "node:fs/promises";
import { expect } from "chai";
import { listFiles } from "../run/files.ts";

/**
 * A statement that can change a cached identity. Inserts cannot, because unknown identities are not
 * cached.
 */
const writesIdentity =
  /\b(?:(?:UPDATE|DELETE FROM)\s+(?:ONLY\s+)?(?:users|enterprises|groups|tokens|api_tokens|browser_sessions)|(?:UPDATE|DELETE FROM|INSERT INTO)\s+(?:group_members|browser_session_tickets))\b|\("(?:users|enterprises|groups|group_members|tokens|api_tokens|browser_sessions)"\)/u;

/** A statement whose table is not in the source, so that this test cannot check it. */
const writesAnyTable = /\b(?:UPDATE|DELETE FROM)\s+\$\{/u;

const reportsIt = /\b(?:userChanged|enterpriseChanged)\(/u;

/** Functions and constants whose statements do not change an identity, and the reason. */
const harmless: Readonly<Record<string, string>> = {
  findApiTokenCaller: "when a token was used",
  markSeen: "when a session was used",
  deleteExpiredSessions: "no identity outlives its credential",
  expiredTokensSql: "no identity outlives its credential",
  markTokenUsed: "refresh tokens give no access",
  revokeResetTokens: "reset tokens give no access",
  replacePasswordHash: "the password stays the same",
  setPasswordHash: "its callers revoke all access",
  deleteSsoTokens: "tokens of a ticket give no access without a session",
  extendSession: "`addTicket` reports the change",
  ticketStatements: "tokens of a ticket give no access without a session",
  insertGroup: "the group and its members are new",
  renameGroup: "identities hold the ids of groups",
};

/** The code of a file by top-level declaration. A comment belongs to the preceding one. */
function declarationsOf(source: string): { name: string; code: string }[] {
  return source.split(/^(?=(?:export )?(?:async )?(?:function|const) )/mu).map((code) => ({
    name: /^(?:export )?(?:async )?(?:function|const) (\w+)/u.exec(code)?.[1] ?? "",
    code,
  }));
}

describe("the SQL that changes who a caller is", () => {
  const found: { file: string; name: string; code: string }[] = [];

  before("read the sources", async () => {
    for (const file of await listFiles(["src", "workers"])) {
      const source = await readFile(file, "utf8");
      found.push(...declarationsOf(source).map((one) => ({ file, ...one })));
    }
  });

  const writing = () => found.filter(({ code }) => writesIdentity.test(code));
  const placesOf = (some: readonly { file: string; name: string }[]): string[] =>
    some.map(({ file, name }) => `${file} ${name}`);

  it("is in functions that report the change, so that caches are invalidated", () => {
    const silent = writing().filter(
      ({ name, code }) => !reportsIt.test(code) && !(name in harmless),
    );
    expect(placesOf(silent)).to.deep.equal([]);
  });

  it("is found", () => {
    expect(writing().filter(({ code }) => reportsIt.test(code))).to.have.length.above(10);
    const names = new Set(writing().map(({ name }) => name));
    expect(Object.keys(harmless).filter((name) => !names.has(name))).to.deep.equal([]);
  });

  it("names its table", () => {
    const hidden = found.filter(({ file, code }) => {
      return writesAnyTable.test(code) && !file.startsWith("src/pipeline/ledger/");
    });
    expect(placesOf(hidden)).to.deep.equal([]);
  });
});
