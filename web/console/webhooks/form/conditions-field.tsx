import { Button, Group, Menu, Stack, Textarea } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import type { WebhookForm } from "./use-webhook-form.ts";

const examples = [
  { key: "state", text: { "props.state": { $in: ["done", "closed"] } } },
  { key: "position", text: { "props.geoloc": { $exists: true } } },
  { key: "ticket", text: { "props._parent.name": "ticket" } },
  {
    key: "either",
    text: { $or: [{ event: "create" }, { "props.state": { $nin: ["new", "open"] } }] },
  },
] as const;

/** A query on the body as JSON, with examples to begin with. */
export const ConditionsField = ({ form }: { form: WebhookForm }) => {
  const { t } = useTranslation("webhooks");
  return (
    <Stack gap="xs">
      <Textarea
        label={t("conditions.label")}
        description={t("conditions.help")}
        placeholder='{ "props.state": "done" }'
        autosize
        minRows={2}
        maxRows={14}
        maxLength={4096}
        spellCheck={false}
        classNames={{ input: "mono" }}
        {...form.getInputProps("conditions")}
      />
      <Group gap="xs">
        <Menu position="bottom-start">
          <Menu.Target>
            <Button
              variant="subtle"
              size="xs"
              rightSection={<IconChevronDown size={14} aria-hidden />}
            >
              {t("conditions.examples")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {examples.map(({ key, text }) => (
              <Menu.Item
                key={key}
                onClick={() => form.setFieldValue("conditions", JSON.stringify(text, null, 2))}
              >
                {t(`conditions.example.${key}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {form.values.conditions.trim() === "" ? null : (
          <Button variant="subtle" size="xs" onClick={() => form.setFieldValue("conditions", "")}>
            {t("conditions.remove")}
          </Button>
        )}
      </Group>
    </Stack>
  );
};
