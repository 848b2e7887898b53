import { verify as verifyGithub } from "@octokit/webhooks-methods";
import { expect } from "chai";
import { oauth2Aad, type OAuth2Client } from "../../../src/contracts/subscriptions.ts";
import { rowsOf } from "../../../src/platform/db/pool.ts";
import { onBothBackends } from "../../support/backends.ts";
import { useDatabase } from "../../support/database.ts";
import { anEnterprise } from "../../support/factories.ts";
import { eventually } from "../../support/eventually.ts";
import { anOAuth2Client, startOAuth2Server } from "../../support/oauth2-server.ts";
import {
  aReceivingSubscription,
  aTicketEvent,
  startPipeline,
  testSecret,
} from "../../support/pipeline.ts";
import { useReceiver } from "../../support/receiver.ts";
import { useRedis } from "../../support/redis.ts";
import { testBox } from "../../support/secret-box.ts";

type AttemptRow = {
  state: string;
  status: number | null;
  failure: string | null;
  failure_detail: string | null;
  request_headers: Record<string, string>;
};

onBothBackends((kind) => {
  describe("deliveries with additional options", () => {
    const database = useDatabase();
    const redis = useRedis();
    const hook = useReceiver();
    const closers: (() => Promise<void>)[] = [];
    afterEach("close all connections", async () => {
      for (const close of closers.splice(0)) {
        await close();
      }
    });

    const deliverOne = async (
      url: string,
      columnsOf: (owner: number, id: number) => Record<string, unknown>,
    ): Promise<AttemptRow> => {
      const pipeline = await startPipeline({ kind, database, redis });
      closers.push(() => pipeline.stop());
      const { id: owner } = await anEnterprise(database.db);
      const { id } = await aReceivingSubscription(database.db, { url, enterpriseId: owner });
      for (const [name, value] of Object.entries(columnsOf(owner, id))) {
        await rowsOf(database.db, "UPDATE subscriptions SET ?? = ? WHERE id = ?", [
          name,
          value,
          id,
        ]);
      }
      await pipeline.publish([aTicketEvent(owner, 1)]);
      return eventually(async () => {
        const [row] = await rowsOf<AttemptRow>(
          database.db,
          `SELECT d.state, a.status, a.failure, a.failure_detail, a.request_headers
           FROM deliveries d JOIN attempts a ON a.delivery_id = d.id WHERE d.subscription_id = ?`,
          [id],
        );
        if (row === undefined) {
          throw new Error("nothing was tried yet");
        }
        return row;
      });
    };
    const sealClient = (client: OAuth2Client, owner: number, id: number): Buffer =>
      testBox.seal(JSON.stringify(client), oauth2Aad(owner, id));

    it("have GitHub's signature, and are dead after one attempt with an empty schedule", async () => {
      hook.receiver.answerWith([500]);
      const attempt = await deliverOne(hook.receiver.url, () => ({
        retry_schedule: [],
        header_presets: ["github"],
      }));
      expect(attempt).to.include({ state: "dead", status: 500 });
      const [request] = hook.receiver.requests;
      const signature = String(request?.headers["x-hub-signature-256"]);
      expect(await verifyGithub(testSecret, request?.text ?? "", signature)).to.equal(true);
      expect(hook.receiver.unsigned(testSecret)).to.deep.equal([]);
    });

    it("send an access token, which the log does not contain", async () => {
      const server = await startOAuth2Server();
      closers.push(() => server.close());
      const attempt = await deliverOne(server.receiverUrl, (owner, id) => ({
        oauth2_sealed: sealClient(server.clientOf("form"), owner, id),
      }));
      expect(attempt).to.include({ state: "delivered", status: 200, failure_detail: null });
      expect(attempt.request_headers["Authorization"]).to.equal("••••");
      expect(server.received).to.have.length(1);
    });

    it("fail with the reason, and without a request, if there is no token", async () => {
      const server = await startOAuth2Server();
      closers.push(() => server.close());
      const attempt = await deliverOne(hook.receiver.url, (owner, id) => ({
        oauth2_sealed: sealClient(
          { ...server.clientOf("basic"), clientSecret: "the old one" },
          owner,
          id,
        ),
      }));
      expect(attempt).to.include({
        state: "retry",
        status: null,
        failure: "oauth2",
        failure_detail: "No access token: the token server responded with 401 (invalid_client)",
      });
      expect(hook.receiver.requests).to.have.length(0);
    });

    it("are not sent if the webhook is disabled while the token server takes its time", async () => {
      const tokenUrl = `${hook.receiver.url}/token`;
      const answer = { delayMs: 600, body: '{"access_token":"t0ken","token_type":"Bearer"}' };
      const switchedOff: Promise<unknown>[] = [];
      const attempt = await deliverOne(hook.receiver.url, (owner, id) => {
        hook.receiver.answerWith(() => {
          const sql = "UPDATE subscriptions SET is_active = false WHERE id = ?";
          switchedOff.push(rowsOf(database.db, sql, [id]));
          return answer;
        });
        return { oauth2_sealed: sealClient(anOAuth2Client({ tokenUrl }), owner, id) };
      });
      await Promise.all(switchedOff);
      expect(attempt).to.include({
        failure: "aborted",
        failure_detail: "Not sent: the webhook was disabled meanwhile",
      });
      expect(hook.receiver.requests.map(({ path }) => path)).to.deep.equal(["/hook/token"]);
    });
  });
});
