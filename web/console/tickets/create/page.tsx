/**
 * Creates a ticket and invites the customer: one field and one button; other fields are collapsed.
 */
import { Button, Checkbox, Collapse, Divider, Select, Stack, Text, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useDisclosure, useLocalStorage } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight, IconLock, IconSend } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useTranslation } from "../../../base/i18n.ts";
import { api, call } from "../../../base/api.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorBox } from "../../../components/error-box.tsx";
import { PageHeader } from "../../../components/page-header.tsx";
import { useRequestKey } from "../../../components/request-key.ts";
import { showDone } from "../../../components/show-fault.tsx";
import { useMay, useSession } from "../../session.ts";
import { AgentSelect } from "../agent-select.tsx";
import { useFieldFaults } from "../form-faults.ts";
import { formatPhone, homePrefix } from "../person.ts";
import { agentsQuery, servicesQuery } from "../queries.ts";
import { PartFields, TimeFields } from "../ticket-inputs.tsx";
import { recogniseContact, type Contact } from "./contact.ts";
import { noCreateValues, toBody, type CreateValues } from "./create-body.ts";
import { keepLastAgent, lastAgentKey } from "./last-agent.ts";
import classes from "./create.module.css";

type Form = UseFormReturnType<CreateValues>;

export function CreatePage() {
  const { t } = useTranslation("tickets");
  if (!useMay("tickets.write")) {
    return (
      <EmptyState icon={IconLock} title={t("create.not_yours")} text={t("create.not_yours_text")} />
    );
  }
  return (
    <div className={classes["page"]}>
      <PageHeader title={t("create.title")} note={t("create.note")} />
      <CreateForm />
      <NextSteps />
    </div>
  );
}

function CreateForm() {
  const { t } = useTranslation("tickets");
  const { user, enterprise } = useSession();
  const prefix = homePrefix(enterprise.time_zone);
  const form = useForm<CreateValues>({
    initialValues: noCreateValues,
    validate: useRules(prefix),
  });
  useFirstAgent(form);
  const { create, fault } = useCreate(form, prefix);
  return (
    <form onSubmit={form.onSubmit(create)} noValidate className={classes["form"]}>
      <ContactBox form={form} contact={recogniseContact(form.values.contact, prefix)} />
      {user.is_agent ? null : <AgentField form={form} />}
      {fault === undefined ? null : <ErrorBox error={fault} />}
      <Button
        type="submit"
        size="md"
        fullWidth
        loading={form.submitting}
        leftSection={<IconSend size={18} aria-hidden />}
      >
        {t(form.values.invite ? "create.send" : "create.only")}
      </Button>
      <More form={form} />
    </form>
  );
}

/** Validation messages by field. */
function useRules(prefix: string | undefined) {
  const { t } = useTranslation("tickets");
  const read = (text: string) => recogniseContact(text, prefix);
  const faultOf = (contact: Contact): string | null =>
    contact.kind === "unclear" ? t(`create.unclear.${contact.reason}`) : null;
  return {
    contact: (text: string) =>
      read(text).kind === "empty" ? t("create.unclear.empty") : faultOf(read(text)),
    second: (text: string, values: CreateValues) => {
      const second = read(text);
      return second.kind !== "empty" && second.kind === read(values.contact).kind
        ? t("create.unclear.same")
        : faultOf(second);
    },
    agent: (agent: string) => (agent === "" ? t("create.unclear.agent") : null),
  };
}

/** Preselects the agent of the last ticket, else the user, else the only agent. */
function useFirstAgent(form: Form): void {
  const { user } = useSession();
  const mayUsers = useMay("users.read");
  const [last] = useLocalStorage({ key: lastAgentKey, defaultValue: "" });
  const { data } = useQuery({ ...agentsQuery(""), enabled: mayUsers && !user.is_agent });
  const only = data?.length === 1 ? data[0]?.login : undefined;
  const remembered = data?.find(({ login }) => login === last)?.login;
  const first = user.is_agent ? user.login : (remembered ?? only);
  const { setFieldValue } = form;
  const hasAgent = form.values.agent !== "";
  useEffect(() => {
    if (!hasAgent && first !== undefined) {
      setFieldValue("agent", first);
    }
  }, [first, hasAgent, setFieldValue]);
}

function useCreate(form: Form, prefix: string | undefined) {
  const { t } = useTranslation("tickets");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const faultsOf = useFieldFaults();
  const [fault, setFault] = useState<unknown>();
  const keyOf = useRequestKey();
  const create = async (values: CreateValues): Promise<void> => {
    setFault(undefined);
    const body = toBody(values, prefix);
    try {
      const params = { header: { "Idempotency-Key": keyOf(body) } };
      const ticket = await call(api.POST("/api/tickets", { params, body }));
      keepLastAgent(values.agent, () => localStorage);
      void queries.invalidateQueries({ queryKey: ["tickets", "list"] });
      showDone(t(values.invite ? "create.done_invited" : "create.done", { id: ticket.id }));
      await navigate({ to: "/tickets/$ticketId", params: { ticketId: String(ticket.id) } });
    } catch (thrown) {
      const { phone, email, ...others } = faultsOf(thrown);
      form.setErrors({ ...others, contact: phone ?? email });
      setFault(thrown);
    }
  };
  return { create, fault };
}

function ContactBox({ form, contact }: { form: Form; contact: Contact }) {
  const { t } = useTranslation("tickets");
  return (
    <div>
      <TextInput
        size="lg"
        label={t("create.contact")}
        placeholder={t("create.contact_hint")}
        autoFocus
        autoComplete="off"
        inputMode="email"
        maxLength={320}
        required
        {...form.getInputProps("contact")}
      />
      <Understood contact={contact} invites={form.values.invite} />
    </div>
  );
}

/** Shows how the contact was parsed, while typing. */
function Understood({ contact, invites }: { contact: Contact; invites: boolean }) {
  const { t } = useTranslation("tickets");
  const isClear = contact.kind === "phone" || contact.kind === "email";
  const text = isClear
    ? t(`create.${invites ? "to" : "with"}_${contact.kind}`, {
        to: contact.kind === "phone" ? formatPhone(contact.value) : contact.value,
      })
    : t("create.contact_note");
  return (
    <Text size="sm" c={isClear ? "var(--good)" : "dimmed"} mih={20} aria-live="polite">
      {text}
    </Text>
  );
}

function More({ form }: { form: Form }) {
  const { t } = useTranslation("tickets");
  const { user } = useSession();
  const [isOpen, { toggle }] = useDisclosure();
  const Picture = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        color="gray"
        aria-expanded={isOpen}
        leftSection={<Picture size={15} aria-hidden />}
        onClick={toggle}
      >
        {t("create.more")}
      </Button>
      <Collapse expanded={isOpen}>
        {user.is_agent ? <AgentField form={form} /> : null}
        <Options form={form} />
      </Collapse>
    </div>
  );
}

function AgentField({ form }: { form: Form }) {
  const { t } = useTranslation("tickets");
  const { user, permissions } = useSession();
  const mayUsers = useMay("users.read");
  if (permissions["tickets.write"] === "own") {
    return <TextInput label={t("column.agent")} value={user.login} readOnly />;
  }
  return mayUsers ? (
    <AgentSelect
      label={t("column.agent")}
      value={form.values.agent}
      onChange={(agent) => form.setFieldValue("agent", agent)}
      error={form.errors["agent"]}
    />
  ) : (
    <TextInput label={t("column.agent")} required {...form.getInputProps("agent")} />
  );
}

function Options({ form }: { form: Form }) {
  const { t } = useTranslation("tickets");
  const maySeeServices = useMay("services.read");
  return (
    <Stack gap="sm" pt="sm">
      <PartFields form={form} part="person" />
      <TextInput
        label={t("create.second_contact")}
        description={t("create.second_contact_note")}
        {...form.getInputProps("second")}
      />
      <Divider />
      <PartFields form={form} part="subject" />
      <Divider />
      <TimeFields form={form} />
      {maySeeServices ? <ServiceField form={form} /> : null}
      <Checkbox
        label={t("create.invite")}
        description={t("create.invite_note")}
        {...form.getInputProps("invite", { type: "checkbox" })}
      />
    </Stack>
  );
}

function ServiceField({ form }: { form: Form }) {
  const { t } = useTranslation("tickets");
  const { data } = useQuery(servicesQuery);
  return (
    <Select
      label={t("column.service")}
      data={[
        { value: "", label: t("create.first_service") },
        ...(data ?? [])
          .filter((service) => service.is_active)
          .map(({ service_key: value, name: label }) => ({ value, label })),
      ]}
      {...form.getInputProps("service")}
    />
  );
}

/** Explains the next steps to first-time users. */
function NextSteps() {
  const { t } = useTranslation("tickets");
  return (
    <ol className={classes["steps"]} aria-label={t("create.steps.title")}>
      {(["sent", "opened", "met"] as const).map((step) => (
        <li key={step}>{t(`create.steps.${step}`)}</li>
      ))}
    </ol>
  );
}
