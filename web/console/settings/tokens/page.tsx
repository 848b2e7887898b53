import {
  Alert,
  Button,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { CopyText } from "../../../components/copy-button.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { Section } from "../../../components/section.tsx";
import { useMay } from "../../session.ts";
import { EnterpriseTokens, OwnTokens } from "./list.tsx";

/** API tokens. */
export function TokensPage() {
  const { t } = useTranslation("settings");
  const [token, setToken] = useState<string>();
  const maySeeAll = useMay("users.write");
  return (
    <>
      <PageHeader title={t("tokens.title")} note={t("tokens.note")} />
      {token === undefined ? null : <Shown token={token} onDone={() => setToken(undefined)} />}
      <MakeToken onMade={setToken} />
      <OwnTokens />
      {maySeeAll ? <EnterpriseTokens /> : null}
    </>
  );
}

/** Shows the new token once; it cannot be shown again. */
function Shown({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation("settings");
  return (
    <Alert color="green" icon={<IconKey aria-hidden />} title={t("tokens.made")} mb="md">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t("tokens.once")}</Text>
        <CopyText value={token} name={t("tokens.token")} />
        <Button size="xs" variant="default" onClick={onDone}>
          {t("tokens.kept")}
        </Button>
      </Stack>
    </Alert>
  );
}

function MakeToken({ onMade }: { onMade: (token: string) => void }) {
  const { t } = useTranslation("settings");
  const queries = useQueryClient();
  const form = useForm<{ name: string; days: number | "" }>({
    initialValues: { name: "", days: 90 },
    validate: {
      name: (value) => (value.trim() === "" ? t("base:form.required") : null),
      days: (value) => (Number(value) >= 1 && Number(value) <= 366 ? null : t("tokens.days_range")),
    },
  });
  const making = useMutation({
    mutationFn: ({ name, days }: typeof form.values) => {
      const body = { name: name.trim(), expires_in_days: Number(days) };
      return call(api.POST("/api/users/me/api-tokens", { body }));
    },
    onSuccess: async ({ token }) => {
      form.reset();
      onMade(token);
      await queries.invalidateQueries({ queryKey: ["settings", "tokens"] });
    },
  });
  return (
    <Section title={t("tokens.make")} note={t("tokens.make_note")}>
      <form onSubmit={form.onSubmit((values) => making.mutate(values))} noValidate>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={t("tokens.name")}
            description={t("tokens.name_note")}
            placeholder="CRM"
            maxLength={100}
            {...form.getInputProps("name")}
          />
          <NumberInput
            label={t("tokens.days")}
            description={t("tokens.days_note")}
            min={1}
            max={366}
            allowDecimal={false}
            clampBehavior="none"
            {...form.getInputProps("days")}
          />
        </SimpleGrid>
        {making.isError ? <ErrorBox error={making.error} /> : null}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={making.isPending}>
            {t("tokens.action")}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
