import { expect } from "chai";
import { roles, type Role } from "../../src/contracts/permissions.ts";
import { problemCatalogue, type ProblemKind } from "../../src/contracts/problems.ts";
import {
  aHouse,
  aHouseTicket,
  removeWebhooks,
  tokenFor,
  type House,
  type Member,
} from "../support/house.ts";
import { expectProblem } from "../support/problem-shape.ts";
import { useWholeApi, type ApiAnswer, type ApiCall } from "../support/whole-api.ts";
import { classified, isPublic, operations, reachOf, type Classified } from "./routes.ts";
import { expectedEnd, pathOf, snapshot, targetsOf, type Target, type World } from "./targets.ts";

const statusOf = (end: number | ProblemKind): number =>
  typeof end === "number" ? end : problemCatalogue[end].status;

/** What a role meets, in words: the title of its test. */
const inWords = (route: Classified, role: Role): string => {
  const namesOf = new Map<number, string[]>();
  for (const target of targetsOf(route)) {
    const status = statusOf(expectedEnd(route, reachOf(route, role), target));
    namesOf.set(status, [...(namesOf.get(status) ?? []), target.name]);
  }
  return namesOf.size === 1
    ? `always ${[...namesOf.keys()].join("")}`
    : [...namesOf].map(([status, names]) => `${status} for ${names.join(", ")}`).join("; ");
};

describe("tenancy and roles", () => {
  const api = useWholeApi();
  let world: World;
  /** Without the solution, and with an account that has no part in it. */
  let poor: House;
  let platformAdmin: Member;
  before("fill two enterprises", async () => {
    const { db } = api;
    world = { db, own: await aHouse(db), foreign: await aHouse(db) };
    poor = await aHouse(db);
    await db("enterprises").where({ id: poor.id }).update({ solution_enabled: false });
    const third = await aHouse(db);
    platformAdmin = third.members.admin;
    await db("users").where({ id: platformAdmin.id }).update({ account_type: "platform" });
  });
  afterEach("make room for webhooks", async () => {
    await removeWebhooks(api.db, world.own.id);
    await removeWebhooks(api.db, world.foreign.id);
  });

  const bodyFor = ({ body }: Classified, actor: Member): ApiCall =>
    body === undefined ? {} : { json: body(world.own, actor) };

  const send = (operation: string, actor: Member, ids: Record<string, number>) => {
    const [method = "", path = ""] = operation.split(" ");
    const route = classified[operation] as Classified;
    const call = { token: actor.token, ...bodyFor(route, actor) };
    return api.call(`${method} /api${pathOf(path, ids)}`, call);
  };

  const anyIds = { ticketId: 1, webhookId: 1, deliveryId: 1 };

  it("knows every operation that is served, and no other", () => {
    const served = api.routes.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(classified).toSorted()).to.deep.equal(served.toSorted());
  });

  for (const [operation, route] of operations.filter(([, one]) => !isPublic(one))) {
    describe(operation, () => {
      it(`is ${route.family === "solution" ? "closed" : "open"} without the solution`, async () => {
        for (const actor of [platformAdmin, poor.members.admin]) {
          const token = await tokenFor(api.db, actor);
          const answer = await send(operation, { ...actor, token }, anyIds);
          if (route.family === "solution") {
            expectProblem(answer, "feature_off");
          } else {
            expect(answer.status, answer.text).to.be.oneOf([route.status, 404]);
          }
        }
      });

      for (const role of roles) {
        it(`${role}: ${inWords(route, role)}`, async () => {
          const member = world.own.members[role];
          for (const target of targetsOf(route)) {
            // One of its own for the operation that ends the token.
            const actor = { ...member, token: await tokenFor(api.db, member) };
            const ids = await target.make(world, actor);
            const before = await snapshot(world);
            const answer = await send(operation, actor, ids);
            const hasChanged = (await snapshot(world)) !== before;
            judge({ operation, role, target, answer, hasChanged });
          }
        });
      }

      const { conflictIn } = route;
      if (conflictIn !== undefined) {
        it(`answers 409 for a ticket that is ${conflictIn}, and changes nothing`, async () => {
          const { admin } = world.own.members;
          const wish = { agentId: admin.id, state: conflictIn };
          const ticketId = await aHouseTicket(api.db, world.own, wish);
          const before = await snapshot(world);
          const answer = await send(operation, admin, { ticketId });
          expectProblem(answer, "conflict");
          expect(answer.body.details).to.match(
            new RegExp(`^Transition ${conflictIn} → \\w+$`, "u"),
          );
          expect(await snapshot(world)).to.equal(before);
        });
      }
    });
  }

  type Outcome = {
    operation: string;
    role: Role;
    target: Target;
    answer: ApiAnswer;
    hasChanged: boolean;
  };

  /** The answer is the expected one, changed what it should, and tells of nobody else. */
  const judge = ({ operation, role, target, answer, hasChanged }: Outcome): void => {
    const route = classified[operation] as Classified;
    const end = expectedEnd(route, reachOf(route, role), target);
    const what = `${operation} as ${role} on ${target.name}`;
    if (typeof end === "number") {
      expect(answer.status, `${what}: ${answer.text}`).to.equal(end);
    } else {
      expectProblem(answer, end satisfies ProblemKind, what);
    }
    const isWrite = !operation.startsWith("GET ");
    expect(hasChanged, `${what} changed something`).to.equal(isWrite && typeof end === "number");
    const headers = JSON.stringify([...answer.headers]);
    expect(answer.text + headers, `${what} tells of another enterprise`).to.not.contain(
      world.foreign.mark,
    );
    for (const secret of world.own.hidden) {
      expect(answer.text, `${what} shows a secret`).to.not.contain(secret);
    }
  };

  it("says the same of what another enterprise has as of what does not exist", async () => {
    const { db } = api;
    const { admin, agent } = world.own.members;
    const own = await aHouseTicket(db, world.own, { agentId: agent.id, state: "opened" });
    const email = "jane@example.com";
    const pairs = [
      ["POST /tickets", "agent", world.foreign.members.agent.login, "nobody@nowhere.example"],
      ["POST /tickets", "service_key", world.foreign.serviceKey, "z".repeat(32)],
      ["POST /tickets", "group", `North ${world.foreign.mark}`, "No such group"],
      ["POST /tickets", "group", world.foreign.north, 999_999_999],
      [`PUT /tickets/${own}/agent`, "agent", world.foreign.members.agent.login, "nobody@a.example"],
    ] as const;
    for (const [operation, field, theirs, nothing] of pairs) {
      const [method = "", path = ""] = operation.split(" ");
      const told: unknown[] = [];
      for (const value of [theirs, nothing]) {
        const json = { ...(method === "PUT" ? {} : { agent: agent.login, email }), [field]: value };
        const answer = await api.call(`${method} /api${path}`, { token: admin.token, json });
        expectProblem(answer, "invalid_parameter", `${operation} with the ${field} ${value}`);
        expect(answer.body.errors).to.deep.equal([{ field, reason: "unknown" }]);
        told.push({ ...answer.body, instance: "" });
      }
      expect(told[0], operation).to.deep.equal(told[1]);
    }
  });

  it("takes back what a role may the moment it is changed", async () => {
    const { db } = api;
    const house = await aHouse(db);
    const { admin } = house.members;
    const read = async () => (await api.call("GET /api/webhooks", { token: admin.token })).status;
    expect(await read()).to.equal(200);
    await db("users").where({ id: admin.id }).update({ role: "viewer" });
    expect(await read()).to.equal(403);
    await db("users").where({ id: admin.id }).update({ role: "admin", is_active: false });
    expect(await read()).to.equal(401);
  });
});
