import { expect } from "chai";
import { createMeetingPage, type MeetingRequest } from "../../src/pages/public-links.ts";
import { allowed, servePages, useDistFolder, type PageServer } from "../support/built-pages.ts";

const serviceKey = "25zwbtmtjh40kjbw4utsq7x1o1mwfdpx";

const roomName = `${"a".repeat(32)}:${"b".repeat(32)}`;

const path = `/m/${serviceKey}/${roomName}`;

describe("the address of a meeting", () => {
  const dist = useDistFolder();
  let server: PageServer;
  let asked: MeetingRequest[];
  let isAllowed: boolean;
  let meeting: { status: string; name: string } | undefined;
  beforeEach(async () => {
    await dist.add("aaaaaaaaaaaaaaaa", {
      "meeting/index.html": "<html><head></head><body>room</body></html>",
    });
    [asked, isAllowed, meeting] = [[], true, { status: "scheduled", name: `A "b" <c> & d` }];
    server = await servePages(
      createMeetingPage({
        built: dist.built,
        findMeeting: async (request) => {
          asked.push(request);
          return meeting;
        },
        findFramePolicy: async ({ serviceKey: key }) => ({
          frameAncestors: ["'self'", ...(key === serviceKey ? ["https://crm.example"] : [])],
          isService: key === serviceKey,
        }),
        limiter: { take: async () => ({ ...allowed, isAllowed }) },
      }),
    );
  });
  afterEach(() => server.close());

  const open = (at = path, init: RequestInit = {}) => fetch(`${server.url}${at}`, init);

  it("contains the first response, as text", async () => {
    const response = await open(path, { headers: { cookie: "session=1" } });
    expect(response.status).to.equal(200);
    const [, content = ""] = /<meta name="meeting" content="([^"]*)">/u.exec(
      await response.text(),
    )!;
    expect(content).to.not.match(/[<"]/u);
    const text = content.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&");
    expect(JSON.parse(text)).to.deep.equal(meeting);
    expect(asked).to.deep.equal([{ serviceKey, roomName, cookieHeader: "session=1" }]);
  });

  it("may be framed by the sites of the service's enterprise, and may use devices", async () => {
    const { headers } = await open();
    expect(headers.get("content-security-policy")).to.contain(
      "frame-ancestors 'self' https://crm.example",
    );
    expect(headers.get("x-frame-options")).to.equal(null);
    expect(headers.get("referrer-policy")).to.equal("no-referrer");
    expect(headers.get("cache-control")).to.equal("no-store");
    expect(headers.get("permissions-policy")).to.equal(
      "camera=(self), microphone=(self), geolocation=(self), display-capture=(self)",
    );
  });

  it("answers 410 once the meeting is over, and 404 for an unknown one, with the page", async () => {
    for (const status of ["ended", "cancelled"]) {
      meeting = { status, name: "Board" };
      expect((await open()).status).to.equal(410);
    }
    meeting = undefined;
    const unknown = await open();
    expect([unknown.status, await unknown.text()].join()).to.match(/404.*content="null"/u);
    asked = [];
    expect((await open("/m/x/..%2f")).status).to.equal(404);
    expect(asked, "what no room can be called").to.deep.equal([]);
  });

  it("is rate-limited, and accepts only GET", async () => {
    isAllowed = false;
    expect((await open()).status).to.equal(429);
    expect(asked).to.deep.equal([]);
    expect((await open(path, { method: "POST" })).status).to.equal(405);
  });
});
