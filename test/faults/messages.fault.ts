/**
 * A `kill -9` of the API, the schedule or the messages worker, at fixed and random points, loses no
 * accepted message. A gateway that honours the idempotency key sends none twice, and the result of
 * each message is reported once. `FAULT_ROUNDS` sets the number of rounds.
 */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { onBackend } from "../support/backends.ts";
import { faultRounds, useChance } from "../support/chance.ts";
import { aCustomer, type Customer } from "../support/customer.ts";
import { eventually } from "../support/eventually.ts";
import { useStack, type Role, type RoleProcess } from "../support/stack.ts";

const victims = ["web", "schedule", "messages"] as const satisfies Role[];
const secondsPerRound = 15;

/** An SMS gateway that deduplicates by key. */
async function startGateway() {
  const requests: string[] = [];
  const sent = new Map<string, string>();
  let delayMs = 0;
  const server: Server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const { to } = (await json(request)) as { to: string };
      const key = String(request.headers["idempotency-key"]);
      requests.push(key);
      sent.set(key, to);
      await delay(delayMs);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: `gateway-${key}` }));
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/sms`,
    requests,
    sent,
    waits: (ms: number) => {
      delayMs = ms;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

onBackend("redis", (kind) => {
  describe("messages with a kill -9", function () {
    this.timeout((60 + faultRounds * secondsPerRound) * 1_000);
    let gateway: Awaited<ReturnType<typeof startGateway>>;
    const { database, stack } = useStack(kind, () => ({
      SMS_PROVIDER: "http",
      SMS_HTTP_URL: gateway.url,
      RATE_LIMIT_SMS: "100000",
      // The environment may configure a proxy, which must be bypassed for the local gateway.
      NO_PROXY: "127.0.0.1",
    }));
    const chance = useChance();
    let customer: Customer;
    before("start a gateway and the processes", async () => {
      gateway = await startGateway();
      await Promise.all(victims.map((role) => stack.start(role)));
      customer = await aCustomer(database.db, stack);
      await rowsOf(database.db, "UPDATE enterprises SET max_sms_per_day = 100000 WHERE id = ?", [
        customer.enterpriseId,
      ]);
    });
    after("stop the gateway", async () => {
      await gateway.close();
    });

    let numbers = 0;
    /** Returns the id of the message, or undefined if the API died before it responded. */
    const send = async (): Promise<number | undefined> => {
      numbers += 1;
      const to = `+3361${String(numbers).padStart(7, "0")}`;
      try {
        const answer = await customer.api.succeed("POST /sms", { body: { to, text: "Hello" } });
        return Number(answer.body["id"]);
      } catch {
        return undefined;
      }
    };
    /** Ages the tasks of dead workers by a minute, so that their leases expire. */
    const endDeadLeases = async (): Promise<void> => {
      await rowsOf(
        database.db,
        "UPDATE tasks SET lease_until = now() - interval '1 second' WHERE state = 'running'",
      );
    };
    type Row = { id: number; uid: string; status: string; notified: number };
    const listMessages = (): Promise<Row[]> =>
      rowsOf<Row>(
        database.db,
        `SELECT id, uid, status, (SELECT count(*) FROM events e
           WHERE e.key = 'smsmessage:' || m.id AND e.event = 'update') AS notified FROM messages m`,
      );
    const requestsOf = (uid: string): number =>
      gateway.requests.filter((key) => key === uid).length;
    const allAreSent = (): Promise<unknown> =>
      eventually(
        async () => {
          const messages = await listMessages();
          expect(messages.filter(({ status }) => status !== "sent")).to.deep.equal([]);
        },
        { timeoutMs: 30_000, everyMs: 100 },
      );
    const findOne = async (id: number | undefined): Promise<Row> => {
      const found = (await listMessages()).find((message) => message.id === id);
      expect(found, "the message that was accepted").not.to.equal(undefined);
      return found!;
    };
    const killedAt = async (point: string): Promise<Row> => {
      await stack.current("messages").stop();
      const crashing: RoleProcess = await stack.start("messages", { FAULT_AT: point });
      const id = await send();
      expect(await crashing.ended).to.deep.equal({ code: null, signal: "SIGKILL" });
      await endDeadLeases();
      await stack.start("messages");
      await allAreSent();
      return findOne(id);
    };

    it("of the worker before it calls the gateway: sent once, one event", async () => {
      const { uid, notified } = await killedAt("tasks.afterClaim");
      expect([requestsOf(uid), notified]).to.deep.equal([1, 1]);
    });

    it("of the worker after the gateway accepted it: sent again with the same key", async () => {
      const { uid, notified } = await killedAt("messages.afterSend");
      expect([requestsOf(uid), notified]).to.deep.equal([2, 1]);
    });

    it(`of any part, ${faultRounds} times under load: none lost, none sent twice`, async () => {
      const accepted: number[] = [];
      const isOver = new AbortController();
      const load = async (): Promise<void> => {
        while (!isOver.signal.aborted) {
          const id = await send();
          if (id === undefined) {
            await delay(50);
          } else {
            accepted.push(id);
          }
        }
      };
      gateway.waits(20);
      const loads = [load(), load()];
      for (let round = 0; round < faultRounds; round += 1) {
        const killAt = gateway.requests.length + chance.between(10, 60);
        await eventually(() => expect(gateway.requests.length).to.be.at.least(killAt), {
          timeoutMs: 30_000,
          everyMs: 1,
        });
        const chosen = round % 2 === 0 ? victims : chance.some(victims);
        await Promise.all(chosen.map((role) => stack.current(role).kill()));
        if ((chosen as readonly Role[]).includes("messages")) {
          await endDeadLeases();
        }
        await Promise.all(chosen.map((role) => stack.start(role)));
      }
      isOver.abort();
      await Promise.all(loads);
      await allAreSent();
      const messages = await listMessages();
      const known = new Set(messages.map(({ id }) => id));
      expect(accepted.filter((id) => !known.has(id))).to.deep.equal([]);
      expect(messages.filter(({ notified }) => notified !== 1)).to.deep.equal([]);
      // The gateway counts by key: every message exactly once, and no other.
      expect([...gateway.sent.keys()]).to.have.members(messages.map(({ uid }) => uid));
      expect(new Set(gateway.sent.values()).size).to.equal(messages.length);
      expect(accepted.length).to.be.greaterThan(faultRounds);
    });
  });
});
