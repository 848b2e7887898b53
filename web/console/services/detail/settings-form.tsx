import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { takeSaved, useServerValues } from "../../../components/server-values.ts";
import { useMay } from "../../session.ts";
import { ServiceFields } from "../fields.tsx";
import { refreshServices, type Service } from "../queries.ts";
import { useServiceForm } from "../use-service-form.ts";
import { bodyOfChange, valuesOf, type ServiceValues } from "../values.ts";
import classes from "../services.module.css";

export function SettingsForm({ service }: { service: Service }) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const mayChange = useMay("services.write");
  const form = useServiceForm(valuesOf(service));
  useServerValues(form, { values: valuesOf(service), version: service.modified });
  const saving = useMutation({
    mutationFn: (values: ServiceValues) =>
      call(
        api.PATCH("/api/services/{serviceId}", {
          params: { path: { serviceId: service.id } },
          body: bodyOfChange(form.getInitialValues(), values),
        }),
      ),
    onSuccess: async (saved, sent) => {
      takeSaved(form, { sent, saved: valuesOf(saved) });
      await refreshServices(queries);
      showDone(t("base:action.saved"));
    },
    onError: form.showFaults,
  });
  const isLast = saving.isError && asProblem(saving.error).status === 409;
  return (
    <Section title={t("new.settings")}>
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <fieldset disabled={!mayChange} className={classes["plain"]}>
          <ServiceFields form={form} />
          {isLast ? (
            <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} mt="md">
              {t(`fault.last_${service.kind}`)}
            </Alert>
          ) : null}
          {saving.isError && !isLast ? <ErrorBox error={saving.error} /> : null}
          {mayChange ? (
            <Group justify="flex-end" mt="md">
              <Button type="submit" loading={saving.isPending} disabled={!form.isDirty()}>
                {t("base:action.save")}
              </Button>
            </Group>
          ) : null}
        </fieldset>
      </form>
    </Section>
  );
}
