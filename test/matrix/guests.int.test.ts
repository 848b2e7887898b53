import { expect } from "chai";
import { roomRoles, type RoomRole } from "../../src/http/route.ts";
import { tokenFor } from "../support/tenant.ts";
import { aTenantRoom, type RoomInput } from "../support/tenant-rooms.ts";
import { expectProblem } from "../support/problem-shape.ts";
import { createWriteMarks } from "../support/snapshot.ts";
import { useWholeApi, type ApiAnswer } from "../support/whole-api.ts";
import { operations } from "./routes.ts";
import { guestRoutes, type GuestClassified } from "./routes/guests.ts";
import type { Ids } from "./routes/kinds.ts";
import { anyIds, pathOf } from "./targets.ts";
import { enterRoom, isWriting, rightCall, rightGuestCall, textOf, useFixture } from "./fixture.ts";

const guestOperations = Object.entries(guestRoutes);

describe("people in rooms", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  let marks: () => Promise<string>;
  before("list the tables", async () => {
    marks = await createWriteMarks(api.db);
  });

  const send = async (operation: string, token: string, ids: Ids = {}): Promise<ApiAnswer> => {
    const right = await rightGuestCall(operation, { token, ids });
    return api.call(right.operation, right.call);
  };

  const enter = (kind: GuestClassified, role: RoomRole, input?: RoomInput) =>
    enterRoom(fixture.get, kind, role, input);

  const someone = (kind: GuestClassified): RoomRole => kind.roles[0] ?? "requestor";

  for (const [operation, kind] of guestOperations) {
    describe(operation, () => {
      for (const role of roomRoles) {
        const end = kind.roles.includes(role) ? kind.status : 403;
        it(`${role}: ${end}`, async () => {
          const { room, ids } = await enter(kind, role);
          const before = await marks();
          const answer = await send(operation, room.token, ids);
          if (end === 403) {
            expectProblem(answer, "forbidden");
            expect(answer.body.details).to.equal(`Role ${role}`);
          } else {
            expect(answer.status, answer.text).to.equal(end);
          }
          const hasWritten = (await marks()) !== before;
          expect(hasWritten).to.equal(end !== 403 && isWriting(operation, kind));
          expect(textOf(answer)).to.not.contain(fixture.get.foreign.mark);
        });
      }

      it("answer 401 without a room token, for every operation", async () => {
        const { admin } = fixture.get.own.members;
        const { room } = await enter(kind, someone(kind));
        const bad = {
          "an invented one": "invented",
          "an access token": await tokenFor(api.db, admin),
          "an expired one": (await enter(kind, someone(kind), { ttlSeconds: -1 })).room.token,
          "one of another key": (await enter(kind, someone(kind), { key: Buffer.alloc(32, 8) }))
            .room.token,
          "one that was changed": `${room.token.slice(0, -4)}AAAA`,
        };
        const before = await marks();
        const [method = "", path = ""] = operation.split(" ");
        const bare = await api.call(`${method} /api${pathOf(path, anyIds)}`);
        expectProblem(bare, "no_token");
        for (const [name, token] of Object.entries(bad)) {
          expectProblem(await send(operation, token), "bad_token", name);
        }
        expect(await marks()).to.equal(before);
      });

      if (/\{(?:recordingId|requestId)\}/u.test(operation)) {
        it("answer 404 for objects of another room", async () => {
          const role = someone(kind);
          const { ids } = await enter(kind, role);
          for (const tenant of [fixture.get.own, fixture.get.foreign]) {
            const other = await aTenantRoom(api.db, tenant, role);
            const before = await marks();
            expectProblem(await send(operation, other.token, ids), "not_found");
            expect(await marks()).to.equal(before);
          }
        });
      }

      const isLate = kind.outlivesTicket === true;
      it(`${isLate ? "ends what was begun" : "answers 410"} for a deleted ticket`, async () => {
        const role = kind.roles.includes("requestor") ? "requestor" : "agent";
        const { room, ids } = await enter(kind, role);
        await api
          .db("tickets")
          .where({ id: room.guest.ticketId })
          .update({ state: "closed", deleted_at: new Date() });
        const before = await marks();
        const answer = await send(operation, room.token, ids);
        if (isLate) {
          expect(answer.status, answer.text).to.equal(kind.status);
        } else {
          expectProblem(answer, "gone");
          expect(await marks()).to.equal(before);
        }
      });
    });
  }

  it("cannot use staff operations with a room token", async () => {
    const { room } = await enter({ roles: ["agent"], status: 200 }, "agent");
    const before = await marks();
    const actor = { ...fixture.get.own.members.agent, token: room.token };
    for (const [operation] of operations) {
      const right = rightCall(fixture.get, operation, { actor, ids: anyIds });
      expectProblem(await api.call(right.operation, right.call), "bad_token", operation);
    }
    expect(await marks()).to.equal(before);
  });
});
