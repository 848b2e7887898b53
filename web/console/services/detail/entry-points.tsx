import {
  ActionIcon,
  Anchor,
  Button,
  Group,
  Skeleton,
  Switch,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPencil, IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { CopyValueButton } from "../../../components/copy-button.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { lazyDialog } from "../../../components/lazy-dialog.tsx";
import { Section } from "../../../components/section.tsx";
import { showDone, showFault } from "../../../components/show-fault.tsx";
import { useMay } from "../../session.ts";
import { entryPointsQuery, type EntryPoint } from "../queries.ts";
import classes from "../services.module.css";

const [Question, prepareQuestion] = lazyDialog(
  async () => (await import("../../../components/confirm.tsx")).Confirm,
  { isOpen: ({ isOpen }) => isOpen },
);

const [RenameEntryPoint, prepareRename] = lazyDialog(
  async () => (await import("./rename-entry-point.tsx")).RenameEntryPoint,
  { isOpen: ({ isOpen }) => isOpen },
);

type PointProps = Readonly<{ serviceId: number; point: EntryPoint; isLastActive: boolean }>;

/** The URLs for buttons on the company's own pages. */
export function EntryPoints({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation("services");
  const mayChange = useMay("services.write");
  const { data, error, refetch } = useQuery(entryPointsQuery(serviceId));
  const active = (data?.data ?? []).filter((point) => point.is_active);
  return (
    <Section title={t("entry.title")} note={t("entry.note")}>
      {error === null ? null : <ErrorBox error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Skeleton height={52} mb="sm" /> : null}
      <ul className={classes["points"]}>
        {data?.data.map((point) => (
          <Point
            key={point.id}
            serviceId={serviceId}
            point={point}
            isLastActive={point.is_active && active.length === 1}
          />
        ))}
      </ul>
      {mayChange ? <AddPoint serviceId={serviceId} /> : null}
    </Section>
  );
}

function Point(props: PointProps) {
  const { serviceId, point, isLastActive } = props;
  const { t } = useTranslation("services");
  const mayChange = useMay("services.write");
  const switching = useSwitch(serviceId, point);
  return (
    <li className={classes["point"]}>
      <div className={classes["what"]}>
        <Text size="sm" fw={600}>
          {point.name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Anchor href={point.url} target="_blank" rel="noreferrer" size="xs" className="mono">
            {point.url}
          </Anchor>
          <CopyValueButton value={point.url} name={point.name} />
        </Group>
      </div>
      <Switch
        label={t(point.is_active ? "state.active" : "state.off")}
        aria-label={t("entry.switch", { name: point.name })}
        checked={switching.isPending ? switching.variables : point.is_active}
        disabled={!mayChange || isLastActive || switching.isPending}
        onChange={(event) => switching.mutate(event.currentTarget.checked)}
      />
      {mayChange ? (
        <Group gap={4}>
          <Actions {...props} />
        </Group>
      ) : null}
    </li>
  );
}

function useSwitch(serviceId: number, point: EntryPoint) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (isActive: boolean) =>
      call(
        api.PATCH("/api/services/{serviceId}/buttons/{buttonId}", {
          params: { path: { serviceId, buttonId: point.id } },
          body: { is_active: isActive },
        }),
      ),
    onSettled: () => queries.invalidateQueries(entryPointsQuery(serviceId)),
    onError: showFault,
  });
}

function Actions({ serviceId, point, isLastActive }: PointProps) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const [result, setAsked] = useState<"rename" | "delete">();
  const close = (): void => setAsked(undefined);
  const remove = async (): Promise<void> => {
    const path = { serviceId, buttonId: point.id };
    await call(api.DELETE("/api/services/{serviceId}/buttons/{buttonId}", { params: { path } }));
    await queries.invalidateQueries(entryPointsQuery(serviceId));
  };
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        onPointerEnter={prepareRename}
        onFocus={prepareRename}
        onClick={() => setAsked("rename")}
        aria-label={t("entry.rename", { name: point.name })}
      >
        <IconPencil size={16} />
      </ActionIcon>
      {isLastActive ? null : (
        <ActionIcon
          variant="subtle"
          color="red"
          onPointerEnter={prepareQuestion}
          onFocus={prepareQuestion}
          onClick={() => setAsked("delete")}
          aria-label={t("entry.delete", { name: point.name })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
      <RenameEntryPoint
        serviceId={serviceId}
        point={point}
        isOpen={result === "rename"}
        onClose={close}
      />
      <Question
        isOpen={result === "delete"}
        onClose={close}
        title={t("entry.delete", { name: point.name })}
        action={t("entry.delete_action")}
        isDangerous
        onConfirm={remove}
      >
        {t("entry.delete_note")}
      </Question>
    </>
  );
}

function AddPoint({ serviceId }: { serviceId: number }) {
  const { t } = useTranslation("services");
  const queries = useQueryClient();
  const form = useForm({
    initialValues: { name: "" },
    validate: { name: (value) => (value.trim() === "" ? t("base:form.required") : null) },
  });
  const adding = useMutation({
    mutationFn: ({ name }: { name: string }) =>
      call(
        api.POST("/api/services/{serviceId}/buttons", {
          params: { path: { serviceId } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: async ({ name }) => {
      form.reset();
      await queries.invalidateQueries(entryPointsQuery(serviceId));
      showDone(t("entry.added", { name }));
    },
    onError: showFault,
  });
  return (
    <form onSubmit={form.onSubmit((values) => adding.mutate(values))} noValidate>
      <Group align="flex-end" gap="xs">
        <TextInput
          label={t("entry.new")}
          placeholder={t("entry.new_hint")}
          maxLength={255}
          autoComplete="off"
          style={{ flex: "1 1 220px" }}
          maw={360}
          {...form.getInputProps("name")}
        />
        <Button
          type="submit"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          loading={adding.isPending}
        >
          {t("entry.add")}
        </Button>
      </Group>
    </form>
  );
}
