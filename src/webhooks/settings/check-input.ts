/** Checks of settings that ask the world outside, and so are made before a transaction begins. */
import { checkAll } from "../../contracts/problems.ts";
import { checkConditions } from "../../pipeline/ledger/conditions.ts";
import { checkFilters, type Checked, type Settings, type SubscriptionInput } from "../model.ts";
import { checkHeaderForms, headersAt } from "../custom-headers.ts";
import { isElsewhere, urlToStore, type CheckUrl } from "../receiver-url.ts";
import { certificateAt, certificateForms } from "./client-certificate.ts";
import { oauth2At } from "./oauth2.ts";
import { checkRetrySchedule } from "./retry-schedule.ts";

/** An input whose addresses are allowed, in the form to store. */
export type CheckedInput = SubscriptionInput & { readonly isChecked: true };

const tokenUrlField = "oauth2.tokenUrl";

/** Throws the problem of every setting that is wrong by itself, whatever is stored. */
export async function checkInput(
  checkUrl: CheckUrl,
  seen: Pick<Settings, "url" | "oauth2" | "isActive">,
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
      url = typeof url === "string" ? await urlToStore(url, checkUrl) : url;
    },
    async () => {
      tokenUrl =
        tokenUrl === undefined ? undefined : await urlToStore(tokenUrl, checkUrl, tokenUrlField);
    },
    ...certificateForms(input.clientCertificate),
    () => (isSwitchedOn ? checkStored(checkUrl, seen, input) : undefined),
  );
  return {
    ...input,
    ...(url === undefined ? {} : { url }),
    ...(oauth2 && tokenUrl !== undefined ? { oauth2: { ...oauth2, tokenUrl } } : {}),
    isChecked: true,
  };
}

/** Stored addresses are checked again when a subscription is switched on: names change. */
async function checkStored(
  checkUrl: CheckUrl,
  seen: Pick<Settings, "url" | "oauth2">,
  input: SubscriptionInput,
): Promise<void> {
  if (input.url === undefined && seen.url !== null) {
    await urlToStore(seen.url, checkUrl);
  }
  if (input.oauth2 === undefined && seen.oauth2 !== null) {
    await urlToStore(seen.oauth2.tokenUrl, checkUrl, tokenUrlField);
  }
}

/**
 * The settings that are stored in another form than they are given in. What is secret and stored
 * stays with its origin: to another one nothing goes that was not given again.
 */
export function storedForms(before: Settings, input: CheckedInput, now: Date): Checked {
  const url = input.url === undefined ? before.url : input.url;
  const hasMoved = isElsewhere(url, before.url);
  const moment = { hasMoved, now };
  return {
    url,
    headers: headersAt(url, input.headers, before),
    conditions: conditionsAt(input.conditions, before.conditions),
    oauth2: oauth2At(input.oauth2, before.oauth2, hasMoved),
    clientCertificate: certificateAt(input.clientCertificate, before.clientCertificate, moment),
  };
}

function conditionsAt(
  given: SubscriptionInput["conditions"],
  before: string | null,
): string | null {
  if (given === undefined) {
    return before;
  }
  return given === null ? null : checkConditions(given);
}
