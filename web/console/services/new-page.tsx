import { Button, Group, Input, SegmentedControl } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { Section } from "../../components/section.tsx";
import { showDone } from "../../components/show-fault.tsx";
import { ServiceFields } from "./fields.tsx";
import { kinds, refreshServices } from "./queries.ts";
import { useServiceForm } from "./use-service-form.ts";
import { bodyOf, newService, type ServiceValues } from "./values.ts";

/** Creates a service, with one entry point and the default survey. */
export function NewServicePage() {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const navigate = useNavigate();
  const form = useServiceForm(newService);
  const creating = useMutation({
    mutationFn: (values: ServiceValues) =>
      call(api.POST("/api/services", { body: { ...bodyOf(values), kind: values.kind } })),
    onSuccess: async ({ id, name }) => {
      await refreshServices(queries);
      showDone(t("new.done", { name }));
      await navigate({
        to: "/settings/services/$serviceId",
        params: { serviceId: String(id) },
      });
    },
    onError: form.showFaults,
  });
  return (
    <>
      <PageHeader title={t("list.new")} note={t("new.note")} />
      <Section title={t("new.settings")}>
        <form onSubmit={form.onSubmit((values) => creating.mutate(values))} noValidate>
          <Input.Wrapper
            label={t("field.kind")}
            description={t("field.kind_note")}
            labelElement="div"
            mb="md"
          >
            <SegmentedControl
              mt={4}
              display="flex"
              w={{ base: "100%", xs: 320 }}
              aria-label={t("field.kind")}
              data={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
              {...form.getInputProps("kind")}
            />
          </Input.Wrapper>
          <ServiceFields form={form} />
          {creating.isError ? <ErrorBox error={creating.error} /> : null}
          <Group justify="flex-end" gap="xs" mt="md">
            <Button variant="default" component={Link} to="/settings/services">
              {t("base:action.cancel")}
            </Button>
            <Button type="submit" loading={creating.isPending}>
              {t("new.action")}
            </Button>
          </Group>
        </form>
      </Section>
    </>
  );
}
