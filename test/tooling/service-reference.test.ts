import { readdir, readFile } from "node:fs/promises";
import { expect } from "chai";
import { createFindFault } from "../e2e/service-reference/description.ts";
import {
  chapters,
  idsInTitle,
  shownElsewhere,
  requirements,
} from "../e2e/service-reference/requirements.ts";

const folder = "test/e2e/service-reference";

/** A chapter may have parts, in a folder with its name. */
async function filesOf(): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"));
}

async function chaptersOf(): Promise<string[]> {
  return (await filesOf()).filter((file) => file.endsWith(".e2e.ts"));
}

/** The first argument of each `it(`, template or plain text. */
function titlesIn(source: string): string[] {
  return [...source.matchAll(/\bit\(\s*["'`]([^"'`]+)["'`]/gu)].map(([, title = ""]) => title);
}

async function readTitles(): Promise<string[]> {
  const sources = await Promise.all(
    (await filesOf()).map((file) => readFile(`${folder}/${file}`, "utf8")),
  );
  return sources.flatMap(titlesIn);
}

describe("the tests against the reference", () => {
  it("have a file for each chapter, and one for what needs a call", async () => {
    const expected = Object.keys(chapters).map(
      (chapter) => `${chapter.toLowerCase().replaceAll(" ", "-")}.e2e.ts`,
    );
    const files = [...expected, "rooms.e2e.ts"];
    expect((await chaptersOf()).toSorted()).to.deep.equal(files.toSorted());
  });

  it("name every requirement, or the test that covers it elsewhere", async () => {
    const named = new Set((await readTitles()).flatMap(idsInTitle));
    const isShown = (id: string) => (shownElsewhere.get(id)?.shownBy.length ?? 0) > 0;
    const forgotten = requirements.filter((id) => !named.has(id) && !isShown(id));
    expect(forgotten).to.deep.equal([]);
  });

  it("name an existing test for a requirement covered elsewhere", async () => {
    for (const [id, { shownBy }] of shownElsewhere) {
      for (const file of shownBy) {
        expect(await readFile(file, "utf8"), `${id} in ${file}`).to.include("it(");
      }
    }
  });

  it("name only existing requirements, and excuse none that is tested", async () => {
    const named = (await readTitles()).flatMap(idsInTitle);
    expect(named.filter((id) => !requirements.includes(id))).to.deep.equal([]);
    expect(named.filter((id) => shownElsewhere.has(id))).to.deep.equal([]);
  });
});

describe("the validation of answers against the description", () => {
  const problem = { type: "object", required: ["code"] };
  const find = createFindFault({
    paths: {
      "/api/tickets/{ticketId}/events": {
        get: {
          responses: {
            "200": {
              content: {
                "application/json": { schema: { type: "array", items: { type: "integer" } } },
              },
            },
            "404": { $ref: "#/components/responses/NotFound" },
          },
        },
      },
    },
    components: {
      responses: {
        NotFound: {
          content: {
            "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      },
      schemas: { Problem: problem },
    },
  } as Parameters<typeof createFindFault>[0]);

  const faultOf = (operation: string, status: number, body: unknown, type = "application/json") =>
    find(operation, {
      status,
      headers: new Headers({ "content-type": `${type}; charset=utf-8` }),
      text: JSON.stringify(body),
      body,
    });

  it("accepts valid answers, under every alias of the path", () => {
    for (const path of ["/api/tickets/1/events?limit=1", "/api/v3/ticket/1/event"]) {
      expect(faultOf(`GET ${path}`, 200, [1]), path).to.equal(undefined);
    }
    const refusal = faultOf(
      "GET /api/tickets/1/events",
      404,
      { code: 8 },
      "application/problem+json",
    );
    expect(refusal).to.equal(undefined);
    expect(faultOf("GET /v/secret", 500, "a page")).to.equal(undefined);
  });

  it("names the error of every other answer", () => {
    const path = "GET /api/tickets/1/events";
    const isProblem = "application/problem+json";
    expect(faultOf(path, 200, ["x"])).to.include("must be integer");
    expect(faultOf(path, 200, [1], "text/csv")).to.include("text/csv is not described");
    expect(faultOf(path, 418, {})).to.include("status 418 is not described");
    expect(faultOf(path, 404, {}, isProblem)).to.include("code");
    expect(faultOf("POST /api/tickets/1/events", 200, [])).to.include("operation is not described");
    expect(faultOf("GET /api/nothing", 404, {}, isProblem)).to.include("no problem body");
  });
});
