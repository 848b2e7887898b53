/** Checks of settings that ask the world outside, and so are made before a transaction begins. */
import { checkConditions } from "../../pipeline/ledger/conditions.ts";
import { checkFilters, type Checked, type Settings, type SubscriptionInput } from "../model.ts";
import { headersAt } from "../custom-headers.ts";
import { isElsewhere, urlToStore, type CheckUrl } from "../receiver-url.ts";
import { certificateAt } from "./client-certificate.ts";
import { oauth2At } from "./oauth2.ts";

/** An input whose addresses are allowed, in the form to store. */
export type CheckedInput = SubscriptionInput & { readonly isChecked: true };

const tokenUrlField = "oauth2.tokenUrl";

/** Stored addresses are checked again when a subscription is switched on: names change. */
const checkStored = async (
  checkUrl: CheckUrl,
  seen: Pick<Settings, "url" | "oauth2">,
  input: SubscriptionInput,
): Promise<void> => {
  if (input.url === undefined && seen.url !== null) {
    await urlToStore(seen.url, checkUrl);
  }
  if (input.oauth2 === undefined && seen.oauth2 !== null) {
    await urlToStore(seen.oauth2.tokenUrl, checkUrl, tokenUrlField);
  }
};

/** Throws the problem of the first setting that is wrong by itself, whatever is stored. */
export const checkInput = async (
  checkUrl: CheckUrl,
  seen: Pick<Settings, "url" | "oauth2" | "isActive">,
  input: SubscriptionInput,
): Promise<CheckedInput> => {
  checkFilters(input.filters ?? []);
  const { url, oauth2 } = input;
  if (input.active === true && !seen.isActive) {
    await checkStored(checkUrl, seen, input);
  }
  return {
    ...input,
    ...(typeof url === "string" ? { url: await urlToStore(url, checkUrl) } : {}),
    ...(oauth2 === undefined || oauth2 === null
      ? {}
      : {
          oauth2: {
            ...oauth2,
            tokenUrl: await urlToStore(oauth2.tokenUrl, checkUrl, tokenUrlField),
          },
        }),
    isChecked: true,
  };
};

const conditionsAt = (
  given: SubscriptionInput["conditions"],
  before: string | null,
): string | null => {
  if (given === undefined) {
    return before;
  }
  return given === null ? null : checkConditions(given);
};

/**
 * The settings that are stored in another form than they are given in. What is secret and stored
 * stays with its origin: to another one nothing goes that was not given again.
 */
export const storedForms = (before: Settings, input: CheckedInput, now: Date): Checked => {
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
};
