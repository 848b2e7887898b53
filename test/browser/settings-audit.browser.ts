import { expect } from "chai";
import { rowsOf } from "../../src/platform/db/pool.ts";
import { admin, useBrowserPlatform } from "../support/browser-platform.ts";
import { findBarriers, screenshots, useBrowser } from "../support/browser.ts";

describe("the audit log in the settings", () => {
  const platform = useBrowserPlatform();
  const browser = useBrowser();

  /** Makes many changes: a service with a rotated key, a domain, and a deleted custom template. */
  const changeMuch = async (): Promise<void> => {
    const { succeed } = await platform.rest(admin);
    const { body: me } = await succeed("GET /users/me");
    const enterprise = `/enterprises/${String(me["enterpriseId"])}`;
    const { body: made } = await succeed("POST /services", {
      body: { name: "Audited", kind: "ticket" },
    });
    await succeed(`POST /services/${String(made["id"])}/rotate-key`);
    await succeed(`POST ${enterprise}/domains`, { body: { domain: "audited.example" } });
    const { body: text } = await succeed(`PUT ${enterprise}/templates`, {
      body: {
        ...{ kind: "ticket", channel: "sms", language: "it" },
        text: "Il servizio {{enterprise}}: {{link}}",
      },
    });
    await succeed(`DELETE ${enterprise}/templates/${String(text["id"])}`);
  };

  it("shows who did what", async () => {
    await changeMuch();
    const page = await browser.open();
    await platform.signIn(page, admin, "/settings/audit");
    await page.getByText("Secret rotated").first().waitFor();
    await screenshots(page, "settings-audit");
    expect(await findBarriers(page)).to.deep.equal([]);
    for (const line of ["Created · service", "Created · domain", "Deleted · template"]) {
      await page
        .getByRole("row", { name: new RegExp(line, "u") })
        .first()
        .waitFor();
    }
    await page.goto(`${platform.url}/settings/audit?object=template`);
    await page
      .getByRole("row", { name: /Created · template/u })
      .first()
      .click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Il servizio").waitFor();
    await page.waitForURL(/[?&]open=\d+/u);

    // The link must show the same entry later, when it is no longer on the first page.
    await rowsOf(
      platform.db,
      `INSERT INTO audit_entries (enterprise_id, login, action, object, object_id, changes)
       SELECT enterprise_id, login, action, object, object_id, '{}' FROM audit_entries,
         generate_series(1, 60) WHERE id = ?`,
      [new URL(page.url()).searchParams.get("open")],
    );
    await page.reload();
    await dialog.getByText("Il servizio").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    expect(page.url())
      .to.match(/object=template/u)
      .and.not.match(/open=/u);
    await page.goto(`${platform.url}/settings/audit?object=template&open=999999999`);
    await dialog.getByText("not among the latest 500").waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
  });
});
