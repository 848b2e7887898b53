import { expect } from "chai";
import type { BrowserContext, Page, Route } from "playwright-core";
import { views, type View } from "../../web/build/pages.ts";
import { admin, agent, useBrowserPlatform } from "../support/browser-platform.ts";
import { screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { isNight } from "../support/night.ts";

/** Above this value, a layout shift is visible. */
const mostShift = 0.05;

/** Pages that are linked with a query string. */
const searches = [
  "/dashboard/explain?q=$ticketId",
  "/dashboard/deliveries/log?status=dead",
  "/tickets?state=expired",
];

/** The layout shifts since the page was opened. */
function watchShifts(context: BrowserContext): Promise<unknown> {
  return context.addInitScript(`
    window.__shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries()) {
        const moved = sources.map(({ node, previousRect: from, currentRect: to }) =>
          "y " + from.y + " → " + to.y + " " + (node?.outerHTML?.slice(0, 120) ?? String(node)));
        window.__shifts.push({ value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  `);
}

type Shift = Readonly<{ value: number; moved: readonly string[] }>;

function shiftsOf(page: Page): Promise<Shift[]> {
  return page.evaluate<Shift[]>("window.__shifts");
}

function sumOf(shifts: readonly Shift[]): number {
  return shifts.reduce((all, { value }) => all + value, 0);
}

function isQuiet(page: Page): Promise<boolean> {
  return page
    .evaluate<boolean>(
      `document.querySelector("#start") === null && document.body.innerText.trim() !== "" &&
       document.querySelector(".mantine-Skeleton-root, .skeleton") === null`,
    )
    .catch(() => false);
}

/** Releases requests in groups. Each group is one round trip to the platform. */
async function countTrips(page: Page, isThere: () => Promise<boolean>): Promise<number> {
  let held: Route[] = [];
  let trips = 0;
  await page.route(/^http/u, (route) => {
    held.push(route);
  });
  /** Resolves once all requests that do not depend on a held response were sent. */
  const isSettled = (): Promise<boolean> => {
    let before = -1;
    let unchangedReads = 0;
    return eventually(
      async () => {
        const isSame = held.length > 0 && held.length === before;
        unchangedReads = isSame ? unchangedReads + 1 : 0;
        before = held.length;
        return unchangedReads === 2 || (await isThere());
      },
      { everyMs: 400, timeoutMs: 20_000 },
    ).then(
      () => true,
      () => false,
    );
  };
  while (trips < 10 && (await isSettled()) && !(await isThere())) {
    const now = held;
    held = [];
    trips += 1;
    await Promise.all(now.map((route) => route.continue().catch(() => undefined)));
  }
  await page.unrouteAll({ behavior: "ignoreErrors" });
  return trips;
}

describe("the first load of a page", function () {
  this.timeout(600_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  const made = new Map<string, number>();

  before(async () => {
    const rest = await platform.rest(admin);
    const make = async (what: string, body: object): Promise<number> =>
      Number((await rest.succeed(`POST ${what}`, { body })).body["id"]);
    made.set(
      "$ticketId",
      await make("/tickets", { agent: agent.login, email: "jane@customer.example" }),
    );
    made.set(
      "$meetingId",
      await make("/conferences", {
        name: "Weekly review",
        startTime: new Date(Date.now() + 3_600_000).toISOString(),
        participants: "ann@customer.example",
      }),
    );
    made.set(
      "$webhookId",
      await make("/webhooks", { url: platform.inboxUrl, filters: ["ticket.create"] }),
    );
  });

  const withIds = (address: string): string =>
    `${platform.url}${address.replaceAll(/\$\w+/gu, (name) => String(made.get(name) ?? 1))}`;
  const addressOf = ({ address }: View): string =>
    address === "/inbox/$key" ? platform.inboxUrl : withIds(address);

  it("causes no layout shift, on any page", async () => {
    // With animations, which most users have.
    const page = await browser.open({ context: { reducedMotion: "no-preference" } });
    await platform.signIn(page, admin, "/settings/profile");
    await watchShifts(page.context());
    const jumps: string[] = [];
    const asked = searches.map((address) => ({ name: address, address: withIds(address) }));
    // Every third page; all of them in the nightly run.
    const all = views
      .filter((_, at) => isNight || at % 3 === 0)
      .map((view) => ({ name: view.name, address: addressOf(view) }));
    for (const { name, address } of [...all, ...asked]) {
      await page.goto(address);
      await eventually(() => isQuiet(page)).catch(() => undefined);
      const shifts = await shiftsOf(page);
      const sum = sumOf(shifts);
      if (sum >= mostShift) {
        const moved = shifts.map(
          ({ value, moved: what }) => `${value.toFixed(3)} ${what[0] ?? ""}`,
        );
        jumps.push(`${name} by ${sum.toFixed(3)}: ${moved.join(" · ")}`);
      }
    }
    expect(jumps).to.deep.equal([]);
    // A control: inserts an element above the content, which must be detected as a shift.
    await page.goto(`${platform.url}/settings/profile`);
    await eventually(() => isQuiet(page));
    await eventually(async () => {
      await page.evaluate(`(() => {
        const block = document.createElement("div");
        block.style.height = "300px";
        document.body.prepend(block);
      })()`);
      return sumOf(await shiftsOf(page)) >= mostShift;
    });
  });

  it("needs three round trips to its first rows: the page, its assets with the session, the rows", async () => {
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/profile");
    for (const [path, name] of [
      ["/tickets", "jane@customer.example"],
      ["/settings/webhooks", "Inbox"],
      ["/meetings", "Weekly review"],
    ] as const) {
      const own = await browser.openBeside(page);
      const rows = own.getByRole("main").getByRole("row").filter({ hasText: name }).first();
      const opening = own.goto(`${platform.url}${path}`).catch(() => undefined);
      const trips = await countTrips(own, () => rows.isVisible());
      await opening;
      expect(trips, path).to.be.at.most(3);
      await own.close();
    }
    await screenshots(page, "profile-first-load");
  });
});
