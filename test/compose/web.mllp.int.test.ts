import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "chai";
import { createFrameParser, encodeFrame } from "../../src/hl7/mllp.ts";
import { useDatabase } from "../support/database.ts";
import { anEnterprise, aService, aUser } from "../support/factories.ts";
import { freePort } from "../support/free-port.ts";
import { aMessage, segmentsOf } from "../support/hl7.ts";
import { startWebProcess, type WebProcess } from "../support/web-process.ts";

describe("HL7 over MLLP in the web process", () => {
  const database = useDatabase();
  const login = "mllp@hospital.test";
  let web: WebProcess;
  let port: number;
  let enterpriseId: number;

  beforeEach("start it", async () => {
    const { db, url: databaseUrl } = database;
    ({ id: enterpriseId } = await anEnterprise(db));
    await aService(db, { enterprise_id: enterpriseId, kind: "conference" });
    await aUser(db, { enterprise_id: enterpriseId, login, role: "integration" });
    port = await freePort();
    web = await startWebProcess(databaseUrl, { MLLP_PORT: String(port), MLLP_LOGIN: login });
  });
  afterEach("stop it", () => web.stop());

  const send = async (id: string): Promise<Record<string, string[]>> => {
    const socket = connect(port, "127.0.0.1");
    try {
      socket.write(encodeFrame(aMessage({ id, clinician: login })));
      const frames = createFrameParser(100_000);
      for (;;) {
        const [chunk] = (await once(socket, "data")) as [Buffer];
        const [frame] = frames.push(chunk);
        if (frame !== undefined) {
          return segmentsOf(frame.bytes.toString());
        }
      }
    } finally {
      socket.destroy();
    }
  };

  const change = (table: string, row: object, columns: object) =>
    database.db(table).where(row).update(columns);

  it("answers AR while the user lacks the permission or the solution", async () => {
    const user = { login };
    const enterprise = { id: enterpriseId };
    const cases = [
      ["users", user, { role: "viewer" }, { role: "integration" }],
      ["users", user, { account_type: "platform" }, { account_type: "solution" }],
      ["enterprises", enterprise, { solution_enabled: false }, { solution_enabled: true }],
    ] as const;
    for (const [index, [table, row, refused, allowed]] of cases.entries()) {
      await change(table, row, refused);
      const { MSA, ERR } = await send(`REFUSED${index}`);
      const answer = [MSA?.[1], ERR?.[2], ERR?.[3]?.split("^")[0]];
      expect(answer, JSON.stringify(refused)).to.deep.equal(["AR", "MSH^1^4", "207"]);
      await change(table, row, allowed);
      expect((await send(`ALLOWED${index}`))["MSA"]?.[1]).to.equal("AA");
    }
    const made = await database.db("conferences").orderBy("id");
    expect(made.map(({ name }) => name)).to.deep.equal(cases.map((_, at) => `RDV ALLOWED${at}`));
  });
});
