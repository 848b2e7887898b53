import { useForm, type UseFormReturnType } from "@mantine/form";
import { useTranslation } from "../../../base/i18n.ts";
import { scheduleFault } from "./schedule.ts";
import { useConditionsFault } from "../conditions/use-conditions-fault.ts";
import { urlKind, type FormValues } from "./values.ts";

export type WebhookForm = UseFormReturnType<FormValues>;

/** The form with client-side validation. */
export function useWebhookForm(initialValues: FormValues): WebhookForm {
  const { t } = useTranslation("webhooks");
  const { t: common } = useTranslation();
  const needed = (isNeeded: boolean, value: string): string | null =>
    isNeeded && value.trim() === "" ? common("form.required") : null;
  const schedule = ({ mode, retries, schedule: text }: FormValues): string | null => {
    const fault = mode === "push" && retries === "own" ? scheduleFault(text) : undefined;
    return fault === undefined ? null : t(`schedule.fault.${fault}`);
  };
  const conditionsFault = useConditionsFault();
  const urlFault = ({ mode, active, url }: FormValues): string | null => {
    if (mode === "pull") {
      return null;
    }
    if (url.trim() === "") {
      return active ? t("form.url_required") : null;
    }
    const kind = urlKind(url.trim());
    return kind === undefined ? null : t(`fault.${kind}`);
  };
  return useForm<FormValues>({
    initialValues,
    validate: (values) => {
      const isPush = values.mode === "push";
      const needsClient = isPush && values.hasOauth2;
      const needsCertificate = isPush && values.hasCertificate;
      const { oauth2, certificate } = values;
      return {
        name: values.name.trim() === "" ? t("form.name_required") : null,
        url: urlFault(values),
        conditions: conditionsFault(values.conditions),
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
}
