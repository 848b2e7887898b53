import { expect } from "chai";
import { deliveryStates } from "../../src/webhooks/delivery-store.ts";
import { ticketStates } from "../../src/contracts/events.ts";
import { grantsOfRole, type Permission, type Role } from "../../src/contracts/permissions.ts";
import { problemCatalogue } from "../../src/contracts/problems.ts";
import { failures } from "../../src/pipeline/delivery/failures.ts";
import { move, ticketActions, type Place } from "../../src/tickets/model.ts";
import { aHouse, aHouseWebhook, type House } from "../support/house.ts";
import { fencesOf, readPage, sectionOf, tableOf, wordsOf } from "../support/markdown.ts";
import { useWholeApi } from "../support/whole-api.ts";

/** Names of members, down to the second level; of a list those of its first item. */
const shapeOf = (value: unknown, depth = 2): unknown => {
  if (Array.isArray(value)) {
    return value.length === 0 ? [] : [shapeOf(value[0], depth)];
  }
  if (typeof value !== "object" || value === null || depth === 0) {
    return "…";
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name,
    shapeOf(member, depth - 1),
  ]);
  return Object.fromEntries(members);
};

const byText = (a: string, b: string): number => a.localeCompare(b);

const sourcesOf = (from: string): string[] => {
  if (from === "–") {
    return ["none"];
  }
  const named = wordsOf(from);
  return from.startsWith("all but")
    ? ticketStates.filter((state) => !named.includes(state))
    : named;
};

/** A row of the state table, as one line per state that the action starts from. */
const movesOf = ([action = "", from = "", to = ""]: string[]): string[] =>
  sourcesOf(from).map((source) => {
    const target = to === "the same" ? source : (wordsOf(to)[0] ?? to);
    return `${wordsOf(action)[0]}: ${source} → ${target}`;
  });

const exampleOf = (page: string, operation: string): unknown => {
  const section = sectionOf(page, `\`${operation}\``);
  const [example] = fencesOf(section.slice(section.indexOf("Answer 20")), "json");
  if (example === undefined) {
    throw new Error(`${operation} has no example of an answer`);
  }
  return JSON.parse(example);
};

describe("docs/api.md", () => {
  const api = useWholeApi();
  let page: string;
  let house: House;
  before("read the page", async () => {
    page = await readPage("docs/api.md");
    house = await aHouse(api.db);
  });

  it("describes every operation that is served, and no other", () => {
    const served = api.routes.map(({ method, path }) => `${method} /api${path}`);
    const described = [...page.matchAll(/^### `([A-Z]+ \/api[^`]*)`$/gmu)].map(
      ([, one = ""]) => one,
    );
    expect(described.toSorted(byText)).to.deep.equal(served.toSorted(byText));
    const listed = tableOf(page).flatMap(([link = ""]) => wordsOf(link));
    expect(listed).to.deep.equal(described);
  });

  it("names every field and parameter of every operation", () => {
    for (const { method, path, ...route } of api.routes) {
      const section = sectionOf(page, `\`${method} /api${path}\``);
      const shared = path.startsWith("/webhooks") ? sectionOf(page, "Webhooks") : "";
      const words = new Set(wordsOf(section + shared));
      const query = "query" in route ? route.query : undefined;
      const fields = [query, route.body].flatMap((schema) =>
        Object.keys(schema?.["properties"] ?? {}),
      );
      const missing = fields.filter((field) => !words.has(field));
      expect(missing, `${method} ${path}`).to.deep.equal([]);
    }
  });

  it("names the permission of every operation", () => {
    for (const { method, path, permission } of api.routes) {
      if (permission !== "public" && permission !== "authenticated") {
        const section = sectionOf(page, `\`${method} /api${path}\``);
        expect(section.split("\n")[2], `${method} ${path}`).to.contain(`\`${permission}\`.`);
      }
    }
  });

  it("lists the codes of all problems", () => {
    const listed = tableOf(sectionOf(page, "Errors")).map(([code, status, slug = ""]) => ({
      code: Number(code),
      status: Number(status),
      slug: wordsOf(slug)[0],
    }));
    const known = Object.values(problemCatalogue).map(({ code, status, slug }) => ({
      code,
      status,
      slug,
    }));
    expect(listed).to.deep.equal(known.toSorted((a, b) => a.code - b.code));
  });

  it("shows what each role may", () => {
    const columns: Role[][] = [
      ["viewer"],
      ["agent"],
      ["manager"],
      ["integration"],
      ["admin", "superadmin"],
    ];
    const rows = tableOf(sectionOf(page, "Roles"));
    const served = new Set<string>(api.routes.map(({ permission }) => permission));
    const listed = rows.flatMap(([names = ""]) => wordsOf(names));
    served.delete("public");
    served.delete("authenticated");
    expect(listed.toSorted(byText)).to.deep.equal([...served].toSorted(byText));
    for (const [names = "", ...reaches] of rows) {
      for (const permission of wordsOf(names) as Permission[]) {
        columns.forEach((roles, column) => {
          for (const role of roles) {
            const found = grantsOfRole[role][permission] ?? "–";
            expect(reaches[column], `${permission} of ${role}`).to.equal(found);
          }
        });
      }
    }
  });

  it("shows the state machine of tickets as it is", () => {
    const places: readonly Place[] = ["none", ...ticketStates];
    const real = ticketActions.flatMap((action) =>
      places
        .map((place) => ({ place, ...move(place, action) }))
        .filter(({ isAllowed }) => isAllowed)
        .map(({ place, to }) => `${action}: ${place} → ${to}`),
    );
    const documented = tableOf(sectionOf(page, "States")).flatMap(movesOf);
    expect(documented.toSorted(byText)).to.deep.equal(real.toSorted(byText));
  });

  it("explains every state of a delivery and every error of an attempt", () => {
    const list = sectionOf(page, "`GET /api/webhooks/{webhookId}/deliveries`");
    const states = tableOf(list.slice(list.indexOf("| Status")));
    expect(states.flatMap(([names = ""]) => wordsOf(names)).toSorted()).to.deep.equal(
      [...deliveryStates].toSorted(),
    );
    const one = sectionOf(page, "`GET /api/webhooks/{webhookId}/deliveries/{deliveryId}`");
    const errors = tableOf(one.slice(one.indexOf("| Error")));
    expect(errors.flatMap(([names = ""]) => wordsOf(names)).toSorted()).to.deep.equal(
      [...failures, "interrupted"].toSorted(),
    );
  });

  it("shows answers with the members that real ones have", async () => {
    const { token } = house.members.agent;
    const as = { token: house.members.admin.token };
    const expectShown = async (operation: string, real: { body: unknown }): Promise<void> => {
      const shown = shapeOf(exampleOf(page, operation));
      expect(shapeOf(real.body), operation).to.deep.equal(shown);
    };
    const json = {
      ...{ agent: house.members.agent.login, phone: "+33612345678", email: "jane@example.com" },
      ...{ firstname: "Jane", lastname: "Doe", company: "Example Ltd", scope: "sso" },
    };
    const created = await api.call("POST /api/tickets", { ...as, json });
    await expectShown("POST /api/tickets", created);
    const ticket = `/api/tickets/${created.body.id}`;
    await expectShown("GET /api/tickets", await api.call("GET /api/tickets", as));
    await expectShown("GET /api/tickets/{ticketId}", await api.call(`GET ${ticket}`, as));
    await api.call(`PATCH ${ticket}`, { ...as, json: { priority: 3 } });
    const changes = `GET ${ticket}/events?eventType=ticket.priorityChanged`;
    await expectShown("GET /api/tickets/{ticketId}/events", await api.call(changes, as));
    await expectShown("GET /api/users/me", await api.call("GET /api/users/me", { token }));
    const webhook = await api.call("POST /api/webhooks", {
      ...as,
      json: { filters: ["*"], headers: [{ name: "X-Key", value: "v" }] },
    });
    await expectShown("POST /api/webhooks", webhook);
    await expectShown("GET /api/webhooks", await api.call("GET /api/webhooks", as));
    const types = await api.call("GET /api/webhooks/event-types", as);
    await expectShown("GET /api/webhooks/event-types", types);
    const { id, deliveryId } = await aHouseWebhook(api.db, house);
    const deliveries = await api.call(`GET /api/webhooks/${id}/deliveries`, as);
    await expectShown("GET /api/webhooks/{webhookId}/deliveries", deliveries);
    await expectShown(
      "GET /api/webhooks/{webhookId}/deliveries/{deliveryId}",
      await api.call(`GET /api/webhooks/${id}/deliveries/${deliveryId}`, as),
    );
  });
});
