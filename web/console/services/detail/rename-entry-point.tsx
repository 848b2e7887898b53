import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMounted } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { ErrorBox } from "../../../components/error-box.tsx";
import { entryPointsQuery, type EntryPoint } from "../queries.ts";

type RenameProps = Readonly<{
  serviceId: number;
  point: EntryPoint;
  isOpen: boolean;
  onClose: () => void;
}>;

export function RenameEntryPoint({ isOpen, ...rest }: RenameProps) {
  const { t } = useTranslation("services");
  // Opens after mounting, so that the focus returns to the element that had it before.
  const isThere = useMounted();
  return (
    <Modal
      opened={isThere && isOpen}
      onClose={rest.onClose}
      title={t("entry.rename", { name: rest.point.name })}
    >
      <RenameForm {...rest} />
    </Modal>
  );
}

function RenameForm({ serviceId, point, onClose }: Omit<RenameProps, "isOpen">) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: point.name },
    validate: { name: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const saving = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      call(
        api.PATCH("/api/services/{serviceId}/buttons/{buttonId}", {
          params: { path: { serviceId, buttonId: point.id } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries(entryPointsQuery(serviceId));
      onClose();
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
      <Stack>
        <TextInput
          label={t("field.name")}
          maxLength={255}
          data-autofocus
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        {saving.isError ? <ErrorBox error={saving.error} /> : null}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("base:action.cancel")}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {t("base:action.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
