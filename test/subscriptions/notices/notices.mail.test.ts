import { expect } from "chai";
import { type NoticeFacts, noticeMail } from "../../../src/subscriptions/notices/notices.ts";
import type {
  StateNotice,
  SubscriptionNotice,
} from "../../../src/subscriptions/notices/operational-events.ts";
import { noticeTexts } from "../../../src/subscriptions/notices/mail-texts.ts";

const link = "https://sightline.example/settings/webhooks";
const of = { enterpriseId: 3, subscriptionId: 7 };
const failingSince = new Date("2026-11-20T10:00:00.000Z");

function notified(notice: StateNotice, more: Partial<SubscriptionNotice> = {}): SubscriptionNotice {
  return {
    notice,
    subscription: {
      id: 7,
      enterpriseId: 3,
      name: "CRM",
      url: "https://crm.example.com:8443/hook/s3cret-path?token=s3cret-query",
      isActive: true,
    },
    lastFailure: { result: "5xx", status: 503 },
    at: new Date("2026-11-25T10:00:00.000Z"),
    ...more,
  };
}

const warned = notified(
  { kind: "subscription.warned", ...of, failingSince },
  { at: new Date("2026-11-21T10:30:00.000Z") },
);
const failing = notified({ kind: "subscription.disabled", ...of, reason: "failing", failingSince });
const gone = notified({ kind: "subscription.disabled", ...of, reason: "gone", failingSince: null });
const recovered = notified({ kind: "subscription.recovered", ...of, failingSince });
const english = { language: "en", timeZone: "UTC" };

describe("the mail about a webhook", () => {
  it("warns with webhook, start, last error, consequence and link", () => {
    expect(noticeMail(warned, english, link)).to.deep.equal({
      subject: "Webhook “CRM” (#7): all attempts failed for 24 hours",
      text:
        "All attempts of the webhook “CRM” (#7) have failed since 20 November 2026 at 10:00 (UTC).\n\n" +
        "Endpoint: https://crm.example.com:8443\nLast error: HTTP 503\n\n" +
        "We keep retrying. If no attempt succeeds before 25 November 2026 at 10:00 (UTC), the webhook will be disabled.\n\n" +
        `View or change the webhook:\n${link}\n`,
    });
  });

  it("is in French and in the enterprise's time zone", () => {
    const french = { language: "fr", timeZone: "Europe/Paris" };
    expect(noticeMail(failing, french, link)).to.deep.equal({
      subject: "Le webhook “CRM” (#7) a été désactivé",
      text:
        "Toutes les tentatives du webhook “CRM” (#7) ont échoué pendant 120 heures, depuis le 20 novembre 2026 à 11:00 (Europe/Paris). Le webhook a été désactivé.\n\n" +
        "Destinataire : https://crm.example.com:8443\nDernière erreur : HTTP 503\n\n" +
        "Les livraisons en pause sont conservées jusqu’au 2 décembre 2026 à 11:00 (Europe/Paris) et seront envoyées si le webhook est réactivé avant cette date. Les événements qui surviennent pendant qu’il est désactivé ne lui sont pas livrés.\n\n" +
        `Consulter ou modifier le webhook :\n${link}\n`,
    });
  });

  it("reports a 410 of the receiver, and a recovery", () => {
    const off = noticeMail(gone, english, link);
    expect(off.subject).to.equal("Webhook “CRM” (#7) was disabled");
    expect(off.text).to.contain("responded with 410 (Gone)");
    expect(off.text).to.contain("kept until 2 December 2026 at 10:00 (UTC)");
    const on = noticeMail(recovered, english, link);
    expect(on.subject).to.equal("Webhook “CRM” (#7) recovered");
    expect(on.text).to.contain("had failed since 20 November 2026 at 10:00 (UTC)");
    expect(on.text).not.to.contain("Last error");
  });

  it("is complete in every language, without path and query of the URL", () => {
    for (const language of Object.keys(noticeTexts)) {
      for (const one of [warned, failing, gone, recovered]) {
        const { subject, text } = noticeMail(one, { language, timeZone: "UTC" }, link);
        expect(subject, language).to.contain("“CRM” (#7)");
        expect(text, language).to.contain(link);
        expect(subject + text, language).not.to.match(/[{}]|s3cret|undefined/u);
      }
    }
  });

  it("falls back to English and to UTC", () => {
    const reader = { language: "xx", timeZone: "Nowhere/Nothing" };
    expect(noticeMail(warned, reader, link)).to.deep.equal(noticeMail(warned, english, link));
  });

  it("omits an unknown name, address or last error", () => {
    const subscription = { id: 7, enterpriseId: 3, name: "", url: null, isActive: true };
    const { notice } = warned;
    const { subject, text } = noticeMail(
      notified(notice, { subscription, lastFailure: null, at: warned.at }),
      english,
      link,
    );
    expect(subject).to.equal("Webhook #7: all attempts failed for 24 hours");
    expect(text).not.to.contain("Endpoint");
    expect(text).not.to.contain("Last error");
  });

  it("names the failure class if there was no answer", () => {
    const lastFailure = { result: "timeout_response", status: null } as const;
    const { text } = noticeMail(notified(warned.notice, { lastFailure }), english, link);
    expect(text).to.contain("Last error: timeout_response\n");
  });

  it("inserts a name literally", () => {
    const subscription = { ...warned.subscription, name: "{since} $1 {webhook}" };
    const { subject } = noticeMail({ ...warned, subscription }, english, link);
    expect(subject).to.equal(
      "Webhook “{since} $1 {webhook}” (#7): all attempts failed for 24 hours",
    );
  });

  const since = new Date("2026-11-25T09:15:00.000Z");
  const alert = (notice: NoticeFacts["notice"]): NoticeFacts => ({
    ...warned,
    notice,
    at: laterOn,
  });
  const laterOn = new Date("2026-11-25T10:00:00.000Z");

  it("contains the duration of the failure, in minutes below an hour", () => {
    const { subject, text } = noticeMail(alert({ kind: "failing", since }), english, link);
    expect(subject).to.equal("Webhook “CRM” (#7): all attempts failed for 45 minutes");
    expect(text).to.contain("before 30 November 2026 at 09:15 (UTC)");
  });

  it("reports late deliveries, and that the webhook has caught up", () => {
    const late = noticeMail(alert({ kind: "behind", since }), english, link);
    expect(late.subject).to.equal("Webhook “CRM” (#7): deliveries are late");
    expect(late.text).to.contain("was due on 25 November 2026 at 09:15 (UTC)");
    expect(late.text).to.contain("Last error: HTTP 503");
    const over = noticeMail(alert({ kind: "caught_up", since }), english, link);
    expect(over.subject).to.equal("Webhook “CRM” (#7) has caught up");
    expect(over.text).not.to.contain("Last error");
  });

  it("reports the number of dead deliveries", () => {
    const french = { language: "fr", timeZone: "Europe/Paris" };
    const notice = { kind: "failed", since, count: 1234 } as const;
    const { subject, text } = noticeMail(alert(notice), french, link);
    expect(subject).to.equal("Webhook “CRM” (#7) : livraisons échouées (1\u202f234)");
    expect(text).to.contain("depuis le 25 novembre 2026 à 10:15 (Europe/Paris) : 1\u202f234.");
  });

  it("contains an unsubscribe link for external addresses only", () => {
    const stopLink = "https://sightline.example/alerts#token=3.x";
    const { text } = noticeMail(warned, { ...english, stopLink }, link);
    expect(text).to.contain(`To unsubscribe:\n${stopLink}\n`);
    expect(noticeMail(warned, english, link).text).not.to.contain("To unsubscribe");
  });

  it("fills every placeholder in every language", () => {
    const kinds: NoticeFacts["notice"][] = [
      { kind: "behind", since },
      { kind: "caught_up", since },
      { kind: "failing", since },
      { kind: "failed", since, count: 2 },
    ];
    for (const language of Object.keys(noticeTexts)) {
      for (const notice of kinds) {
        const { subject, text } = noticeMail(alert(notice), { language, timeZone: "UTC" }, link);
        expect(`${subject} ${text}`).not.to.match(/[{}]/u);
      }
    }
  });
});
