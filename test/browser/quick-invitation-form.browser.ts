import { expect } from "chai";
import type { BrowserContext, Page, Route } from "playwright-core";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { agent, admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, seeFits, screenshots, useBrowser } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";

const valid = { phone: "+33612345678", email: "jane.doe@example.com" };

type Service = { id: number; service_key: string; kind: string; name: string };

describe("the quick invitation", function () {
  this.timeout(90_000);
  const platform = useBrowserPlatform();
  const browser = useBrowser();
  let services: Service[] = [];
  before(async () => {
    const rest = await platform.rest(admin);
    for (const name of ["Home claims", "Boiler and heating assistance with a long name"]) {
      await rest.succeed("POST /services", { body: { name, kind: "ticket" } });
    }
    const listed = await rest.succeed("GET /users/me/services");
    services = listed.body["data"] as Service[];
  });
  const keyOf = (name: string): string =>
    services.find((service) => service.name === name)?.service_key ?? "";
  const firstOf = (kind: string): Service => services.find((one) => one.kind === kind)!;

  const signIn = async (page: Page, { login, password } = agent): Promise<void> => {
    await page.getByLabel(/^(Login|Identifiant)$/u).fill(login);
    await page.getByLabel(/^(Password|Mot de passe)$/u).fill(password);
    await page.getByRole("button", { name: /^(Sign in|Se connecter)$/u }).click();
    await page.getByRole("heading", { name: /^(Invite|Inviter)$/u }).waitFor();
  };
  /** Reused after the first sign-in, because a login is limited to ten sign-ins per minute. */
  let cookies: Awaited<ReturnType<BrowserContext["cookies"]>> = [];
  /** Opens the form with this query, signed in as the demo's agent. */
  const open = async (query = "", options: Parameters<typeof browser.open>[0] = {}) => {
    const page = await browser.open(options);
    await page.context().addCookies(cookies);
    await page.goto(`${platform.url}/quick-invitation${query}`);
    if (cookies.length === 0) {
      await signIn(page);
      cookies = await page.context().cookies();
    }
    await page.getByRole("heading", { name: /^(Invite|Inviter)$/u }).waitFor();
    return page;
  };
  const service = (page: Page) => page.getByLabel("Service", { exact: true });
  const input = (page: Page) => page.getByLabel("People to invite", { exact: true });
  const sendButton = (page: Page) => page.getByRole("button", { name: /^Send/u });
  const chips = async (page: Page): Promise<string[]> =>
    page.getByRole("list", { name: "People added" }).getByRole("listitem").allInnerTexts();
  const wrong = (page: Page) => page.locator("li [aria-invalid=true]");
  const ticketsWith = (contact: string) =>
    rowsOf<{ state: string; reference: string; agent: string }>(
      platform.db,
      `SELECT t.state, t.reference, u.login AS agent FROM tickets t JOIN users u ON u.id = t.agent_id
       WHERE t.enterprise_id = ? AND ? IN (t.requestor_email, t.requestor_phone)`,
      [platform.enterpriseId, contact],
    );

  it("keeps the whole query over the sign-in, and invites with one field and one button", async () => {
    const page = await open(`?service_key=${firstOf("ticket").service_key}&reference=4711`);
    expect(new URL(page.url()).search).to.contain("reference=4711");
    await page.getByText("4711", { exact: true }).waitFor();
    await input(page).fill(valid.email);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 invited").waitFor();
    await page.getByRole("link", { name: /\/v\// }).waitFor();
    await page.getByRole("button", { name: "Copy Customer link" }).waitFor();
    expect(await ticketsWith(valid.email)).to.deep.equal([
      { state: "invited", reference: "4711", agent: agent.login },
    ]);
    await screenshots(page, "quick-invitation-result");
    expect(await findBarriers(page)).to.deep.equal([]);
  });

  it("adds valid recipients, flags invalid ones, and sends nothing while one is flagged", async () => {
    const page = await open(
      `?service_key=${firstOf("ticket").service_key}` +
        `&phone_numbers=${encodeURIComponent(`${valid.phone},0612345678, +3361,`)}` +
        `&email_addresses=${encodeURIComponent("ann@customer.example,not an address,ann@customer.example")}`,
    );
    await eventually(async () => (await wrong(page).count()) === 3);
    expect(await chips(page)).to.deep.equal([
      "+33612345678",
      "0612345678",
      "+3361",
      "ann@customer.example",
      "not an address",
    ]);
    await page.getByText("Add the country code to 0612345678").waitFor();
    await page.getByText("+3361 is not a valid phone number.").waitFor();
    await page.getByText("not an address is not a valid email address.").waitFor();
    expect(await sendButton(page).isDisabled()).to.equal(true);
    expect(await sendButton(page).innerText(), "those two who are right").to.equal(
      "Send 2 invitations",
    );
    await screenshots(page, "quick-invitation-flagged");
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole("button", { name: "Remove not an address" }).click();
    await page.getByRole("button", { name: "Remove +3361", exact: true }).click();
    await wrong(page).click(); // moves it back into the field for editing
    expect(await input(page).inputValue()).to.equal("0612345678");
    await input(page).fill("+33 6 98 76 54 32");
    await sendButton(page).click();
    await page.getByText("3 of 3 invited").waitFor();
    expect(await ticketsWith("+33698765432")).to.have.length(1);
  });

  it("accepts numbers with an unencoded plus, and repeated lists", async () => {
    const page = await open(
      "?phone_numbers=+33612345678&phone_numbers=0033698765432&email_addresses=&email_addresses=a@b.example",
    );
    expect(await chips(page)).to.deep.equal(["+33612345678", "+33698765432", "a@b.example"]);
    expect(await wrong(page).count()).to.equal(0);
  });

  it("preselects the service of the address over the last used one", async () => {
    const [first, other] = ["Home claims", "Boiler and heating assistance with a long name"];
    const page = await open();
    expect(await service(page).inputValue()).to.equal("");
    await service(page).selectOption({ label: first });
    await input(page).fill("first@customer.example");
    await sendButton(page).click();
    await page.getByText("1 of 1 invited").waitFor();
    await page.goto(`${platform.url}/quick-invitation`);
    await input(page).waitFor();
    expect(await service(page).inputValue()).to.equal(keyOf(first));
    await page.goto(`${platform.url}/quick-invitation?service_key=${keyOf(other)}`);
    await input(page).waitFor();
    expect(await service(page).inputValue()).to.equal(keyOf(other));
    await page.goto(`${platform.url}/quick-invitation?service_key=${"x".repeat(32)}&reference=1`);
    await input(page).waitFor();
    expect(await service(page).inputValue()).to.equal("");
  });

  it("preselects nothing for an unknown service, with a warning in the page and in the server log", async () => {
    const warnings: string[] = [];
    const page = await open();
    page.on("console", (texts) => warnings.push(`${texts.type()}: ${texts.text()}`));
    const key = "0123456789abcdefghijABCDEFGHIJ99";
    const path = `/quick-invitation?service_key=${key}&reference=4711&read_only.service=true`;
    await page.goto(platform.url + path);
    await input(page).waitFor();
    expect(await service(page).and(page.locator(":enabled")).inputValue()).to.equal("");
    await eventually(() => warnings.some((text) => text.startsWith("warning: service_key")));
    await page.getByText("names a service that you cannot use").waitFor();
    expect(await page.getByText("4711").count()).to.equal(0);
    await eventually(() => platform.process.output().includes("quick_invitation.unknown_service"));
    expect(platform.process.output()).to.not.contain(key);
    await input(page).fill(valid.email);
    await sendButton(page).click();
    await page.getByText("Choose a service", { exact: true }).last().waitFor();
  });

  it("shows a truncated reference, for assistance only", async () => {
    const long = `${"é".repeat(49)}🎥🎥🎥`;
    const query = `&reference=${encodeURIComponent(long)}`;
    const page = await open(`?service_key=${firstOf("ticket").service_key}${query}`);
    await page.getByText(`${"é".repeat(49)}🎥`, { exact: true }).waitFor();
    await page.goto(
      `${platform.url}/quick-invitation?service_key=${firstOf("conference").service_key}${query}`,
    );
    await input(page).waitFor();
    expect(await page.getByText("Reference").count()).to.equal(0);
  });

  it("locks service and recipients only with the value true", async () => {
    const { service_key: key } = firstOf("ticket");
    const value = `?service_key=${key}&phone_numbers=%2B33612345678`;
    const page = await open(`${value}&read_only.service=true&read_only.recipients=true`);
    expect(await service(page).isDisabled()).to.equal(true);
    expect(await page.locator("form input").count()).to.equal(0);
    expect(await page.getByRole("button", { name: /^Remove/u }).count()).to.equal(0);
    await screenshots(page, "quick-invitation-locked");
    expect(await findBarriers(page)).to.deep.equal([]);
    for (const word of ["TRUE", "1", "yes", "", "false", "true "]) {
      const words = encodeURIComponent(word);
      await page.goto(
        `${platform.url}/quick-invitation${value}&read_only.service=${words}&read_only.recipients=${words}`,
      );
      await input(page).waitFor();
      expect(await service(page).isDisabled(), word).to.equal(false);
    }
    await page.goto(
      `${platform.url}/quick-invitation?service_key=${key}&email_addresses=x&read_only.recipients=true`,
    );
    await page.getByText("nothing can be sent").waitFor();
    expect(await sendButton(page).isDisabled()).to.equal(true);
  });

  it("locks no service if the address names none and none was used before", async () => {
    const page = await open("?read_only.service=true&email_addresses=free@customer.example");
    expect(await service(page).isDisabled()).to.equal(false);
    expect(await page.getByText(/names a service|allows no other/u).count()).to.equal(0);
    await service(page).selectOption({ label: "Home claims" });
    await sendButton(page).click();
    await page.getByText("1 of 1 invited").waitFor();
    await page.reload();
    await input(page).waitFor();
    expect(await service(page).isDisabled(), "a slip can be mended").to.equal(false);
  });

  it("creates one meeting for all recipients", async () => {
    const page = await open(
      `?service_key=${firstOf("conference").service_key}&phone_numbers=%2B33612345678&email_addresses=m1@customer.example,m2@customer.example`,
    );
    await page.getByRole("button", { name: "Send 3 invitations" }).click();
    await page.getByText("1 of 1 invited").waitFor();
    await page.getByRole("link", { name: /\/s\// }).waitFor();
    const rest = await platform.rest(agent);
    expect((await rest.succeed("GET /conferences")).body["total"]).to.equal(1);
  });

  it("resends only failed invitations", async () => {
    const page = await open(
      `?service_key=${firstOf("ticket").service_key}&email_addresses=ok@customer.example,lost@customer.example`,
    );
    const keys: string[] = [];
    let isLost = true;
    await page.route("**/api/tickets", async (route: Route) => {
      const request = route.request();
      if (!request.postData()?.includes("lost@")) {
        await route.continue();
        return;
      }
      keys.push((await request.headerValue("idempotency-key")) ?? "");
      if (isLost) {
        await route.fetch(); // the server executes the request, but the response is lost
        await route.abort();
      } else {
        await route.continue();
      }
    });
    await page.getByRole("button", { name: "Send 2 invitations" }).click();
    await page.getByText("1 of 2 invited").waitFor();
    await page.getByText("The platform is unreachable. Nothing was lost").waitFor();
    await screenshots(page, "quick-invitation-failed");
    expect(await page.getByRole("button", { name: "Edit" }).count()).to.equal(0);
    isLost = false;
    await page.getByRole("button", { name: "Try again", exact: true }).click();
    await page.getByText("2 of 2 invited").waitFor();
    expect(new Set(keys).size).to.equal(1);
    expect(await ticketsWith("lost@customer.example")).to.have.length(1);
    expect(await ticketsWith("ok@customer.example")).to.have.length(1);
  });

  it("allows correcting a rejected recipient", async () => {
    // Valid syntax, but an impossible domain.
    const page = await open(
      `?service_key=${firstOf("ticket").service_key}&email_addresses=${encodeURIComponent(`a@${"x".repeat(64)}.example`)}`,
    );
    await sendButton(page).click();
    await page.getByText("Not invited").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    expect(await chips(page)).to.have.length(1);
  });

  it("says that an account without the agent role can have no tickets", async () => {
    const page = await browser.open();
    await page.goto(
      `${platform.url}/quick-invitation?service_key=${firstOf("ticket").service_key}`,
    );
    await signIn(page, admin);
    await page.getByText("Your account is not an agent account").waitFor();
    expect(await sendButton(page).isDisabled()).to.equal(true);
  });

  it("is usable by keyboard only", async () => {
    const page = await open(`?service_key=${firstOf("ticket").service_key}`);
    await page.keyboard.type("kb1@customer.example,wrong");
    await page.keyboard.press("Enter");
    await wrong(page).waitFor();
    await page.keyboard.press("Backspace"); // moves the last chip back into the field
    expect(await input(page).inputValue()).to.equal("wrong");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("kb2@customer.example;");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter"); // on the remove button of the second chip
    expect(await chips(page)).to.deep.equal(["kb1@customer.example"]);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 invited").waitFor();
  });

  it("is translated to French, and fits on a phone", async () => {
    const page = await open("?email_addresses=faux&phone_numbers=%2B33612345678", {
      language: "fr",
      viewport: { width: 320, height: 640 },
      colors: "dark",
    });
    await page.getByText("faux n’est pas une adresse e-mail valide.").waitFor();
    await seeFits(page);
    await screenshots(page, "quick-invitation-fr-dark");
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
