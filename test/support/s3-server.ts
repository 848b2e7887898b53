import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Options } from "../../src/platform/blobs/s3.ts";
import { insideDescribe } from "./scope.ts";

/** An S3-compatible server with one empty bucket, for the surrounding `describe`. */
export function useS3Server() {
  let dir = "";
  let server: S3rver | undefined;
  let port = 0;
  before("start a server that speaks S3", async function () {
    insideDescribe(this, "useS3Server");
    dir = await mkdtemp(join(tmpdir(), "sightline-s3-"));
    server = new S3rver({
      address: "127.0.0.1",
      port: 0,
      silent: true,
      directory: dir,
      configureBuckets: [{ name: "files" }],
    });
    ({ port } = await server.run());
  });
  after("stop it", async () => {
    await server?.close();
    await rm(dir, { recursive: true, force: true });
  });
  return {
    get options(): S3Options {
      return {
        bucket: "files",
        endpoint: `http://127.0.0.1:${port}`,
        region: "us-east-1",
        // The only credentials of this server.
        credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
      };
    },
  };
}
