/** Checks of input that need DNS, so they run before the transaction. */
import { checkAll } from "../../contracts/problems.ts";
import { checkConditions } from "../../pipeline/ledger/conditions.ts";
import { checkHeaderForms } from "../custom-headers.ts";
import { checkFilters, checkedUrl, type CheckUrl, checkRetrySchedule } from "./rules.ts";
import { certificateChecks } from "./client-certificate.ts";
import type { SubscriptionInput, SubscriptionSettings } from "./table.ts";

/** An input with checked and normalised addresses. */
export type CheckedInput = SubscriptionInput & { readonly isChecked: true };

const tokenUrlField = "oauth2.tokenUrl";

/** Checks each setting by itself, without the stored ones, and throws one problem for all. */
export async function checkInput(
  checkUrl: CheckUrl,
  seen: Pick<SubscriptionSettings, "url" | "oauth2" | "isActive">,
  input: SubscriptionInput,
): Promise<CheckedInput> {
  const { oauth2 } = input;
  let { url } = input;
  let tokenUrl = oauth2?.tokenUrl;
  const isSwitchedOn = input.active === true && !seen.isActive;
  await checkAll(
    () => checkFilters(input.filters ?? []),
    () => checkHeaderForms(input.headers ?? []),
    () => checkRetrySchedule(input.retrySchedule),
    () => (input.conditions ? checkConditions(input.conditions) : undefined),
    async () => {
      url = typeof url === "string" ? await checkedUrl(url, checkUrl) : url;
    },
    async () => {
      tokenUrl =
        tokenUrl === undefined ? undefined : await checkedUrl(tokenUrl, checkUrl, tokenUrlField);
    },
    ...certificateChecks(input.clientCertificate),
    () => (isSwitchedOn ? checkStored(checkUrl, seen, input) : undefined),
  );
  return {
    ...input,
    ...(url === undefined ? {} : { url }),
    ...(oauth2 && tokenUrl !== undefined ? { oauth2: { ...oauth2, tokenUrl } } : {}),
    isChecked: true,
  };
}

/** Checks stored addresses again when a subscription is switched on: DNS may have changed. */
async function checkStored(
  checkUrl: CheckUrl,
  seen: Pick<SubscriptionSettings, "url" | "oauth2">,
  input: SubscriptionInput,
): Promise<void> {
  if (input.url === undefined && seen.url !== null) {
    await checkedUrl(seen.url, checkUrl);
  }
  if (input.oauth2 === undefined && seen.oauth2 !== null) {
    await checkedUrl(seen.oauth2.tokenUrl, checkUrl, tokenUrlField);
  }
}
