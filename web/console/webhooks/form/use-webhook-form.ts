import { useForm, type UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../../base/i18n.ts";
import { scheduleFault } from "./schedule.ts";
import { parseConditions, type FormValues } from "./values.ts";

export type WebhookForm = UseFormReturnType<FormValues>;

/** The form with what can be said about it before the platform is asked. */
export const useWebhookForm = (initialValues: FormValues): WebhookForm => {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const needed = (isNeeded: boolean, value: string): string | null =>
    isNeeded && value.trim() === "" ? common("form.required") : null;
  const schedule = ({ mode, retries, schedule: text }: FormValues): string | null => {
    const fault = mode === "push" && retries === "own" ? scheduleFault(text) : undefined;
    return fault === undefined ? null : t(`schedule.fault.${fault}`);
  };
  return useForm<FormValues>({
    initialValues,
    validate: (values) => {
      const isPush = values.mode === "push";
      const needsClient = isPush && values.hasOauth2;
      const needsCertificate = isPush && values.hasCertificate;
      const { oauth2, certificate } = values;
      return {
        url: needed(isPush && values.active, values.url),
        conditions:
          parseConditions(values.conditions) === undefined ? t("conditions.no_json") : null,
        signatures: values.signatures.length === 0 ? t("sign.none") : null,
        schedule: schedule(values),
        "oauth2.tokenUrl": needed(needsClient, oauth2.tokenUrl),
        "oauth2.clientId": needed(needsClient, oauth2.clientId),
        "oauth2.clientSecret": needed(needsClient, oauth2.clientSecret),
        "certificate.certificate": needed(needsCertificate, certificate.certificate),
        "certificate.key": needed(needsCertificate, certificate.key),
        ...Object.fromEntries(
          (isPush ? values.headers : []).map(({ name }, at) => [
            `headers.${at}.name`,
            needed(true, name),
          ]),
        ),
      };
    },
  });
};
