import { expect } from "chai";
import { conferenceActions, transition as moveOf } from "../../src/conferences/model.ts";
import { conferenceStatuses } from "../../src/contracts/conferences.ts";
import { deliveryStates, failureClasses } from "../../src/contracts/deliveries.ts";
import { mediaStates, ticketStates } from "../../src/contracts/events.ts";
import { grantsOfRole, roles, type Permission } from "../../src/contracts/permissions.ts";
import { problemCatalogue } from "../../src/contracts/problems.ts";
import { sessionEventAttributes, sessionEventCodes } from "../../src/contracts/session-events.ts";
import type { AnyRoute } from "../../src/http/route.ts";
import { sourceTypes } from "../../src/media/model.ts";
import { messageStatuses } from "../../src/contracts/invitations.ts";
import { variablesOfKind } from "../../src/contracts/message-templates.ts";
import { statisticsKeys } from "../../src/statistics/row.ts";
import {
  ticketActions,
  type TicketLifecycleState,
  transition,
} from "../../src/contracts/tickets.ts";
import { exampleOf, readApiDocs, type ApiDocs, type OperationDocs } from "../support/api-docs.ts";
import { faultOf } from "../support/described.ts";
import { sectionOf, tableOf, wordsOf } from "../support/markdown.ts";
import { useWholeApi } from "../support/whole-api.ts";

function byText(a: string, b: string): number {
  return a.localeCompare(b);
}

function nameOf({ method, path }: AnyRoute): string {
  return `${method} /api${path}`;
}

/** Expands a row of a state table into one line per initial state. */
function movesOf(states: readonly string[]) {
  return ([action = "", from = "", to = ""]: string[]): string[] => {
    const named = wordsOf(from);
    const isAllBut = from.startsWith("all but");
    const some = isAllBut ? states.filter((state) => !named.includes(state)) : named;
    return (from === "–" ? ["none"] : some).map((source) => {
      const target = to === "the same" ? source : (wordsOf(to)[0] ?? to);
      return `${wordsOf(action)[0]}: ${source} → ${target}`;
    });
  };
}

/** Every transition that the state machine allows, in the same form. */
function allowedMoves<Action extends string, State extends string>(
  actions: readonly Action[],
  states: readonly State[],
  machine: (from: State, action: Action) => { isAllowed: boolean; to: string },
): string[] {
  return actions.flatMap((action) =>
    states
      .map((state) => ({ state, ...machine(state, action) }))
      .filter(({ isAllowed }) => isAllowed)
      .map(({ state, to }) => `${action}: ${state} → ${to}`),
  );
}

function fieldsOf(route: AnyRoute): string[] {
  return [route.query, route.body].flatMap((schema) => Object.keys(schema?.["properties"] ?? {}));
}

function whoMayCall(route: AnyRoute): string[] {
  if (route.permission === "guest") {
    return ["Room token of", ...route.roles.map((role) => `\`${role}\``)];
  }
  const words: Record<string, string> = { public: "Public", authenticated: "Any token" };
  return [words[route.permission] ?? `\`${route.permission}\`.`];
}

/**
 * The parts of an example that another operation may return: the whole example, or an item of its
 * list.
 */
function partsOf(example: unknown): unknown[] {
  const { data } = (example ?? {}) as { data?: unknown };
  return Array.isArray(data) && data.length > 0 ? [example, data[0]] : [example];
}

describe("docs/api", () => {
  const api = useWholeApi();
  let docs: ApiDocs;
  before("read the pages", async () => {
    docs = await readApiDocs();
  });

  const docsOf = (name: string): OperationDocs => {
    const found = docs.operations.find(({ operation }) => operation === name);
    if (found === undefined) {
      throw new Error(`Nothing is said about ${name}`);
    }
    return found;
  };
  const eachRoute = (check: (route: AnyRoute, docs: OperationDocs) => void): void => {
    for (const route of api.routes) {
      check(route, docsOf(nameOf(route)));
    }
  };
  const columnOf = (title: string, mark: string): string[] => {
    const section = sectionOf(docs.whole, title);
    return tableOf(section.slice(section.indexOf(mark))).flatMap(([cell = ""]) => wordsOf(cell));
  };

  it("describes every served operation once, and no other", () => {
    const described = docs.operations.map(({ operation }) => operation);
    expect(described.toSorted(byText)).to.deep.equal(api.routes.map(nameOf).toSorted(byText));
  });

  it("lists the operations of a page at its start", () => {
    for (const [page, text] of docs.pages) {
      const held = docs.operations.filter((one) => one.page === page);
      if (held.length > 0 && !page.endsWith("README.md")) {
        const listed = tableOf(text).flatMap(([link = ""]) => wordsOf(link));
        expect(listed, page).to.deep.equal(held.map(({ operation }) => operation));
      }
    }
  });

  it("links every page from the index", () => {
    const first = docs.pages.get("docs/api/README.md") ?? "";
    for (const page of docs.pages.keys()) {
      const name = page.replace("docs/api/", "");
      expect(name === "README.md" || first.includes(`](${name})`), page).to.equal(true);
    }
  });

  it("names every field and parameter of every operation", () => {
    eachRoute((route, { operation, text, chapter }) => {
      const words = new Set(wordsOf(chapter + text));
      const missing = fieldsOf(route).filter((field) => !words.has(field));
      expect(missing, operation).to.deep.equal([]);
    });
  });

  it("names the permission of each operation first", () => {
    eachRoute((route, { operation, text }) => {
      const [, , line = ""] = text.split("\n");
      for (const word of whoMayCall(route)) {
        expect(line, operation).to.contain(word);
      }
    });
  });

  it("shows responses with exactly the members of real ones", () => {
    eachRoute((route, described) => {
      const { operation, text } = described;
      const { status, schema } = route.answer;
      const [line = ""] = /^Response \d+.*(?:\n(?!\n).*)*/mu.exec(text) ?? [];
      expect(line, operation).to.match(new RegExp(`^Response ${status}\\b`, "u"));
      if (schema === undefined) {
        return;
      }
      const [other] = wordsOf(line).filter((word) => /^[A-Z]+ \/api/u.test(word));
      const shown = exampleOf(other === undefined ? described : docsOf(other));
      expect(shown, operation).to.not.equal(undefined);
      const faults = partsOf(shown).map((part) => faultOf(schema, part));
      expect(faults.some((fault) => fault === undefined) || faults, operation).to.equal(true);
    });
  });

  it("lists the codes of all problems", () => {
    const listed = tableOf(sectionOf(docs.whole, "Errors")).map(([code, status, slug = ""]) => ({
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

  it("lists the permissions of each role", () => {
    const columns = ["viewer", "agent", "manager", "integration", "admin", "superadmin"] as const;
    expect([...columns].toSorted()).to.deep.equal([...roles].toSorted());
    const rows = tableOf(sectionOf(docs.whole, "Roles"));
    const served = new Set(api.routes.map(({ permission }) => permission));
    const needed = [...served].filter((one) => one.includes("."));
    const listed = rows.flatMap(([names = ""]) => wordsOf(names));
    expect(listed.toSorted(byText)).to.deep.equal(needed.toSorted(byText));
    for (const [names = "", ...reaches] of rows) {
      for (const permission of wordsOf(names) as Permission[]) {
        const granted = columns.map((role) => grantsOfRole[role][permission] ?? "–");
        expect(reaches, permission).to.deep.equal(granted);
      }
    }
  });

  it("lists the real states of tickets and conferences", () => {
    const places: readonly TicketLifecycleState[] = ["none", ...ticketStates];
    const ofTickets = tableOf(sectionOf(docs.whole, "States")).flatMap(movesOf(ticketStates));
    expect(ofTickets.toSorted(byText)).to.deep.equal(
      allowedMoves(ticketActions, places, transition).toSorted(byText),
    );
    const section = sectionOf(docs.whole, "Statuses");
    const ofConferences = tableOf(section).flatMap(movesOf(conferenceStatuses));
    expect(ofConferences.toSorted(byText)).to.deep.equal(
      allowedMoves(conferenceActions, conferenceStatuses, moveOf).toSorted(byText),
    );
  });

  it("lists every type of timeline entry with its code and attributes", () => {
    const listed = tableOf(sectionOf(docs.whole, "Types")).map(([code, type = "", own = ""]) => [
      Number(code),
      wordsOf(type)[0],
      wordsOf(own),
    ]);
    const known = Object.entries(sessionEventCodes).map(([type, code]) => [
      code,
      type,
      sessionEventAttributes[type as keyof typeof sessionEventCodes],
    ]);
    expect(listed).to.deep.equal(known);
  });

  it("explains every state of files, messages and deliveries, and every error of an attempt", () => {
    expect(columnOf("Media states", "| State")).to.deep.equal([...mediaStates]);
    expect(columnOf("Media states", "| `source_type`")).to.have.members([...sourceTypes]);
    expect(columnOf("Statuses of messages", "| Status")).to.deep.equal([...messageStatuses]);
    const list = "`GET /api/webhooks/{webhookId}/deliveries`";
    expect(columnOf(list, "| Status")).to.have.members([...deliveryStates]);
    const one = "`GET /api/webhooks/{webhookId}/deliveries/{deliveryId}`";
    expect(columnOf(one, "| Error")).to.have.members([...failureClasses]);
  });

  it("lists the variables of templates and the keys of the day export", () => {
    const rows = tableOf(sectionOf(docs.whole, "Templates"));
    const variables = Object.fromEntries(
      rows.map(([kind = "", names = ""]) => [wordsOf(kind)[0] ?? "", wordsOf(names)]),
    );
    expect(variables).to.deep.equal(variablesOfKind);
    const stats = "`GET /api/enterprises/{enterpriseId}/tickets-stats`";
    expect(columnOf(stats, "| Key")).to.deep.equal([...statisticsKeys]);
  });
});
