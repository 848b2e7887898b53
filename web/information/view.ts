/** The screens of the page: one decision on each. Text goes in as text, never as HTML. */
import { element } from "../look/dom.ts";
import { fill } from "../look/words.ts";
import type { Invitation } from "./invitation.ts";
import type { TextKey } from "./texts.ts";
import { describeWhen } from "./when.ts";

export type Words = Readonly<{
  /** For times: the language as this browser writes it. */
  locale: string;
  texts: Readonly<Record<TextKey, string>>;
}>;

/** Who calls, as a customer knows them. */
export const whoOf = ({ agent_name: agent, enterprise_name: enterprise }: Invitation): string =>
  agent === "" ? enterprise : `${agent} (${enterprise})`;

const title = (text: string): HTMLElement => {
  const made = element("h1", "title", text);
  made.tabIndex = -1; // takes the focus when a screen comes, so that it is read out
  return made;
};

const text = (words: string): HTMLElement => element("p", "text", words);

export const actionButton = (
  label: string,
  { isMain, onPress }: Readonly<{ isMain: boolean; onPress: () => void }>,
): HTMLButtonElement => {
  const button = element("button", isMain ? "action action-main" : "action", label);
  button.type = "button";
  button.addEventListener("click", onPress);
  return button;
};

const link = (label: string, href: string): HTMLElement => {
  const made = element("a", "action action-main", label);
  made.href = href;
  return made;
};

/** A screen that only tells something. */
export const messageScreen = (
  heading: string,
  words: string,
  ...actions: HTMLElement[]
): HTMLElement[] => [
  title(heading),
  text(words),
  ...(actions.length === 0 ? [] : [element("div", "actions", ...actions)]),
];

const asked = ["camera", "microphone", "position"] as const;

const askedList = ({ asks }: Invitation, { texts }: Words): HTMLElement =>
  element(
    "ul",
    "asked",
    ...asked
      .filter((what) => asks.indexOf(what) !== -1)
      .map((what) =>
        element("li", "", element("strong", "", texts[what]), " ", texts[`${what}_why` as TextKey]),
      ),
  );

const fact = (name: string, value: string): HTMLElement =>
  element("p", "fact", element("span", "fact-name", name), element("strong", "", value));

const whenFact = (invitation: Invitation, words: Words, now: Date): HTMLElement[] => {
  const from = new Date(invitation.start_time);
  const to = new Date(invitation.end_time);
  const isPast = to < now;
  return isPast ? [] : [fact(words.texts.when, describeWhen({ from, to, now }, words))];
};

type Shown = Readonly<{
  invitation: Invitation;
  words: Words;
  /** Whether the customer's own page is there. */
  isOpen: boolean;
  now: Date;
  onDecline: () => void;
}>;

const startOf = ({ invitation, words, isOpen }: Shown): HTMLElement =>
  isOpen
    ? link(words.texts.start, invitation.requestor_url)
    : element("p", "text waiting", words.texts.waiting);

/** Who calls, about what, when, and what will be asked; then the one decision. */
export const invitationScreen = (shown: Shown): HTMLElement[] => {
  const { invitation, words, now, onDecline } = shown;
  const { texts } = words;
  const { subject, state } = invitation;
  return [
    element("p", "from", invitation.enterprise_name),
    title(fill(texts.invites, { who: invitation.agent_name || invitation.enterprise_name })),
    element("p", "service", invitation.service_name),
    ...(subject === null || subject === "" ? [] : [fact(texts.subject, subject)]),
    ...whenFact(invitation, words, now),
    element("h2", "subtitle", texts.asked),
    askedList(invitation, words),
    text(texts.consent),
    element(
      "div",
      "actions",
      startOf(shown),
      ...(state === "invited"
        ? [actionButton(texts.decline, { isMain: false, onPress: onDecline })]
        : []),
    ),
  ];
};

/** After the call: thanks, and the survey where one waits and can be answered. */
export const doneScreen = ({ invitation, words, isOpen }: Shown): HTMLElement[] => {
  const { texts } = words;
  const hasSurvey = invitation.is_survey_due && isOpen;
  return [
    element("p", "from", invitation.enterprise_name),
    ...messageScreen(
      texts.done,
      texts.done_text,
      ...(hasSurvey ? [link(texts.survey, invitation.requestor_url)] : []),
    ),
  ];
};
