import { expect } from "chai";
import { roles, type Role } from "../../src/contracts/permissions.ts";
import { problemCatalogue, type ProblemKind } from "../../src/contracts/problems.ts";
import {
  aTenant,
  aTenantTicket,
  aTenantWebhook,
  tokenFor,
  type Tenant,
  type Member,
} from "../support/tenant.ts";
import { aTenantConference } from "../support/tenant-objects.ts";
import { expectProblem } from "../support/problem-shape.ts";
import { createWriteMarks } from "../support/snapshot.ts";
import { useWholeApi, type ApiAnswer } from "../support/whole-api.ts";
import { allOperations, operations, type Classified } from "./routes.ts";
import type { Ids } from "./routes/kinds.ts";
import { anyIds, expectedEnd, targetsOf, type Target } from "./targets.ts";
import { nobody } from "./targets/target.ts";
import { aTenantReplay } from "./targets/webhooks.ts";
import { isWriting, rightCall, textOf, useFixture } from "./fixture.ts";

function statusOf(end: number | ProblemKind): number {
  return typeof end === "number" ? end : problemCatalogue[end].status;
}

/** The expected outcome for a role, as the title of its test. */
function inWords(operation: string, route: Classified, role: Role): string {
  const namesOf = new Map<number, string[]>();
  for (const target of targetsOf(operation, route)) {
    const status = statusOf(expectedEnd(route, role, target));
    namesOf.set(status, [...(namesOf.get(status) ?? []), target.name]);
  }
  return namesOf.size === 1
    ? `always ${[...namesOf.keys()].join("")}`
    : [...namesOf].map(([status, names]) => `${status} for ${names.join(", ")}`).join("; ");
}

describe("tenancy and roles", () => {
  const api = useWholeApi();
  const fixture = useFixture(api);
  /**
   * Callers without the solution: an enterprise that lacks it, and a superadmin of account type
   * `platform`.
   */
  let withoutSolution: Tenant;
  let platformAdmin: Member;
  let marks: () => Promise<string>;
  before("find users without the solution", async () => {
    const { db } = api;
    marks = await createWriteMarks(db);
    withoutSolution = await aTenant(db);
    await db("enterprises").where({ id: withoutSolution.id }).update({ solution_enabled: false });
    const third = await aTenant(db);
    platformAdmin = third.members.superadmin;
    await db("users").where({ id: platformAdmin.id }).update({ account_type: "platform" });
  });

  const send = (operation: string, actor: Member, ids: Ids): Promise<ApiAnswer> => {
    const right = rightCall(fixture.get, operation, { actor, ids });
    return api.call(right.operation, right.call);
  };

  it("covers every served operation, and no other", () => {
    const served = api.routes.map(({ method, path }) => `${method} ${path}`);
    expect([...allOperations].toSorted()).to.deep.equal(served.toSorted());
  });

  type Case = Readonly<{
    operation: string;
    route: Classified;
    role: Role;
    target: Target;
    actor: Member;
    ids: Ids;
  }>;

  const wordsOf = ({ operation, role, target }: Case): string =>
    `${operation} as ${role} on ${target.name}`;

  /** The enterprises whose data the response must not contain. */
  const hiddenFrom = ({ route, role, target }: Case): Tenant[] => {
    const { foreign, managed } = fixture.get;
    const sees = target.opensTo?.includes(role) === true ? "every" : route.sees?.[role];
    return sees === undefined ? [foreign, managed] : sees === "managed" ? [foreign] : [];
  };

  /** The response is the expected one, and contains no other enterprise's data. */
  const assess = (one: Case, answer: ApiAnswer): void => {
    const { route, role, target } = one;
    const end = expectedEnd(route, role, target);
    const what = wordsOf(one);
    if (typeof end === "number") {
      expect(answer.status, `${what}: ${answer.text}`).to.equal(end);
    } else {
      expectProblem(answer, end, what);
    }
    for (const { mark } of hiddenFrom(one)) {
      expect(textOf(answer), `${what} tells of another enterprise`).to.not.contain(mark);
    }
    for (const secret of fixture.get.own.hidden) {
      expect(answer.text, `${what} shows a secret`).to.not.contain(secret);
    }
  };

  const makeCases = async (operation: string, route: Classified, role: Role): Promise<Case[]> => {
    const member = fixture.get.own.members[role];
    const cases: Case[] = [];
    for (const target of targetsOf(operation, route)) {
      // A separate token for the operation that revokes it.
      const actor = { ...member, token: await tokenFor(api.db, member) };
      const ids = await target.make(fixture.get, actor, route);
      cases.push({ operation, route, role, target, actor, ids });
    }
    return cases;
  };

  const isWrite = ({ operation, route, role, target }: Case): boolean =>
    isWriting(operation, route) && typeof expectedEnd(route, role, target) === "number";

  for (const [operation, route] of operations) {
    describe(operation, () => {
      it(`is ${route.family === "solution" ? "closed" : "open"} without the solution`, async () => {
        for (const actor of [platformAdmin, withoutSolution.members.superadmin]) {
          const token = await tokenFor(api.db, actor);
          const answer = await send(operation, { ...actor, token }, anyIds);
          if (route.family === "solution") {
            expectProblem(answer, "feature_off");
          } else {
            expect(answer.status, answer.text).to.be.oneOf([route.status, 400, 404]);
          }
        }
      });

      for (const role of roles) {
        it(`${role}: ${inWords(operation, route, role)}`, async () => {
          const cases = await makeCases(operation, route, role);
          const before = await marks();
          for (const one of cases.filter((each) => !isWrite(each))) {
            assess(one, await send(operation, one.actor, one.ids));
          }
          expect(await marks(), "a refused call or a reading one wrote").to.equal(before);
          for (const one of cases.filter(isWrite)) {
            const unchanged = await marks();
            assess(one, await send(operation, one.actor, one.ids));
            expect(await marks(), `${wordsOf(one)} wrote nothing`).to.not.equal(unchanged);
          }
        });
      }

      const conflicts = async (make: (adminId: number) => Promise<Ids>): Promise<ApiAnswer> => {
        const { admin } = fixture.get.own.members;
        const ids = await make(admin.id);
        const before = await marks();
        const answer = await send(operation, admin, ids);
        expectProblem(answer, "conflict");
        expect(await marks()).to.equal(before);
        return answer;
      };

      const { conflictIn, conferenceConflictIn: status, replayConflictIn: state } = route;
      if (conflictIn !== undefined) {
        it(`answers 409 for a ticket that is ${conflictIn}, and changes nothing`, async () => {
          const answer = await conflicts(async (agentId) => ({
            ticketId: await aTenantTicket(api.db, fixture.get.own, { agentId, state: conflictIn }),
          }));
          expect(answer.body.details).to.match(
            new RegExp(`^Transition ${conflictIn} → \\w+$`, "u"),
          );
        });
      }
      if (status !== undefined) {
        it(`answers 409 for a conference that is ${status}, and changes nothing`, async () => {
          const answer = await conflicts(async (organizerId) => ({
            conferenceId: (
              await aTenantConference(api.db, fixture.get.own, { organizerId, status })
            ).id,
          }));
          expect(answer.body.details).to.match(new RegExp(`^Transition ${status} → \\w+$`, "u"));
        });
      }
      if (state !== undefined) {
        it(`answers 409 for a replay that is ${state}, and changes nothing`, async () => {
          const answer = await conflicts(async () => ({
            replayId: await aTenantReplay(api.db, fixture.get.own, state),
          }));
          expect(answer.body.details).to.match(new RegExp(`^Transition ${state} → \\w+$`, "u"));
        });
      }
    });
  }

  it("does not distinguish another enterprise's objects from unknown ones", async () => {
    const { db } = api;
    const { admin, agent } = fixture.get.own.members;
    const own = await aTenantTicket(db, fixture.get.own, { agentId: agent.id, state: "opened" });
    const email = "jane@example.com";
    const pairs = [
      ["POST /tickets", "agent", fixture.get.foreign.members.agent.login, "nobody@nowhere.example"],
      ["POST /tickets", "service_key", fixture.get.foreign.serviceKey, "z".repeat(32)],
      ["POST /tickets", "group", `North ${fixture.get.foreign.mark}`, "No such group"],
      ["POST /tickets", "group", fixture.get.foreign.north, 999_999_999],
      [
        `PUT /tickets/${own}/agent`,
        "agent",
        fixture.get.foreign.members.agent.login,
        "nobody@a.example",
      ],
    ] as const;
    for (const [operation, field, theirs, nothing] of pairs) {
      const [method = "", path = ""] = operation.split(" ");
      const texts: unknown[] = [];
      for (const value of [theirs, nothing]) {
        const json = { ...(method === "PUT" ? {} : { agent: agent.login, email }), [field]: value };
        const answer = await api.call(`${method} /api${path}`, { token: admin.token, json });
        expectProblem(answer, "invalid_parameter", `${operation} with the ${field} ${value}`);
        expect(answer.body.errors).to.deep.equal([{ field, reason: "unknown" }]);
        // Apart from the echoed input, the responses must be identical.
        const said = JSON.stringify({ ...answer.body, instance: "" });
        texts.push(said.replaceAll(String(value), "…"));
      }
      expect(texts[0], operation).to.deep.equal(texts[1]);
    }
  });

  it("does not distinguish another enterprise's webhooks and events from unknown ones", async () => {
    const { own, foreign } = fixture.get;
    const [ours, theirs] = [
      await aTenantWebhook(api.db, own),
      await aTenantWebhook(api.db, foreign),
    ];
    const named = {
      id: theirs.id,
      replay: await aTenantReplay(api.db, foreign, "done"),
      event: theirs.eventId,
    };
    const nothing = {
      ...{ id: nobody, replay: nobody },
      event: "evt_11111111-1111-4111-8111-111111111111",
    };
    const deliveries = "GET /api/webhooks/deliveries";
    const asked: ((wanted: typeof named) => [operation: string, json?: unknown])[] = [
      ({ event }) => [`POST /api/webhooks/${ours.id}/test`, { event_id: event }],
      ({ event }) => [`GET /api/webhooks/explain?event_id=${event}`],
      ({ event }) => [`GET /api/webhooks/${ours.id}/deliveries?event_id=${event}`],
      ({ event }) => [`${deliveries}?event_id=${event}`],
      ({ id }) => [`${deliveries}?webhook=${id}`],
      ({ replay }) => [`${deliveries}?replay=${replay}`],
    ];
    const { token } = own.members.admin;
    for (const ask of asked) {
      const results: unknown[] = [];
      for (const wanted of [named, nothing]) {
        const [operation, json] = ask(wanted);
        const call = json === undefined ? { token } : { token, json };
        const { status, text, headers } = await api.call(operation, call);
        const bare = [headers.get("x-request-id") ?? "", ...Object.values(wanted)].reduce(
          (rest: string, word) => rest.replaceAll(new RegExp(`\\b${word}\\b`, "gu"), "…"),
          text,
        );
        results.push([status, bare]);
      }
      expect(results[0], ask(named)[0]).to.deep.equal(results[1]);
    }
  });

  it("revokes a permission as soon as the role is changed", async () => {
    const { db } = api;
    const tenant = await aTenant(db);
    const { admin } = tenant.members;
    const read = async () => (await api.call("GET /api/webhooks", { token: admin.token })).status;
    expect(await read()).to.equal(200);
    await db("users").where({ id: admin.id }).update({ role: "viewer" });
    api.identitiesChanged(tenant.id);
    expect(await read()).to.equal(403);
    await db("users").where({ id: admin.id }).update({ role: "admin", is_active: false });
    api.identitiesChanged(tenant.id);
    expect(await read()).to.equal(401);
  });
});
