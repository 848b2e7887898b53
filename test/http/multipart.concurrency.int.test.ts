import { request as send } from "node:http";
import { expect } from "chai";
import { created, route } from "../../src/http/route.ts";
import { createTenantSemaphore } from "../../src/platform/concurrency/limiters.ts";
import { startApi } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";

describe("concurrent uploads", () => {
  it("are limited per user until the upload ends or the client disconnects", async () => {
    const few = await startApi({
      routes: [
        route({
          ...{ method: "POST", path: "/files", operationId: "upload", summary: "x" },
          ...{ permission: "authenticated", family: "solution", limit: "api" },
          ...{ transport: "multipart", maxBodyBytes: 300_000 },
          answer: { status: 201, schema: { type: "object" } },
          handle: async () => created({}, "/x"),
        }),
      ],
      uploads: createTenantSemaphore({ perUser: 1, perTenant: 9, total: 9 }),
    });
    const { hostname, port } = new URL(few.url);
    const headers = {
      authorization: "Bearer good",
      "content-type": "multipart/form-data; boundary=b",
    };
    const body =
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--';
    const post = async () => {
      const response = await fetch(`${few.url}/api/files`, {
        method: "POST",
        headers,
        body,
      });
      return [response.status, response.headers.get("retry-after")];
    };
    const slow = send({ hostname, port, method: "POST", path: "/api/files", headers });
    slow.on("error", () => undefined);
    slow.write(body.slice(0, 20));
    await eventually(async () => {
      expect(await post()).to.deep.equal([429, "5"]);
    });
    slow.destroy();
    await eventually(async () => {
      expect(await post()).to.deep.equal([201, null]);
    });
    expect(await post()).to.deep.equal([201, null]);
    await few.close();
  });
});
