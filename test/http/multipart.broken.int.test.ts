import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { createFormReader } from "../../src/http/multipart.ts";
import { ok, route } from "../../src/http/route.ts";
import { startApi, type TestApi } from "../support/api.ts";

function part(head: string, value = "ab"): string {
  return `--x\r\n${head}\r\n\r\n${value}\r\n`;
}
const named = 'Content-Disposition: form-data; name="file"; filename="a"';

const broken: [string, string][] = [
  ["a part whose head is broken", part("")],
  ["many of them", part("").repeat(1_000)],
  ["a head without an end", `--x\r\nX: ${"y".repeat(100_000)}`],
  ["a broken head behind the file", part(named) + part(": ")],
  ["a file in a part without a name", part('Content-Disposition: form-data; filename="a"')],
  ["a field without a name", part("Content-Disposition: form-data") + part(named)],
  [
    "a field in an unknown charset",
    part('Content-Disposition: form-data; name="title"\r\nContent-Type: text/plain; charset=utf-7'),
  ],
];

describe("broken multipart forms", () => {
  let api: TestApi;
  let faults: unknown[] = [];
  const note = (thrown: unknown): void => void faults.push(thrown);
  before(async () => {
    api = await startApi({
      routes: [
        route({
          method: "POST",
          path: "/medias",
          operationId: "upload",
          summary: "x",
          permission: "authenticated",
          family: "solution",
          limit: "api",
          transport: "multipart",
          body: { type: "object", properties: { title: { type: "string" } } },
          answer: { status: 200, schema: { type: "object" } },
          handle: async () => ok({}),
        }),
      ],
    });
  });
  after(() => api.close());
  beforeEach(() => {
    faults = [];
    process.on("uncaughtException", note);
  });
  afterEach(() => {
    process.off("uncaughtException", note);
  });

  const post = async (body: string): Promise<number> => {
    const answer = await fetch(`${api.url}/api/medias`, {
      method: "POST",
      body: `${body}--x--\r\n`,
      headers: {
        authorization: "Bearer good",
        "content-type": "multipart/form-data; boundary=x",
      },
    });
    return answer.status;
  };

  for (const [name, body] of broken) {
    it(`get a 400 and affect nothing else: ${name}`, async () => {
      expect(await post(body)).to.equal(400);
      expect(await post(part(named))).to.equal(200);
      expect(faults).to.deep.equal([]);
    });
  }

  it("get no reader that waits for a client who left before", async () => {
    const server = createServer();
    const gone = new Promise<IncomingMessage>((resolve) => {
      server.once("request", (request) => {
        request.once("close", () => resolve(request)).on("error", () => undefined);
        client.destroy();
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const client = send({
      port: (server.address() as AddressInfo).port,
      method: "POST",
      headers: { "content-type": "multipart/form-data; boundary=x", "content-length": 500 },
    });
    client.on("error", () => undefined);
    client.write(part(named));
    const fault = await createFormReader(await gone, 1_000)
      .read()
      .catch((thrown: unknown) => thrown);
    expect(fault).to.include({ kind: "invalid_parameter", details: "Parameter body" });
    expect(faults).to.deep.equal([]);
    server.close();
    await once(server, "close");
  });
});
