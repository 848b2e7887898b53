import { Alert, Button, Group, Stack } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { asProblem } from "../../../base/problem.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { fieldFaults } from "../../../components/field-faults.ts";
import { meetsPasswordRule } from "../../../../src/contracts/password-rule.ts";
import { useServerValues } from "../../../components/server-values.ts";
import { showDone } from "../../../components/show-fault.tsx";
import { AdminFields, QuotaFields, WhoFields } from "./fields.tsx";
import { enterprisesKey, type Enterprise } from "./queries.ts";
import { bodyOfChange, bodyOfNew, fieldOf, newEnterprise, valuesOf } from "./values.ts";
import type { EnterpriseValues } from "./values.ts";

type EnterpriseFormProps = Readonly<{
  /** Undefined for a new one. */
  enterprise: Enterprise | undefined;
  onSaved: (enterprise: Enterprise) => void;
  onCancel: () => void;
}>;

/** The form for a new enterprise with its first administrator, or for an existing one. */
export function EnterpriseForm({ enterprise, onSaved, onCancel }: EnterpriseFormProps) {
  const { t } = useTranslation("platform");
  const isNew = enterprise === undefined;
  const form = useEnterpriseForm(enterprise);
  useEnterpriseValues(form, enterprise);
  const saving = useSave(enterprise, form, onSaved);
  return (
    <form
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      noValidate
      aria-label={isNew ? t("form.new") : t("form.change")}
    >
      <Stack gap="lg">
        <WhoFields form={form} id={enterprise?.id} />
        {!isNew && enterprise.solution_enabled && !form.values.solution_enabled ? (
          <Alert color="yellow" role="status">
            {t("form.will_end", { name: enterprise.name })}
          </Alert>
        ) : null}
        <QuotaFields form={form} />
        {isNew ? <AdminFields form={form} /> : null}
        <Fault error={saving.error} />
        <Buttons
          isNew={isNew}
          isBusy={saving.isPending}
          isDirty={form.isDirty()}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

function useEnterpriseForm(enterprise: Enterprise | undefined) {
  const { t, language } = useTranslation("platform");
  const isNew = enterprise === undefined;
  return useForm<EnterpriseValues>({
    initialValues: isNew ? newEnterprise(language) : valuesOf(enterprise),
    validate: {
      name: (value) => (value.trim() === "" ? t("base:form.required") : null),
      max_sms_per_day: (value) => (value === "" ? t("base:form.required") : null),
      admin_login: (value) => (isNew && !/^\S+$/u.test(value.trim()) ? t("fault.login") : null),
      admin_email: (value, { admin_login: login, admin_password: password }) =>
        isNew && password === "" && value.trim() === "" && !login.includes("@")
          ? t("fault.email_for_link")
          : null,
      admin_password: (value) =>
        isNew && value !== "" && !meetsPasswordRule(value) ? t("base:password.rule") : null,
    },
  });
}

function useEnterpriseValues(
  form: UseFormReturnType<EnterpriseValues>,
  enterprise: Enterprise | undefined,
): void {
  const { language } = useTranslation();
  const values = enterprise === undefined ? newEnterprise(language) : valuesOf(enterprise);
  useServerValues(form, { values, version: enterprise?.modified });
}

function useSave(
  enterprise: Enterprise | undefined,
  form: UseFormReturnType<EnterpriseValues>,
  onSaved: (enterprise: Enterprise) => void,
) {
  const { t } = useTranslation("platform");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: EnterpriseValues) => save(enterprise, form.getInitialValues(), values),
    onSuccess: async (saved) => {
      await queries.invalidateQueries({ queryKey: enterprisesKey });
      showDone(
        enterprise === undefined ? t("form.created", { name: saved.name }) : t("base:action.saved"),
      );
      onSaved(saved);
    },
    onError: (thrown) => {
      const faults = fieldFaults(thrown, () => t("fault.value"));
      form.setErrors(
        Object.fromEntries(Object.entries(faults).map(([field, say]) => [fieldOf(field), say])),
      );
      if (asProblem(thrown).status === 409) {
        form.setFieldError("admin_login", t("fault.taken"));
      }
    },
  });
}

function save(
  enterprise: Enterprise | undefined,
  before: EnterpriseValues,
  values: EnterpriseValues,
): Promise<Enterprise> {
  return enterprise === undefined
    ? call(api.POST("/api/enterprises", { body: bodyOfNew(values) }))
    : call(
        api.PATCH("/api/enterprises/{enterpriseId}", {
          params: { path: { enterpriseId: enterprise.id } },
          body: bodyOfChange(before, values),
        }),
      );
}

/** Errors without a field of their own. */
function Fault({ error }: { error: Error | null }) {
  const problem = error === null ? undefined : asProblem(error);
  return problem === undefined || problem.status === 409 || problem.errors.length > 0 ? null : (
    <ErrorBox error={problem} />
  );
}

type ButtonsProps = Readonly<{
  isNew: boolean;
  isBusy: boolean;
  isDirty: boolean;
  onCancel: () => void;
}>;

function Buttons({ isNew, isBusy, isDirty, onCancel }: ButtonsProps) {
  const { t } = useTranslation("platform");
  return (
    <Group justify="flex-end" gap="xs">
      <Button variant="default" onClick={onCancel}>
        {t("base:action.cancel")}
      </Button>
      <Button type="submit" loading={isBusy} disabled={!isNew && !isDirty}>
        {isNew ? t("form.create") : t("base:action.save")}
      </Button>
    </Group>
  );
}
