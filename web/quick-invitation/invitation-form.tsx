import { Button, NativeSelect, Stack, Text, Title } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useTranslation } from "../base/i18n.ts";
import classes from "./quick-invitation.module.css";
import { RecipientsField } from "./recipients-field.tsx";
import { useForm, type FormProps, type useService } from "./use-form.ts";

export function InvitationForm(props: FormProps) {
  const { areRecipientsFixed } = props.parameters;
  const { t } = useTranslation("quick-invitation");
  const { chosen, field, reference, submit, ...state } = useForm(props);
  if (chosen.usable.length === 0) {
    return <Text size="sm">{t("no_service")}</Text>;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      noValidate
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{t("title")}</Title>
          <Text size="sm" c="dimmed" mt={2}>
            {t("note")}
          </Text>
        </div>
        {reference === "" ? null : <Reference text={reference} />}
        <ServiceField {...chosen} fault={state.serviceFault} />
        <RecipientsField {...field} isFixed={areRecipientsFixed} fault={state.recipientsFault} />
        <Button
          type="submit"
          size="md"
          disabled={state.isBlocked}
          leftSection={<IconSend size={18} aria-hidden />}
        >
          {t("send", { count: state.count })}
        </Button>
      </Stack>
    </form>
  );
}

function Reference({ text }: { text: string }) {
  const { t } = useTranslation("quick-invitation");
  return (
    <div>
      <Text size="sm" fw={500}>
        {t("reference")}
      </Text>
      <Text className={classes["reference"] ?? ""}>{text}</Text>
    </div>
  );
}

const kinds = ["ticket", "conference"] as const;

type ServiceFieldProps = ReturnType<typeof useService> & Readonly<{ fault: string | undefined }>;

function ServiceField({ usable, first, service, setService, isFixed, fault }: ServiceFieldProps) {
  const { t } = useTranslation("quick-invitation");
  const groups = kinds.map((kind) => ({
    group: t(`kind.${kind}`),
    items: usable
      .filter((one) => one.kind === kind)
      .map(({ service_key: value, name: label }) => ({ value, label })),
  }));
  const job = first.isUnknown ? t("unknown_service") : undefined;
  return (
    <NativeSelect
      label={t("service")}
      description={isFixed ? t("fixed_service") : job}
      error={fault}
      disabled={isFixed}
      value={service?.service_key ?? ""}
      onChange={({ currentTarget: { value } }) =>
        setService(usable.find(({ service_key: key }) => key === value))
      }
      data={[
        ...(service === undefined ? [{ value: "", label: t("choose_service") }] : []),
        ...groups.filter(({ items }) => items.length > 0),
      ]}
    />
  );
}
