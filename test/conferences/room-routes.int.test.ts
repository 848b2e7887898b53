import { expect } from "chai";
import { testRoomTokens } from "../support/api.ts";
import { forceStatus, useConferenceApi } from "../support/conferences.ts";
import { useDatabase } from "../support/database.ts";
import { undecryptable } from "../support/secret-box.ts";
import type { TestUser } from "../support/tickets.ts";

type RoomLink = Readonly<{ service_key: string; room_name: string }>;

describe("entering a conference", () => {
  const database = useDatabase();
  const api = useConferenceApi(database);

  const create = async (json: Record<string, unknown> = {}) =>
    (
      await api.call("POST /conferences", {
        as: api.fixture.organizer,
        json: {
          participants: "a@b.test",
          name: "Room",
          moderator: api.fixture.moderator.login,
          ...json,
        },
      })
    ).body;

  const guest = (room: RoomLink, more: Record<string, string> = {}) =>
    api.call("POST /guest/conferences/token", {
      json: { service_key: room.service_key, room_name: room.room_name, ...more },
    });

  describe("for guests", () => {
    it("issues a token for this room only, with a sanitized name", async () => {
      const room = await create();
      const { body, status } = await guest(room, { name: "  Ann\u0007 Guest " });
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        room_token: body.room_token,
        token_type: "Bearer",
        expires_in: 43_200,
        role: "participant",
        name: "Ann Guest",
        conference: {
          name: "Room",
          status: "scheduled",
          start_time: "2026-11-20T10:00:00+00:00",
          end_time: "2026-11-20T11:00:00+00:00",
          moderation: false,
        },
      });
    });

    it("makes guests of a moderated conference wait, and never grants a higher role", async () => {
      const room = await create({ moderation: true });
      expect((await guest(room)).body.role).to.equal("waiting");
      expect((await guest(room, { access_token: "made-up" })).status).to.equal(403);
    });

    it("requires the password, if there is one", async () => {
      const room = await create({ password: "12*34#" });
      expect((await guest(room)).status).to.equal(403);
      expect((await guest(room, { password: "12*34" })).status).to.equal(403);
      expect((await guest(room, { password: "12*34#" })).status).to.equal(200);
    });

    it("rejects even the right password after five wrong ones", async () => {
      const room = await create({ password: "1234" });
      for (const password of ["0000", "0001", "0002", "0003", "0004"]) {
        expect((await guest(room, { password })).status).to.equal(403);
      }
      const { status, body } = await guest(room, { password: "1234" });
      expect([status, body.code]).to.deep.equal([429, 12]);
      expect((await guest(room)).status).to.equal(403);
      const other = await create({ password: "1234" });
      expect((await guest(other, { password: "1234" })).status).to.equal(200);
    });

    const guessAll = async (room: RoomLink, passwords: string[]): Promise<number[]> => {
      const answers = await Promise.all(passwords.map((password) => guest(room, { password })));
      return answers.map(({ status }) => status).toSorted((a, b) => a - b);
    };

    it("checks only five of the wrong passwords that are sent at the same time", async () => {
      const room = await create({ password: "1234" });
      const guesses = Array.from({ length: 60 }, (_, guess) => String(5_000 + guess));
      const refused = [...Array<number>(5).fill(403), ...Array<number>(55).fill(429)];
      expect(await guessAll(room, guesses)).to.deep.equal(refused);
      expect((await guest(room, { password: "1234" })).status).to.equal(429);
    });

    it("admits everybody who sends the right password at the same time", async () => {
      const room = await create({ password: "1234" });
      expect(await guessAll(room, ["0000", "0001", "0002", "0003"])).to.deep.equal(
        Array<number>(4).fill(403),
      );
      const right = Array<string>(12).fill("1234");
      expect(await guessAll(room, right)).to.deep.equal(Array<number>(12).fill(200));
      expect((await guest(room, { password: "0004" })).status).to.equal(403);
      expect((await guest(room, { password: "1234" })).status).to.equal(429);
    });

    it("does not count passwords where none is needed", async () => {
      const room = await create();
      const needless = Array.from({ length: 12 }, (_, guess) => String(5_000 + guess));
      expect(await guessAll(room, needless)).to.deep.equal(Array<number>(12).fill(200));
      const closed = await create({ password: "1234" });
      for (let attempt = 0; attempt < 6; attempt += 1) {
        expect((await guest(closed)).status).to.equal(403);
      }
      expect((await guest(closed, { password: "1234" })).status).to.equal(200);
    });

    it("truncates a long name without splitting a character", async () => {
      const { body } = await guest(await create(), { name: `a${"😀".repeat(40)}` });
      expect(body.name).to.equal(`a${"😀".repeat(31)}`);
    });

    it("requires the service key and the room name", async () => {
      const room = await create();
      expect((await guest({ ...room, service_key: "x".repeat(32) })).status).to.equal(404);
      expect((await guest({ ...room, room_name: "0".repeat(32) })).status).to.equal(404);
    });

    it("answers 410 if the conference is locked or over", async () => {
      const room = await create();
      const json = { locked: true };
      await api.call(`PATCH /conferences/${room.id}`, { as: api.fixture.organizer, json });
      const gone = { status: 410, code: 17 };
      expect((await guest(room)).body).to.include({ ...gone, details: "Reason locked" });
      for (const status of ["ended", "cancelled"]) {
        const over = await create();
        await forceStatus(database.db, over.id, status);
        expect((await guest(over)).body).to.include({ ...gone, details: `Reason ${status}` });
      }
    });
  });

  describe("for staff", () => {
    const enter = (id: number, as: TestUser) =>
      api.call(`POST /conferences/${id}/room-token`, { as });

    it("grants the role in the conference, and no token to others", async () => {
      const { organizer, moderator, admin, stranger } = api.fixture;
      const room = await create({ moderation: true });
      expect((await enter(room.id, organizer)).body.role).to.equal("organizer");
      expect((await enter(room.id, moderator)).body.role).to.equal("moderator");
      expect((await enter(room.id, admin)).body.role).to.equal("participant");
      expect((await enter(room.id, stranger)).status).to.equal(403);
    });

    it("issues a token that identifies the user", async () => {
      const room = await create();
      // The token is checked against the real clock, but was issued by the clock of the test.
      const { body } = await enter(room.id, api.fixture.organizer);
      const claims = JSON.parse(
        Buffer.from(String(body.room_token).split(".")[1] ?? "", "base64url").toString(),
      ) as Record<string, unknown>;
      expect(claims).to.include({ conference: room.id, role: "organizer", name: "Ada Organizer" });
      expect(await testRoomTokens.verify("x")).to.equal(undefined);
    });

    const check = async (id: number, as: TestUser, query = "") =>
      (await api.call(`GET /conferences/${id}/checkAccess${query}`, { as })).body;

    it("limits password guesses of staff out of reach", async () => {
      const { stranger, organizer } = api.fixture;
      const room = await create({ password: "1234" });
      for (let wrong = 0; wrong < 5; wrong += 1) {
        expect((await check(room.id, stranger, `?password=000${wrong}`)).reason).to.equal(
          "password",
        );
      }
      expect((await check(room.id, stranger, "?password=1234")).code).to.equal(12);
      expect((await check(room.id, stranger)).reason).to.equal("password");
      expect((await check(room.id, organizer, "?password=1234")).access).to.equal(true);
    });

    it("checks only five of their guesses that are sent at the same time", async () => {
      const room = await create({ password: "1234" });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, guess) =>
          check(room.id, api.fixture.stranger, `?password=${5_000 + guess}`),
        ),
      );
      expect(answers.filter(({ reason }) => reason === "password")).to.have.lengthOf(5);
      expect(answers.filter(({ code }) => code === 12)).to.have.lengthOf(15);
    });

    it("shows who may enter, in which role, and whether they wait", async () => {
      const { organizer, stranger } = api.fixture;
      const room = await create({ moderation: true, password: "1234" });
      const common = {
        ...{ password_required: true, undecryptable: [], moderation: true },
        status: "scheduled",
      };
      expect(await check(room.id, organizer)).to.deep.equal({
        ...common,
        access: true,
        role: "organizer",
        must_wait: false,
        reason: null,
      });
      const refused = { access: false, role: null, must_wait: false };
      expect(await check(room.id, stranger)).to.deep.equal({
        ...common,
        ...refused,
        reason: "password",
      });
      expect(await check(room.id, stranger, "?password=1234")).to.deep.equal({
        ...common,
        access: true,
        role: "waiting",
        must_wait: true,
        reason: null,
      });
      await forceStatus(database.db, room.id, "ended");
      expect(await check(room.id, organizer)).to.deep.equal({
        ...refused,
        password_required: true,
        undecryptable: [],
        moderation: true,
        status: "ended",
        reason: "ended",
      });
    });
  });

  describe("with a password that cannot be decrypted", () => {
    const createLost = async () => {
      const room = await create({ password: "1234" });
      const change = { password_sealed: undecryptable };
      await database.db("conferences").where({ id: room.id }).update(change);
      return room;
    };
    const check = async (id: number, as: TestUser) =>
      (await api.call(`GET /conferences/${id}/checkAccess?password=1234`, { as })).body;

    it("refuses guests with a reason that is not a wrong password, however often they try", async () => {
      const room = await createLost();
      for (let attempt = 0; attempt < 6; attempt += 1) {
        const { status, body } = await guest(room, { password: "1234" });
        expect([status, body.details]).to.deep.equal([403, "Reason undecryptable"]);
      }
      expect((await guest(room)).body.details).to.equal("Reason undecryptable");
      const { access, reason } = await check(room.id, api.fixture.stranger);
      expect([access, reason]).to.deep.equal([false, "undecryptable"]);
    });

    it("admits staff, and says to them what is wrong", async () => {
      const { organizer, admin } = api.fixture;
      const room = await createLost();
      for (const as of [organizer, admin]) {
        const lost = { password_required: true, undecryptable: ["password"], reason: null };
        expect(await check(room.id, as)).to.deep.include({ ...lost, access: true });
      }
      expect((await api.call("GET /conferences", { as: organizer })).status).to.equal(200);
      const entered = await api.call(`POST /conferences/${room.id}/room-token`, { as: organizer });
      expect(entered.status).to.equal(200);
    });

    it("admits guests again once the password is replaced or removed", async () => {
      const { organizer: as } = api.fixture;
      for (const password of ["5678", null]) {
        const room = await createLost();
        const path = `PATCH /conferences/${room.id}`;
        expect((await api.call(path, { as, json: { name: "Other" } })).status).to.equal(200);
        expect((await check(room.id, as)).undecryptable).to.deep.equal(["password"]);
        expect((await api.call(path, { as, json: { password } })).status).to.equal(200);
        expect((await check(room.id, as)).undecryptable).to.deep.equal([]);
        const entry = await guest(room, password === null ? {} : { password });
        expect(entry.status).to.equal(200);
      }
    });
  });

  describe("for telephones", () => {
    it("finds the room of a dial-in code, at most ten times a minute", async () => {
      const room = await create({ moderation: true });
      const as = api.fixture.api;
      const found = await api.call(`GET /sip/mapper?code=${room.sip_dtmf_code}`, { as });
      expect(found.body).to.deep.equal({
        conference_id: room.id,
        room_name: room.room_name,
        moderation: true,
        sip_uri: `sip:${room.sip_dtmf_code}@sightline.example`,
      });
      await forceStatus(database.db, room.id, "ended");
      for (let call = 2; call <= 10; call += 1) {
        const gone = await api.call(`GET /sip/mapper?code=${room.sip_dtmf_code}`, { as });
        expect(gone.status).to.equal(404);
      }
      const limited = await api.call("GET /sip/mapper?code=1", { as });
      expect([limited.status, limited.body.code]).to.deep.equal([429, 12]);
      const agent = await api.call("GET /sip/mapper?code=1", { as: api.fixture.organizer });
      expect(agent.status).to.equal(403);
    });
  });
});
