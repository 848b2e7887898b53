/** The whole assistance call with both real pages: from the link in the email to the survey. */
import { expect } from "chai";
import type { Page } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { phone, useBrowser, type OpenOptions } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { startReceiver, type Receiver } from "../support/receiver.ts";
import type { RestClient } from "../support/rest-client.ts";
import { seeFrames, watchConnections } from "../support/rooms-core.ts";
import { press, seeHeading } from "../support/screens.ts";
import { agree, devicesAndPosition, joinAndWait, leaveTheCall } from "../support/visit-pages.ts";

/** The timeline entries from the customer's click on, in order. */
const wholeCall = [
  "ticket.invitationClicked",
  "consent.accepted",
  "geo.ansAllowed",
  "mediaDevice.allowed",
  "mediaDevice.cameraAllowed",
  "mediaDevice.micAllowed",
  "ticket.invitationAccepted",
  "session.agentContacted",
  "ticket.sessionStarted",
  "session.established",
  "media.pictureTaken",
  "session.userLeft",
  "session.agentLeft",
  "ticket.completed",
  "survey.answered",
];

/** The fields of a session that every list shows. */
type Counted = Readonly<{
  id: string;
  billing_duration: number;
  total_participant_count: number;
}>;

/** Errors while the platform is unreachable. */
const awayErrors = { expectedErrors: [/WebSocket connection to .* failed/u] };

describe("an assistance call", function () {
  this.timeout(180_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let rest: RestClient;
  let receiver: Receiver;

  before(async () => {
    rest = await platform.rest(admin);
    receiver = await startReceiver();
    const url = `http://127.0.0.1:${receiver.port}/call`;
    const filters = ["conversationevent.*", "ticket.*", "conversation.*", "media.*"];
    const body = { name: "Call", url, active: true, filters, ordered: true };
    await rest.succeed("POST /webhooks", { body });
    await rowsOf(platform.db, "UPDATE services SET asks_position = true WHERE enterprise_id = ?", [
      platform.enterpriseId,
    ]);
  });

  after(() => receiver.close());

  /** The customer's link from the email. */
  const linkInMail = async (): Promise<string> => {
    const { body } = await rest.succeed("GET /emails?limit=1");
    const [mail] = body["data"] as { id: number }[];
    const whole = (await rest.succeed(`GET /emails/${mail?.id}`)).body;
    const link = /https?:\/\/\S+\/v\/[0-9A-Za-z]+/u.exec(String(whole["text"]))?.[0];
    if (link === undefined) {
      throw new Error(`The mail has no link: ${String(whole["text"])}`);
    }
    return link;
  };

  const timelineOf = async (ticketId: number): Promise<string[]> => {
    const { body } = await rest.succeed(`GET /tickets/${ticketId}/events`);
    return (body as unknown as { eventType: string }[]).map(({ eventType }) => eventType);
  };

  const aTicket = async (): Promise<{ id: number; button_id: string; requestor_url: string }> => {
    const body = {
      ...{ agent: agent.login, email: "jeanne@customer.example", invite: 1, language: "en" },
      ...{ firstname: "Jeanne", lastname: "Martin", subject: "The boiler" },
    };
    const created = await rest.succeed("POST /tickets", { body });
    return created.body as { id: number; button_id: string; requestor_url: string };
  };

  const openAgentPage = async (
    { id, button_id: button }: { id: number; button_id: string },
    more: OpenOptions = {},
  ) => {
    const agentPage = await browser.open({ context: { permissions: ["microphone"] }, ...more });
    await agentPage.addInitScript(watchConnections);
    await platform.signIn(agentPage, agent, `/agent/entrypoint/${button}/tickets/${id}`);
    await seeHeading(agentPage, "Waiting for Jeanne Martin");
    return { agentPage, tool: (name: string) => agentPage.locator(`[data-tool="${name}"]`) };
  };

  const enterAsCustomer = async (link: string, more: OpenOptions = {}): Promise<Page> => {
    const page = await browser.open({
      viewport: phone,
      ...more,
      context: {
        ...devicesAndPosition,
        geolocation: { latitude: 48.85, longitude: 2.35 },
      },
    });
    await page.addInitScript(watchConnections);
    await page.goto(link);
    await agree(page);
    await press(page, "Share my location");
    await joinAndWait(page);
    return page;
  };

  /** The note disappears after some seconds: wait for it during the click already. */
  const seePhotoNote = (customer: Page): Promise<void> =>
    customer.getByText("Photo taken and sent").waitFor();

  it("runs from the link in the email to the survey, each event once and in order", async () => {
    const ticket = await aTicket();
    const { id } = ticket;
    const link = await eventually(linkInMail);
    const { agentPage, tool } = await openAgentPage(ticket);

    const customer = await enterAsCustomer(link);
    await seeHeading(agentPage, "Jeanne Martin is waiting");
    await press(agentPage, "Answer");
    await seeHeading(customer, "Demo Agent is with you");
    await seeFrames(agentPage, 5);

    await Promise.all([seePhotoNote(customer), tool("photo").click()]);
    await agentPage.locator("[data-media]").first().waitFor();
    const photo = (await rest.succeed(`GET /medias?ticketId=${id}`)).body["data"] as {
      source_type: string;
      url: string;
    }[];
    expect(photo.map(({ source_type }) => source_type)).to.deep.equal(["ticket_snapshot"]);
    const size = await agentPage.evaluate<number[]>(`(async () => {
      const file = await (await fetch(${JSON.stringify(photo[0]?.url)})).blob();
      const { width, height } = await createImageBitmap(file);
      return [width, height];
    })()`);
    const track = await customer.evaluate<number[]>(`(() => {
      const { videoWidth, videoHeight } = document.querySelector("[data-own] video");
      return [videoWidth, videoHeight];
    })()`);
    expect(size, "the camera's own resolution").to.have.members(track);

    await leaveTheCall(customer);
    await agentPage.getByText("Jeanne Martin is not in the call").waitFor();
    await tool("end").click();
    await agentPage.getByRole("dialog").getByRole("button", { name: "End call" }).click();
    await seeHeading(agentPage, "The call has ended");

    await seeHeading(customer, "How was it?");
    await customer.getByText("Very satisfied").click();
    await press(customer, "Send");
    await seeHeading(customer, "Thank you");

    const received = (): string[] =>
      receiver.requests.flatMap((request) => {
        const { object, props } = request.json() as {
          object: string;
          props: { eventType?: string; ticketId?: number };
        };
        const isOurs = object === "conversationevent" && props.ticketId === id;
        return isOurs ? [String(props.eventType)] : [];
      });
    const timeline = await eventually(async () => {
      const types = await timelineOf(id);
      expect(types.at(-1)).to.equal("survey.answered");
      return types;
    });
    expect(timeline.slice(timeline.indexOf("ticket.invitationClicked"))).to.deep.equal(wholeCall);
    await eventually(() => expect(received().toSorted()).to.deep.equal(timeline.toSorted()));
    expect(received(), "an ordered webhook gets them in the order of the timeline").to.deep.equal(
      timeline,
    );
    await seeStatistics(id);
    await eventually(() => {
      const ended = receiver.requests.filter(
        (request) => (request.json() as { object: string }).object === "conversation",
      );
      expect(ended).to.have.length(1);
    });
  });

  /** Expects one session with both people in each statistic, in whole minutes. */
  const seeStatistics = async (ticketId: number): Promise<void> => {
    const { body } = await rest.succeed(`GET /tickets/${ticketId}/sessions`);
    expect(body["total"]).to.equal(1);
    const [session] = body["data"] as (Counted & {
      end_reason: string;
      call_duration: number;
      participants: { name: string; role: string }[];
    })[];
    // Statistics show a session five minutes after its end.
    const [exact] = await rowsOf<{ seconds: number; day: string }>(
      platform.db,
      `UPDATE sessions SET started_at = started_at - interval '5 minutes',
         finished_at = finished_at - interval '5 minutes'
       WHERE id = ? RETURNING
         extract(epoch FROM finished_at - started_at)::float8 AS seconds,
         to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day`,
      [session?.id],
    );
    const seconds = exact?.seconds ?? 0;
    const counted = {
      billing_duration: Math.ceil(seconds / 60) * 60,
      total_participant_count: 2,
    };
    expect(session).to.deep.include({ ...counted, end_reason: "ended" });
    expect(session?.call_duration).to.be.within(1, seconds);
    const people = session?.participants.map(({ name, role }) => ({ name, role }));
    expect(people).to.have.deep.members([
      { name: "Jeanne Martin", role: "requestor" },
      { name: "Demo Agent", role: "agent" },
    ]);
    const list = await rest.succeed(`GET /sessions?type=ticket&since=${exact?.day}`);
    const listed = list.body["data"] as Counted[];
    const ours = listed.filter((one) => one.id === session?.id);
    expect(ours).to.have.length(1);
    expect(ours[0]).to.include({ ...counted, type: "ticket" });
    const whole = (await rest.succeed(`GET /sessions/${session?.id}`)).body;
    expect(whole).to.include(counted);
    expect((whole["participants"] as object[]).length).to.equal(2);
  };

  /** A place is kept for 20 s. On a busy machine, a start of the platform alone takes that long. */
  const keepPlacesDuring = async (work: () => Promise<void>): Promise<void> => {
    let isOver = false;
    const keeping = eventually(
      async () => {
        const now = new Date();
        const ours = { enterprise_id: platform.enterpriseId };
        await platform.db("room_peers").where(ours).update({ seen_at: now });
        await platform
          .db("participations")
          .where({ ...ours, left_at: null })
          .update({ last_seen_at: now });
        return isOver;
      },
      { timeoutMs: 120_000, everyMs: 1_000 },
    );
    await Promise.all([
      keeping,
      work().finally(() => {
        isOver = true;
      }),
    ]);
  };

  it("continues when the web process is killed in the middle, with each event once", async () => {
    const ticket = await aTicket();
    const { agentPage, tool } = await openAgentPage(ticket, awayErrors);
    const customer = await enterAsCustomer(ticket.requestor_url, awayErrors);
    await press(agentPage, "Answer");
    await seeFrames(agentPage, 5);
    await eventually(async () =>
      expect(await timelineOf(ticket.id)).to.include("session.established"),
    );
    const connections = () => customer.evaluate<number>("window.connections.length");
    const before = await connections();
    const banner = customer.getByText(
      "The connection to the platform was lost. The call continues.",
    );
    const ofAgent = agentPage.getByText(
      "The connection to the platform was lost. The call continues.",
    );
    await keepPlacesDuring(async () => {
      await platform.restart(async () => {
        await Promise.all([banner.waitFor(), ofAgent.waitFor()]);
        const frames = await agentPage.evaluate<number>("window.framesDecoded()");
        await seeFrames(agentPage, frames + 5);
      });
      await Promise.all([banner, ofAgent].map((one) => one.waitFor({ state: "detached" })));
    });
    await Promise.all([seePhotoNote(customer), tool("photo").click()]);
    expect(await connections(), "the same connection").to.equal(before);
    await tool("end").click();
    await press(agentPage.getByRole("dialog"), "End call");
    await seeHeading(customer, "How was it?");
    const timeline = await eventually(async () => {
      const types = await timelineOf(ticket.id);
      expect(types.at(-1)).to.equal("ticket.completed");
      return types.slice(types.indexOf("ticket.invitationClicked"));
    });
    const isInCall = (type: string): boolean => !/Left$|^survey/u.test(type);
    expect(timeline.filter(isInCall)).to.deep.equal(wholeCall.filter(isInCall));
    expect(
      timeline.filter((type) => !isInCall(type)),
      "in either order",
    ).to.have.members([...["session.userLeft", "session.agentLeft"]]);
  });
});
