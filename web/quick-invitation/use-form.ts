/** The logic of the form, without its view. */
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "../base/i18n.ts";
import { may, type Session } from "../base/session.ts";
import type { Parameters } from "./parameters.ts";
import { readRecipients, splitList, type Draft, type Recipient, roughPhone } from "./recipients.ts";
import type { ReadPhone } from "../shared/phone.ts";
import { isKept, preselect, type Service } from "./services.ts";

export type Filled = Readonly<{
  service: Service;
  recipients: readonly Recipient[];
  reference: string;
}>;

export type FormProps = Readonly<{
  parameters: Parameters;
  drafts: readonly Draft[];
  setDrafts: (drafts: readonly Draft[]) => void;
  session: Session;
  services: readonly Service[];
  onSubmit: (filled: Filled) => void;
}>;

/** State and submit handler of the form. */
export function useForm(props: FormProps) {
  const { onSubmit, session, parameters } = props;
  const { t } = useTranslation("quick-invitation");
  const chosen = useService(props);
  const { service, isFixed } = chosen;
  const field = useRecipients(props);
  const [isAsked, setAsked] = useState(false);
  const refusal = useRefusal(props, chosen);
  const reference = referenceOf(props, chosen);
  const refusedService = refusal.ofService();
  const submit = (): void => {
    const recipients = field.commit();
    setAsked(true);
    const isRefused =
      refusedService !== undefined || refusal.ofRecipients(recipients) !== undefined;
    const isSent = recipients.length > 0 && !recipients.some(isWrong) && !isRefused;
    if (service !== undefined && isSent) {
      // A choice in a locked form is not remembered: it could not be corrected the next time.
      if (isFixed || !parameters.isServiceFixed) {
        keepLastUsed(session.user.id, service.service_key);
      }
      onSubmit({ service, recipients, reference });
    }
  };
  const isEmpty = field.recipients.length === 0;
  const isServiceMissing = isAsked && service === undefined;
  return {
    ...{ chosen, field, reference, submit },
    isBlocked: field.recipients.some(isWrong) || refusedService !== undefined,
    serviceFault: refusedService ?? (isServiceMissing ? t("choose_service") : undefined),
    recipientsFault:
      refusal.ofRecipients(field.recipients) ?? (isAsked && isEmpty ? t("none") : undefined),
    /** Number of invitations, for the button's text; at least one. */
    count: Math.max(1, field.right),
  };
}

function useRecipients({ drafts, setDrafts }: FormProps) {
  const [typed, setTyped] = useState("");
  const readPhone = useReadPhone(drafts.length > 0 || typed !== "");
  const recipients = useMemo(() => readRecipients(drafts, readPhone), [drafts, readPhone]);
  const withTyped = (text: string): Draft[] => [
    ...drafts,
    ...splitList(text, /[,;\n]/u).map((part) => ({ text: part.trim() })),
  ];
  /** Adds the typed text and returns all recipients. */
  const commit = (text = typed): Recipient[] => {
    const all = withTyped(text);
    setTyped("");
    if (all.length === drafts.length) {
      return recipients;
    }
    setDrafts(all);
    return readRecipients(all, readPhone);
  };
  const replace = (kept: readonly Recipient[]): void =>
    setDrafts(
      kept.map(({ text, kind, fault }) => ({ text, as: fault === "other" ? undefined : kind })),
    );
  /** Number of valid recipients, including the typed text. */
  const right = readRecipients(withTyped(typed), readPhone).filter((one) => !isWrong(one)).length;
  return { typed, setTyped, recipients, right, commit, replace };
}

/**
 * Phone number validation: a rough check until the chunk is loaded, which starts with the first
 * number.
 */
function useReadPhone(isNeeded: boolean): ReadPhone {
  const [read, setRead] = useState<ReadPhone>(() => roughPhone);
  useEffect(() => {
    if (!isNeeded) {
      return;
    }
    import("./phone.ts").then(
      ({ readPhone }) => setRead(() => readPhone),
      () => {
        // Keeps the rough check; the API rejects what it accepts wrongly.
      },
    );
  }, [isNeeded]);
  return read;
}

function isWrong({ fault }: Recipient): boolean {
  return fault !== undefined;
}

const maxRecipients = 50;

/** Why the form cannot be submitted, apart from single recipients. */
function useRefusal(
  { session, parameters }: FormProps,
  { service }: Pick<ReturnType<typeof useService>, "service">,
) {
  const { t } = useTranslation("quick-invitation");
  return {
    ofService: (): string | undefined =>
      service?.kind === "ticket" && !session.user.is_agent ? t("no_agent") : undefined,
    ofRecipients: (recipients: readonly Recipient[]): string | undefined => {
      const { length: count } = recipients;
      if (count > maxRecipients) {
        return t("too_many", { max: maxRecipients, count });
      }
      const hasFaults = recipients.some(({ fault }) => fault !== undefined);
      return hasFaults && parameters.areRecipientsFixed ? t("fixed_wrong") : undefined;
    },
  };
}

/** Shown only if assistance was preselected, and sent only if shown. */
function referenceOf(
  { parameters }: FormProps,
  { first, service }: Pick<ReturnType<typeof useService>, "first" | "service">,
): string {
  return first.service?.kind === "ticket" && service?.kind === "ticket" ? parameters.reference : "";
}

const permissionOf = { ticket: "tickets.write", conference: "conferences.write" } as const;

export function useService({ session, services, parameters }: FormProps) {
  const usable = useMemo(
    () => services.filter(({ kind }) => may(session, permissionOf[kind])),
    [services, session],
  );
  const serviceKey = parameters.serviceKey;
  const [first] = useState(() =>
    preselect(usable, { serviceKey, lastUsed: readLastUsed(session.user.id) }),
  );
  const [service, setService] = useState(first.service);
  useEffect(() => {
    if (first.isUnknown) {
      // oxlint-disable-next-line no-console -- for the developer of the link
      console.warn(`service_key ${serviceKey}: you have no such service, so none is preselected.`);
    }
  }, [first, serviceKey]);
  const isFixed = isKept(first, parameters.isServiceFixed);
  return { usable, first, service, setService, isFixed };
}

function readLastUsed(userId: number): string | null {
  try {
    return localStorage.getItem(keyOf(userId));
  } catch {
    return null;
  }
}

function keepLastUsed(userId: number, serviceKey: string): void {
  try {
    localStorage.setItem(keyOf(userId), serviceKey);
  } catch {
    // Storage may be blocked in a cross-site frame.
  }
}

/** Storage key of the last used service, per user. */
function keyOf(userId: number): string {
  return `sightline.quick-invitation.service.${userId}`;
}
