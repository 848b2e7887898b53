import {
  Checkbox,
  Group,
  SegmentedControl,
  Stack,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useEffect } from "react";
import {
  maskedValue,
  headerPresets,
  signaturePresets,
} from "../../../../src/contracts/request-headers.ts";
import { useTranslation } from "../../../base/i18n.ts";
import type { MorePart } from "./values.ts";
import { optionRows, type OptionRow } from "./option-fields.ts";
import { OptionInput } from "./option-input.tsx";
import { durationsOf, defaultSchedule } from "./schedule.ts";
import { ScheduleLine } from "./schedule-line.tsx";
import type { WebhookForm } from "./use-webhook-form.ts";

type OfForm = Readonly<{ form: WebhookForm }>;

const fieldsOf: Record<MorePart, (props: OfForm) => React.ReactNode> = {
  pace: PaceFields,
  schedule: RetryFields,
  sign: SignFields,
  oauth2: OauthFields,
  certificate: CertificateFields,
};

type PartFieldsProps = OfForm &
  Readonly<{
    part: MorePart;
    /** Called once the fields are mounted. */
    onThere: () => void;
  }>;

/** The fields of one section. */
export function PartFields({ form, part, onThere }: PartFieldsProps) {
  useEffect(onThere, [onThere]);
  const Fields = fieldsOf[part];
  return <Fields form={form} />;
}

function PaceFields({ form }: OfForm) {
  const inputs = optionRows.map(([name, row]) => ({
    isSwitch: row.kind === "switch",
    input: <OptionInput key={name} form={form} name={name} row={row} />,
  }));
  return (
    <Stack gap="sm">
      {inputs.filter(({ isSwitch }) => isSwitch).map(({ input }) => input)}
      <Group grow align="flex-start" preventGrowOverflow={false}>
        {inputs.filter(({ isSwitch }) => !isSwitch).map(({ input }) => input)}
      </Group>
    </Stack>
  );
}

function RetryFields({ form }: OfForm) {
  const { t } = useTranslation("webhooks");
  const isOwn = form.values.retries === "own";
  const durations = isOwn ? durationsOf(form.values.schedule) : defaultSchedule;
  return (
    <Stack gap="sm" align="flex-start">
      <SegmentedControl
        aria-label={t("schedule.whose")}
        data={[
          { value: "platform", label: t("schedule.platform") },
          { value: "own", label: t("schedule.own") },
        ]}
        {...form.getInputProps("retries")}
      />
      {isOwn ? (
        <TextInput
          w="100%"
          label={t("schedule.label")}
          description={t("schedule.help")}
          classNames={{ input: "mono" }}
          {...form.getInputProps("schedule")}
        />
      ) : null}
      {durations === undefined ? null : <ScheduleLine durations={durations} />}
    </Stack>
  );
}

function SignFields({ form }: OfForm) {
  const { t } = useTranslation("webhooks");
  return (
    <Stack gap="sm">
      <Checkbox.Group label={t("sign.label")} {...form.getInputProps("signatures")}>
        <Stack gap={6} mt={6}>
          <Checkbox value="v1" label={t("sign.v1")} />
          <Checkbox value="v1a" label={t("sign.v1a")} />
        </Stack>
      </Checkbox.Group>
      {form.values.mode === "push" ? (
        <Checkbox.Group
          label={t("sign.presets")}
          description={t("sign.presets_help")}
          {...form.getInputProps("headerPresets")}
        >
          <Stack gap={6} mt={6}>
            {headerPresets.map((preset) => {
              const { platform, header } = signaturePresets[preset];
              return <Checkbox key={preset} value={preset} label={`${platform}: ${header}`} />;
            })}
          </Stack>
        </Checkbox.Group>
      ) : null}
    </Stack>
  );
}

const oauthRows = {
  scope: { kind: "text", label: "oauth2.scope", maxLength: 1_024 },
  audience: { kind: "text", label: "oauth2.audience", maxLength: 1_024 },
  authentication: {
    kind: "choice",
    label: "oauth2.authentication",
    choices: { basic: "oauth2.basic", form: "oauth2.form" },
  },
} as const satisfies Record<string, OptionRow>;

function OauthFields({ form }: OfForm) {
  const { t } = useTranslation("webhooks");
  const isKept = form.values.oauth2.clientSecret === maskedValue;
  return (
    <Stack gap="sm">
      <Switch
        label={t("oauth2.use")}
        description={t("oauth2.help")}
        {...form.getInputProps("hasOauth2", { type: "checkbox" })}
      />
      {form.values.hasOauth2 ? (
        <>
          <TextInput
            label={t("oauth2.token_url")}
            type="url"
            {...form.getInputProps("oauth2.tokenUrl")}
          />
          <Group grow align="flex-start">
            <TextInput
              label={t("oauth2.client_id")}
              autoComplete="off"
              {...form.getInputProps("oauth2.clientId")}
            />
            <TextInput
              label={t("oauth2.client_secret")}
              autoComplete="off"
              {...(isKept ? { description: t("oauth2.kept") } : {})}
              {...form.getInputProps("oauth2.clientSecret")}
            />
          </Group>
          <Group grow align="flex-start">
            <OptionInput form={form} name="oauth2.scope" row={oauthRows.scope} />
            <OptionInput form={form} name="oauth2.audience" row={oauthRows.audience} />
          </Group>
          <OptionInput form={form} name="oauth2.authentication" row={oauthRows.authentication} />
        </>
      ) : null}
    </Stack>
  );
}

function CertificateFields({ form }: OfForm) {
  const { t } = useTranslation("webhooks");
  const area = { autosize: true, minRows: 3, maxRows: 8, spellCheck: false };
  return (
    <Stack gap="sm">
      <Switch
        label={t("certificate.use")}
        description={t("certificate.help")}
        {...form.getInputProps("hasCertificate", { type: "checkbox" })}
      />
      {form.values.hasCertificate ? (
        <>
          <Textarea
            label={t("certificate.certificate")}
            placeholder="-----BEGIN CERTIFICATE-----"
            classNames={{ input: "mono" }}
            {...area}
            {...form.getInputProps("certificate.certificate")}
          />
          <Textarea
            label={t("certificate.key")}
            description={t("certificate.key_help")}
            placeholder="-----BEGIN PRIVATE KEY-----"
            classNames={{ input: "mono" }}
            {...area}
            {...form.getInputProps("certificate.key")}
          />
          <Textarea
            label={t("certificate.ca")}
            description={t("certificate.ca_help")}
            classNames={{ input: "mono" }}
            {...area}
            {...form.getInputProps("certificate.ca")}
          />
        </>
      ) : null}
    </Stack>
  );
}
