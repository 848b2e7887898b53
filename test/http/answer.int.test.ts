import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { expect } from "chai";
import { publicRoute, type Answer, type AnswerContent } from "../../src/http/route.ts";
import { startApi, type TestApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";

describe("answers that are not JSON", () => {
  let answer: Omit<Answer, "status"> & { status?: Answer["status"] };
  let api: TestApi;
  const handle = async (): Promise<Answer> => ({ status: 200, ...answer });
  const shape = { summary: "x", limit: "guest" } as const;
  before(async () => {
    api = await startApi({
      routes: [
        publicRoute({
          ...shape,
          method: "GET",
          path: "/files",
          operationId: "file",
          answer: { status: 200, produces: ["text/csv", "image/png"] },
          handle,
        }),
      ],
    });
  });
  after(() => api.close());

  const get = (init: RequestInit = {}) => fetch(`${api.url}/api/files`, init);
  const csv = (data: AnswerContent["data"]): AnswerContent => ({
    type: "text/csv; charset=utf-8",
    data,
  });

  it("send text with its length in bytes", async () => {
    answer = { content: csv("é;1\n"), headers: { "Content-Disposition": "attachment" } };
    const response = await get();
    expect(response.status).to.equal(200);
    expect(response.headers.get("content-type")).to.equal("text/csv; charset=utf-8");
    expect(response.headers.get("content-length")).to.equal("5");
    expect(response.headers.get("content-disposition")).to.equal("attachment");
    expect(await response.text()).to.equal("é;1\n");
  });

  it("send raw bytes, including a slice of a buffer", async () => {
    const data = Buffer.from([0, 255, 128]);
    answer = {
      status: 206,
      content: { type: "image/png", data },
      headers: { "Content-Range": "x" },
    };
    const response = await get();
    expect(response.status).to.equal(206);
    expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(data);
  });

  it("send a whole stream, with the headers of the handler", async () => {
    const parts = Array.from({ length: 300 }, (_, at) => Buffer.alloc(10_000, at % 256));
    const size = 3_000_000;
    answer = { content: csv(Readable.from(parts)), headers: { "Content-Length": String(size) } };
    const response = await get();
    expect(response.headers.get("content-length")).to.equal(String(size));
    expect(Buffer.from(await response.arrayBuffer())).to.deep.equal(Buffer.concat(parts));
  });

  it("are empty if the stream is empty", async () => {
    answer = { content: csv(Readable.from([])) };
    expect(await (await get()).text()).to.equal("");
  });

  it("have no body for HEAD, and the stream is closed unread", async () => {
    const stream = Readable.from(["x"]);
    answer = { content: csv(stream), headers: { "Content-Length": "1" } };
    const response = await get({ method: "HEAD" });
    expect(response.headers.get("content-length")).to.equal("1");
    expect(await response.text()).to.equal("");
    expect(stream.destroyed).to.equal(true);
  });

  it("become a problem if the stream fails before its first byte", async () => {
    const data = new Readable({
      read() {
        this.destroy(new Error("the disk"));
      },
    });
    answer = { content: csv(data), headers: { "Content-Length": "7" } };
    const response = await get();
    expect(response.status).to.equal(500);
    expect(response.headers.get("content-type")).to.equal("application/problem+json");
    expect(await response.json()).to.include({ code: 1 });
  });

  it("are aborted if the stream fails later, so that they do not look complete", async () => {
    let count = 0;
    const data = new Readable({
      read() {
        count += 1;
        if (count === 3) {
          this.destroy(new Error("the disk"));
        } else {
          this.push("x".repeat(100_000));
        }
      },
    });
    answer = { content: csv(data) };
    const failure = await get()
      .then((response) => response.text())
      .catch((thrown: unknown) => thrown);
    expect(failure).to.be.instanceOf(Error);
    await eventually(() => api.log.some(({ event }) => event === "request.failed"));
  });

  it("respect backpressure, and end when the client disconnects", async () => {
    let read = 0;
    const data = new Readable({
      read() {
        read += 1;
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    answer = { content: csv(data) };
    const request = send(`${api.url}/api/files`).end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    response.pause();
    let before = -1;
    await eventually(() => {
      const isStill = read === before;
      before = read;
      return isStill && read > 0;
    });
    expect(read).to.be.lessThan(1_000);
    request.on("error", () => undefined);
    request.destroy();
    await eventually(() => data.destroyed);
  });

  it("accept their own type and JSON in Accept, and no other", async () => {
    answer = { content: csv("x") };
    const statusFor = async (accept: string) => (await get({ headers: { accept } })).status;
    expect(await statusFor("text/csv")).to.equal(200);
    expect(await statusFor("image/*")).to.equal(200);
    expect(await statusFor("application/json")).to.equal(200);
    expect(await statusFor("text/html")).to.equal(406);
  });
});
