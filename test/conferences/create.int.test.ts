import { expect } from "chai";
import type { ConferenceDeps } from "../../src/conferences/model.ts";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { randomIds } from "../../src/platform/ids.ts";
import {
  aConferenceFixture,
  createConferenceFeatures,
  forceStatus,
  type ConferenceFixture,
} from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

describe("creating a conference", () => {
  const database = useDatabase();
  let fixture: ConferenceFixture;
  before("make an enterprise", async () => {
    fixture = await aConferenceFixture(database.db);
  });

  const create = (changed: Partial<ConferenceDeps>) =>
    createConferenceFeatures(database.db, changed).conferences.create({
      scope: { enterpriseId: fixture.enterpriseId, userId: fixture.organizer.id },
      body: { participants: "a@b.test", invite: true },
      after: async (_trx, { conference }) => conference,
    });

  /** Replaces the generator of dial-in codes by one that returns these codes in order. */
  const dialling = (...codes: string[]): Partial<ConferenceDeps> => ({
    ids: { ...randomIds, digits: () => codes.shift() ?? "" },
  });

  it("retries with another dial-in code if an active conference has it, and reuses a free one", async () => {
    const first = await create(dialling("111111111"));
    const second = await create(dialling("111111111", "111111111", "222222222"));
    expect([first.sipDtmfCode, second.sipDtmfCode]).to.deep.equal(["111111111", "222222222"]);
    await forceStatus(database.db, first.id, "ended");
    expect((await create(dialling("111111111"))).sipDtmfCode).to.equal("111111111");
  });

  it("rolls back everything if its last step fails", async () => {
    const count = async () =>
      rowsOf(
        database.db,
        `SELECT (SELECT count(*) FROM conferences) AS conferences,
           (SELECT count(*) FROM conversations) AS conversations,
           (SELECT count(*) FROM conference_guests) AS guests,
           (SELECT count(*) FROM tasks) AS tasks, (SELECT count(*) FROM messages) AS messages`,
      );
    const before = await count();
    const { deps } = createConferenceFeatures(database.db);
    const failing: ConferenceDeps["invitations"] = {
      ...deps.invitations,
      inviteToConference: async (...order) => {
        await deps.invitations.inviteToConference(...order);
        throw new Error("planted");
      },
    };
    const thrown = await create({ invitations: failing }).catch((error: Error) => error);
    expect((thrown as Error).message).to.equal("planted");
    expect(await count()).to.deep.equal(before);
  });
});
