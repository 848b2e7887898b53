/**
 * Files in a bucket, stored and read by a web process as it is built: other tests run the sources,
 * for which a library may look different. The credentials come from AWS's own variables.
 */
import { expect } from "chai";
import { aForm, tinyPng } from "../support/media.ts";
import { useS3Server } from "../support/s3-server.ts";
import { firstAdmin, useStack } from "../support/stack.ts";

describe("files in a bucket", function () {
  this.timeout(120_000);
  const s3 = useS3Server();
  const { stack } = useStack("redis", () => ({
    S3_BUCKET: s3.options.bucket,
    S3_ENDPOINT: s3.options.endpoint ?? "",
    AWS_ACCESS_KEY_ID: s3.options.credentials?.accessKeyId ?? "",
    AWS_SECRET_ACCESS_KEY: s3.options.credentials?.secretAccessKey ?? "",
  }));
  before("start a web process", async () => {
    await stack.release();
    await stack.start("web");
  });

  const signIn = async (): Promise<{ authorization: string }> => {
    const { login: username, password } = firstAdmin;
    const body = new URLSearchParams({ grant_type: "password", username, password });
    const answer = await fetch(`${stack.current("web").url}/api/token`, { method: "POST", body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    return { authorization: `Bearer ${token}` };
  };

  it("are stored, read whole and in part, and gone after their deletion", async () => {
    const headers = await signIn();
    const api = `${stack.current("web").url}/api`;
    const client = await stack.logIn(firstAdmin);
    const place = await client.succeed("POST /tickets", {
      body: { agent: "agent@demo.example", email: "jane@example.com" },
    });
    const body = aForm({ data: tinyPng }, { ticketId: Number(place.body["id"]) });
    const stored = await fetch(`${api}/medias`, { method: "POST", headers, body });
    const media = (await stored.json()) as { id: number };
    expect(stored.status, JSON.stringify(media)).to.equal(201);
    const read = async (more: Record<string, string> = {}) => {
      const path = `${api}/medias/${media.id}/download`;
      const answer = await fetch(path, { headers: { ...headers, ...more } });
      return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
    };
    expect(await read()).to.deep.equal({ status: 200, bytes: tinyPng });
    const part = await read({ range: "bytes=1-3" });
    expect([part.status, part.bytes.toString()]).to.deep.equal([206, "PNG"]);
    await client.succeed(`DELETE /medias/${media.id}`);
    expect((await read()).status).to.equal(404);
  });
});
