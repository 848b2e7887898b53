/** The screens of the page: one decision on each. Text goes in as text, never as HTML. */
import { actionButton, actionLink, messageScreen, screenTitle } from "../shared/customer-view.ts";
import { element } from "../shared/dom.ts";
import { fill } from "../shared/words.ts";
import type { Invitation } from "./invitation.ts";
import type { TextKey } from "./texts.ts";
import { describeTime } from "./describe-time.ts";

export type Words = Readonly<{
  /** For times: the language as this browser writes it. */
  locale: string;
  texts: Readonly<Record<TextKey, string>>;
}>;

type Shown = Readonly<{
  invitation: Invitation;
  words: Words;
  /** Whether the customer's own page is there. */
  isOpen: boolean;
  now: Date;
  onDecline: () => void;
}>;

/** Who calls, as a customer knows them. */
export function whoOf({ agent_name: agent, enterprise_name: enterprise }: Invitation): string {
  return agent === "" ? enterprise : `${agent} (${enterprise})`;
}

/** The agent, the subject, the time and the required permissions; then the decision. */
export function invitationScreen(shown: Shown): HTMLElement[] {
  const { invitation, words, now, onDecline } = shown;
  const { texts } = words;
  const { subject, state } = invitation;
  return [
    element("p", "from", invitation.enterprise_name),
    screenTitle(fill(texts.invites, { who: invitation.agent_name || invitation.enterprise_name })),
    element("p", "service", invitation.service_name),
    ...(subject === null || subject === "" ? [] : [fact(texts.subject, subject)]),
    ...whenFact(invitation, words, now),
    element("h2", "subtitle", texts.asked),
    permissionList(invitation, words),
    element("p", "text", texts.consent),
    element(
      "div",
      "actions",
      startOf(shown),
      ...(state === "invited"
        ? [actionButton(texts.decline, { isMain: false, onPress: onDecline })]
        : []),
    ),
  ];
}

function whenFact(invitation: Invitation, words: Words, now: Date): HTMLElement[] {
  const from = new Date(invitation.start_time);
  const to = new Date(invitation.end_time);
  const isPast = to < now;
  return isPast ? [] : [fact(words.texts.when, describeTime({ from, to, now }, words))];
}

function fact(name: string, value: string): HTMLElement {
  return element("p", "fact", element("span", "fact-name", name), element("strong", "", value));
}

const permissions = ["camera", "microphone", "position"] as const;

function permissionList({ asks }: Invitation, { texts }: Words): HTMLElement {
  return element(
    "ul",
    "asked",
    ...permissions
      .filter((what) => asks.indexOf(what) !== -1)
      .map((what) =>
        element("li", "", element("strong", "", texts[what]), " ", texts[`${what}_why` as TextKey]),
      ),
  );
}

function startOf({ invitation, words, isOpen }: Shown): HTMLElement {
  return isOpen
    ? actionLink(words.texts.start, invitation.requestor_url)
    : element("p", "text waiting", words.texts.waiting);
}

/** After the call: thanks, and the survey if it is due. */
export function doneScreen({ invitation, words, isOpen }: Shown): HTMLElement[] {
  const { texts } = words;
  const hasSurvey = invitation.is_survey_due && isOpen;
  return [
    element("p", "from", invitation.enterprise_name),
    ...messageScreen(
      texts.done,
      texts.done_text,
      ...(hasSurvey ? [actionLink(texts.survey, invitation.requestor_url)] : []),
    ),
  ];
}
