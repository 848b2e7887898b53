import { ActionIcon, Button, Group, Menu, Stack, Text, TextInput, Tooltip } from "@mantine/core";
import { IconChevronDown, IconPlus, IconRefresh, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { maskedValue } from "../../../../src/contracts/request-headers.ts";
import { headerRow } from "./values.ts";
import type { WebhookForm } from "./use-webhook-form.ts";
import classes from "./form.module.css";

const presets = [
  { name: "Authorization", value: "Bearer " },
  { name: "Authorization", value: "Basic " },
  { name: "X-API-Key", value: "" },
] as const;

const mostHeaders = 20;

/** Custom headers, one per row. A stored value is never shown, only replaced. */
export function HeadersField({ form }: { form: WebhookForm }) {
  const { t } = useTranslation("webhooks");
  const add = (name = "", value = ""): void =>
    form.insertListItem("headers", headerRow(name, value));
  const { headers } = form.values;
  const fault = form.errors["headers"];
  return (
    <Stack gap="xs" role="group" aria-label={t("headers.title")}>
      {headers.map(({ key }, at) => (
        <Row key={key} form={form} at={at} />
      ))}
      {fault === undefined ? null : (
        <Text size="sm" c="var(--bad)" role="alert">
          {fault}
        </Text>
      )}
      {headers.length >= mostHeaders ? null : (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={14} aria-hidden />}
            onClick={() => add()}
          >
            {t("headers.add")}
          </Button>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button
                variant="subtle"
                size="xs"
                rightSection={<IconChevronDown size={14} aria-hidden />}
              >
                {t("headers.presets")}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {presets.map(({ name, value }) => (
                <Menu.Item key={`${name}${value}`} onClick={() => add(name, value)}>
                  <span className="mono">
                    {name}: {value}…
                  </span>
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      )}
      <Text size="xs" c="dimmed">
        {t("headers.help")}
      </Text>
    </Stack>
  );
}

function Row({ form, at }: { form: WebhookForm; at: number }) {
  const { t } = useTranslation("webhooks");
  const row = form.values.headers[at];
  if (row === undefined) {
    return null;
  }
  const number = at + 1;
  const replace = (): void => {
    form.setFieldValue(`headers.${at}.isKept`, false);
    form.setFieldValue(`headers.${at}.value`, "");
  };
  return (
    <div className={classes["header"]}>
      <TextInput
        aria-label={t("headers.name_of", { number })}
        placeholder={t("headers.name")}
        maxLength={128}
        classNames={{ input: "mono" }}
        {...form.getInputProps(`headers.${at}.name`)}
      />
      <TextInput
        aria-label={t("headers.value_of", { number })}
        placeholder={t("headers.value")}
        maxLength={1024}
        autoComplete="off"
        disabled={row.isKept}
        classNames={{ input: "mono" }}
        {...form.getInputProps(`headers.${at}.value`)}
        {...(row.isKept ? { value: maskedValue } : {})}
      />
      <Group gap={2} wrap="nowrap">
        {row.isKept ? (
          <Tooltip label={t("headers.replace")}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t("headers.replace_of", { name: row.name })}
              onClick={replace}
            >
              <IconRefresh size={16} />
            </ActionIcon>
          </Tooltip>
        ) : null}
        <Tooltip label={t("headers.remove")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t("headers.remove_of", { number })}
            onClick={() => form.removeListItem("headers", at)}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </div>
  );
}
