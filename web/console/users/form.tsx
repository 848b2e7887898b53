import { Alert, Button, Group, Stack } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../base/i18n.ts";
import { api, call } from "../../base/api.ts";
import { asProblem } from "../../base/problem.ts";
import { ErrorBox } from "../../components/error-box.tsx";
import { fieldFaults } from "../../components/field-faults.ts";
import { meetsPasswordRule } from "../../../src/contracts/password-rule.ts";
import { useServerValues } from "../../components/server-values.ts";
import { showDone } from "../../components/show-fault.tsx";
import { useMay } from "../session.ts";
import { EntryFields, PersonFields, RestFields, WorkFields } from "./fields.tsx";
import { usersKey, type User } from "./queries.ts";
import { bodyOfChange, bodyOfNew, newUser, valuesOf, type UserValues } from "./values.ts";
import classes from "./users.module.css";

type UserFormProps = Readonly<{
  /** undefined for a new user. */
  user: User | undefined;
  onSaved: (user: User) => void;
  onCancel: () => void;
}>;

/** The form for a new or existing user. */
export function UserForm({ user, onSaved, onCancel }: UserFormProps) {
  const { t } = useTranslation("users");
  const isNew = user === undefined;
  const mayChange = useMay("users.write");
  const form = useUserForm(user);
  const known = user === undefined ? newUser : valuesOf(user);
  useServerValues(form, { values: known, version: user?.modified });
  const saving = useSave(user, form, onSaved);
  return (
    <form
      onSubmit={form.onSubmit((values) => saving.mutate(values))}
      noValidate
      aria-label={isNew ? t("form.new") : t("form.change")}
    >
      <fieldset disabled={!mayChange} className={classes["plain"]}>
        <Stack gap="md">
          <PersonFields form={form} isNew={isNew} />
          <WorkFields form={form} />
          {isNew ? <EntryFields form={form} /> : null}
          <RestFields form={form} isNew={isNew} />
          {saving.isError ? <Fault thrown={saving.error} form={form} isNew={isNew} /> : null}
          {mayChange ? (
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onCancel}>
                {t("base:action.cancel")}
              </Button>
              <Button type="submit" loading={saving.isPending} disabled={!isNew && !form.isDirty()}>
                {isNew ? t("form.create") : t("base:action.save")}
              </Button>
            </Group>
          ) : null}
        </Stack>
      </fieldset>
    </form>
  );
}

function useUserForm(user: User | undefined) {
  const { t } = useTranslation("users");
  return useForm<UserValues>({
    initialValues: user === undefined ? newUser : valuesOf(user),
    validate: {
      login: (value) => (/^\S+$/u.test(value.trim()) ? null : t("fault.login")),
      email: (value, { login, entry }) =>
        user === undefined && entry === "link" && value.trim() === "" && !login.includes("@")
          ? t("fault.email_for_link")
          : null,
      password: (value, { entry }) =>
        user === undefined && entry === "password" && !meetsPasswordRule(value)
          ? t("base:password.rule")
          : null,
    },
  });
}

function useSave(
  user: User | undefined,
  form: UseFormReturnType<UserValues>,
  onSaved: (user: User) => void,
) {
  const { t } = useTranslation("users");
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: UserValues) => save(user, form.getInitialValues(), values),
    onSuccess: async (saved, { entry }) => {
      await queries.invalidateQueries({ queryKey: usersKey });
      const isMailed = user === undefined && entry === "link" && saved.isActive;
      showDone(isMailed ? t("form.mailed", { address: saved.email }) : t("base:action.saved"));
      onSaved(saved);
    },
    onError: (thrown) => {
      const faults = fieldFaults(thrown, () => t("fault.value"));
      form.setErrors(
        Object.fromEntries(
          Object.entries(faults).map(([field, say]) => [field.replace(/\[\d+\]$/u, ""), say]),
        ),
      );
    },
  });
}

function save(user: User | undefined, before: UserValues, values: UserValues): Promise<User> {
  return user === undefined
    ? call(api.POST("/api/users", { body: bodyOfNew(values) }))
    : call(
        api.PATCH("/api/users/{userId}", {
          params: { path: { userId: user.id } },
          body: bodyOfChange(before, values),
        }),
      );
}

type FaultProps = Readonly<{
  thrown: unknown;
  form: UseFormReturnType<UserValues>;
  isNew: boolean;
}>;

/** Errors without a field of their own. */
function Fault({ thrown, form, isNew }: FaultProps) {
  const { status, errors } = asProblem(thrown);
  if (status === 409) {
    return <Conflict form={form} isNew={isNew} />;
  }
  return errors.length === 0 ? <ErrorBox error={thrown} /> : null;
}

/** A 409: a duplicate login, or a change to the last administrator or to oneself. */
function Conflict({ form, isNew }: { form: UseFormReturnType<UserValues>; isNew: boolean }) {
  const { t } = useTranslation("users");
  const isName = isNew || form.isDirty("login") || form.isDirty("external_id");
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />}>
      {t(isName ? "fault.taken" : "fault.must_stay")}
    </Alert>
  );
}
