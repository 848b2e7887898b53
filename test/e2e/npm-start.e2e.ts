/**
 * `npm start` on a machine with only Node: it starts a running platform, prints the required
 * information once, and delivers a first ticket to the built-in inbox with a verified signature. It
 * stops cleanly, leaves no process behind, and a second start has all data.
 */
import { once } from "node:events";
import { createServer } from "node:net";
import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { useInstallation } from "../support/embedded-start.ts";
import { useProcesses, type Process } from "../support/processes.ts";
import type { RestClient } from "../support/rest-client.ts";
import { promised } from "../support/promised.ts";

const firstReadyWithinMs = 15_000;
const laterReadyWithinMs = 5_000;

type InboxPage = { total: number; requests: { verified: boolean | null; body: string }[] };

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) {
    throw new Error(`${String(pattern)} is not in:\n${text}`);
  }
  return found;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe("npm start without any configuration", function () {
  this.timeout(120_000);
  const processes = useProcesses();
  const installing = useInstallation(processes);

  const readInbox = async (inbox: string): Promise<InboxPage> => {
    const answer = await fetch(`${inbox}/requests?limit=100`);
    return (await answer.json()) as InboxPage;
  };
  const createTicket = async (admin: RestClient): Promise<number> => {
    const body = { agent: "agent@demo.example", name: "Jane", email: "jane@example.com" };
    return Number((await admin.succeed("POST /tickets", { body })).body["id"]);
  };
  const inboxHas = async (inbox: string, ticket: number): Promise<void> => {
    await eventually(async () => {
      const { requests } = await readInbox(inbox);
      const ofTicket = requests.filter(({ body }) => {
        const { object, objectId, props } = JSON.parse(body);
        return (object === "ticket" ? objectId : props.ticketId) === ticket;
      });
      expect(ofTicket).to.have.length(3);
      expect(ofTicket.map(({ verified }) => verified)).to.deep.equal([true, true, true]);
    });
  };
  const timed = async (start: () => Promise<Process>): Promise<{ one: Process; ms: number }> => {
    const startedAt = performance.now();
    const one = await start();
    return { one, ms: performance.now() - startedAt };
  };

  it("is ready, shows a first ticket arriving, stops, and keeps its data for the next start", async () => {
    const { installation } = installing;
    const { one: first, ms: firstMs } = await timed(() => installation.start());
    const banner = first.output();
    const inbox = find(banner, /Inbox\s+(http\S+)/u);
    const login = find(banner, /Administrator\s+(\S+)/u);
    const password = find(banner, /Administrator\s+\S+\s+(\S+)/u);
    expect(find(banner, /Sightline is ready: (\S+)/u)).to.equal(installation.url);
    expect(inbox).to.match(new RegExp(`^${installation.url}/inbox/\\w{22}$`, "u"));
    expect(banner).to.match(/Agent\s+agent@demo\.example\s+\S{12,}/u);
    expect(banner).to.match(/Stop\s+Ctrl-C/u);
    expect(banner).to.not.match(/Warning/u); // such as Node's DeprecationWarning
    for (const address of [`${installation.url}/readyz`, `${installation.url}/metrics`, inbox]) {
      const answer = await fetch(address);
      // Reads the whole body: a connection with unread data would outlive the platform.
      await answer.text();
      expect(answer.status, address).to.equal(200);
    }

    const ticket = await createTicket(await installation.logIn({ login, password }));
    await inboxHas(inbox, ticket);

    const postgres = await installation.postgresPid();
    expect(postgres).to.be.a("number");
    expect(await first.stop()).to.deep.equal({ code: 0, signal: null });
    expect(isAlive(postgres ?? 0)).to.equal(false);
    expect(await installation.postgresPid()).to.equal(undefined);

    const { one: second, ms: laterMs } = await timed(() => installation.start());
    expect(second.output()).not.to.contain(password);
    expect(second.output()).to.contain("as on the first start");
    expect(find(second.output(), /Inbox\s+(http\S+)/u)).to.equal(inbox);
    const admin = await installation.logIn({ login, password });
    expect((await admin.succeed(`GET /tickets/${ticket}`)).body["id"]).to.equal(ticket);
    await inboxHas(inbox, ticket);
    await inboxHas(inbox, await createTicket(admin));

    expect(await second.stop()).to.deep.equal({ code: 0, signal: null });
    expect(firstMs).to.be.at.most(promised(firstReadyWithinMs));
    expect(laterMs).to.be.at.most(promised(laterReadyWithinMs));
  });

  it("started by npm, ends at Ctrl-C with all its children", async () => {
    const { installation } = installing;
    const npm = await installation.npmStart();
    const postgres = await installation.postgresPid();
    expect(isAlive(postgres ?? 0)).to.equal(true);
    npm.signal("SIGINT");
    await npm.ended;
    await eventually(async () => {
      expect(isAlive(-npm.pid)).to.equal(false);
      expect(isAlive(postgres ?? 0)).to.equal(false);
      expect(await installation.postgresPid()).to.equal(undefined);
    });
    expect(npm.output()).not.to.contain("not_closed");
  });
});

describe("a first npm start whose port is in use", function () {
  this.timeout(120_000);
  const installing = useInstallation(useProcesses());

  it("prints the generated passwords, with which users sign in after the next start", async () => {
    const { installation } = installing;
    const blocker = createServer();
    await once(blocker.listen(Number(new URL(installation.url).port), "127.0.0.1"), "listening");
    let output = "";
    try {
      await installation.start();
    } catch (thrown) {
      output = String(thrown);
    } finally {
      await once(blocker.close(), "close");
    }
    expect(output).to.match(/port \d+ is in use/u);
    const [, login = "", password = ""] = /Administrator\s+(\S+)\s+(\S+)/u.exec(output) ?? [];
    expect(login).to.equal("admin@demo.example");
    expect((await installation.start()).output()).to.contain("as on the first start");
    await installation.logIn({ login, password });
  });
});
