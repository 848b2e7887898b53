import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { changedFields } from "../../../base/changed-fields.ts";
import { asProblem } from "../../../base/problem.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay, useSession } from "../../session.ts";
import { usersKey, type UserGroup } from "../queries.ts";
import classes from "../users.module.css";
import { DeleteGroup } from "./delete-group.tsx";
import { MembersField, type Member } from "./members-field.tsx";

type Values = { name: string; members: Member[] };

type GroupFormProps = Readonly<{ group: UserGroup | undefined; onDone: () => void }>;

/** Name and members of a group. */
export function GroupForm({ group, onDone }: GroupFormProps) {
  const { t } = useTranslation("users");
  const mayChange = useMay("users.write");
  const { form, saving } = useGroupForm(group, onDone);
  const isNameInUse = saving.isError && asProblem(saving.error).status === 409;
  return (
    <>
      <form
        onSubmit={form.onSubmit((values) => saving.mutate(values))}
        noValidate
        aria-label={t(group === undefined ? "groups.new" : "groups.change")}
      >
        <fieldset disabled={!mayChange} className={classes["plain"]}>
          <Stack gap="md">
            <TextInput
              label={t("field.name")}
              maxLength={255}
              required
              autoComplete="off"
              {...form.getInputProps("name")}
            />
            <MembersField
              members={form.values.members}
              onChange={(members) => form.setFieldValue("members", members)}
              isFixed={!mayChange}
            />
            {saving.isError && !isNameInUse ? <ErrorBox error={saving.error} /> : null}
            {mayChange ? (
              <Group justify="flex-end" gap="xs">
                <Button variant="default" onClick={onDone}>
                  {t("base:action.cancel")}
                </Button>
                <Button
                  type="submit"
                  loading={saving.isPending}
                  disabled={group !== undefined && !form.isDirty()}
                >
                  {t(group === undefined ? "groups.create" : "base:action.save")}
                </Button>
              </Group>
            ) : null}
          </Stack>
        </fieldset>
      </form>
      {group === undefined || !mayChange ? null : <DeleteGroup group={group} onDone={onDone} />}
    </>
  );
}

function useGroupForm(group: UserGroup | undefined, onDone: () => void) {
  const { t } = useTranslation("users");
  const { enterprise } = useSession();
  const queries = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: group?.name ?? "", members: group?.members ?? [] },
    validate: { name: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const saving = useMutation({
    mutationFn: (values: Values) => {
      const body = bodyOf(values);
      return group === undefined
        ? create(enterprise.id, body)
        : change(enterprise.id, group.id, changedFields(bodyOf(form.getInitialValues()), body));
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: usersKey });
      showDone(t("base:action.saved"));
      onDone();
    },
    onError: (thrown) => {
      if (asProblem(thrown).status === 409) {
        form.setFieldError("name", t("groups.taken"));
      }
    },
  });
  return { form, saving };
}

function bodyOf({ name, members }: Values) {
  return { name: name.trim(), members: members.map(({ id }) => id) };
}

type Body = ReturnType<typeof bodyOf>;

function create(enterpriseId: number, body: Body): Promise<UserGroup> {
  const params = { path: { enterpriseId } };
  return call(api.POST("/api/enterprises/{enterpriseId}/user-groups", { params, body }));
}

/** A list of members replaces all of them, so a rename does not send it. */
function change(enterpriseId: number, groupId: number, body: Partial<Body>): Promise<UserGroup> {
  const params = { path: { enterpriseId, groupId } };
  return call(api.PATCH("/api/enterprises/{enterpriseId}/user-groups/{groupId}", { params, body }));
}
