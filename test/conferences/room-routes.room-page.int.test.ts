import { expect } from "chai";
import { createRoomPage } from "../../src/conferences/room-routes.ts";
import type { Reach } from "../../src/contracts/permissions.ts";
import { useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";

describe("the first response of a meeting page", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  const aRoom = async () => {
    const as = api.fixture.organizer;
    const path = "POST /conferences?participants=a@b.test&password=1234&moderation=true";
    const { body } = await api.call(path, { as });
    const {
      id,
      room_name: roomName,
      service_key: serviceKey,
    } = body as { id: number; room_name: string; service_key: string };
    const find = createRoomPage(api.features.deps);
    const scopeOf = (userId: number, reach: Reach, enterpriseId = as.enterpriseId) => ({
      ...{ enterpriseId, userId, groupIds: [], reach },
    });
    return { as, id, find, scopeOf, room: { serviceKey, roomName } };
  };

  it("contains no secret and no account for holders of the link", async () => {
    const { as, find, room } = await aRoom();
    const facts = await find({ ...room, scope: undefined });
    expect(facts).to.include({
      status: "scheduled",
      is_password_required: true,
      is_locked: false,
      account: null,
    });
    expect(JSON.stringify(facts)).to.not.contain("1234");
    await database.db("users").where({ id: as.id }).update({ firstname: "", lastname: "" });
    expect((await find({ ...room, scope: undefined }))?.organizer, "no login").to.equal("");
    expect(await find({ serviceKey: "x", roomName: "y", scope: undefined })).to.equal(undefined);
  });

  it("contains the role of an account that may enter, and of no other", async () => {
    const { find, room, as, id, scopeOf } = await aRoom();
    const accountOf = async (scope: ReturnType<typeof scopeOf>) =>
      (await find({ ...room, scope }))?.account;
    expect(await accountOf(scopeOf(as.id, "own"))).to.deep.equal({
      ...{ conference_id: id, role: "organizer" },
    });
    expect(await accountOf(scopeOf(as.id + 1_000, "own"))).to.equal(null);
    expect(await accountOf(scopeOf(as.id, "all", as.enterpriseId + 1_000))).to.equal(null);
  });
});
