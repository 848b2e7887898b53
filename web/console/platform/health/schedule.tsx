import { Button, Group, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useTranslation } from "../../../base/i18n.ts";
import { formatDuration } from "../../../base/format.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { Section } from "../../../components/section.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { Figure, Frame, Heads, Name } from "./cells.tsx";
import type { Pass } from "./queries.ts";

/** Scheduled tasks: failing ones are listed, the others are collapsed to a number. */
export function Schedule({ passes }: { passes: readonly Pass[] }) {
  const { t } = useTranslation("platform");
  const [isOpen, { toggle }] = useDisclosure(false);
  const failing = passes.filter((pass) => pass.failing_since !== null);
  const well = passes.length - failing.length;
  const Picture = isOpen ? IconChevronDown : IconChevronRight;
  const shown = isOpen ? failingFirst(passes) : failing;
  return (
    <Section title={t("schedule.title")} note={t("schedule.note")}>
      {shown.length === 0 ? null : <Passes passes={shown} />}
      <Group gap="sm" mt={shown.length === 0 ? 0 : "sm"}>
        {well === 0 ? null : (
          <StateBadge meaning="good">{t("schedule.well", { count: well })}</StateBadge>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          leftSection={<Picture size={15} aria-hidden />}
          onClick={toggle}
        >
          {t(isOpen ? "schedule.less" : "schedule.all")}
        </Button>
      </Group>
    </Section>
  );
}

function failingFirst(passes: readonly Pass[]): Pass[] {
  return passes.toSorted(
    (a, b) => Number(a.failing_since === null) - Number(b.failing_since === null),
  );
}

function Passes({ passes }: { passes: readonly Pass[] }) {
  const { t, find } = useTranslation("platform");
  const nameOf = (name: string): string => find(`pass.${name}`) ?? name;
  return (
    <Frame label={t("schedule.title")}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t("schedule.pass")}</Table.Th>
          <Table.Th>{t("schedule.state")}</Table.Th>
          <Heads names={[t("schedule.every"), t("schedule.ran"), t("schedule.took")]} />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passes.map((pass) => (
          <Table.Tr key={pass.name}>
            <Name name={nameOf(pass.name)} queue={pass.name} />
            <Table.Td>
              <PassState pass={pass} />
            </Table.Td>
            <Figure label={t("schedule.every")}>{formatDuration(pass.every_ms)}</Figure>
            <Figure label={t("schedule.ran")}>
              <RelativeTime at={pass.ran} />
            </Figure>
            <Figure label={t("schedule.took")}>{formatDuration(pass.took_ms)}</Figure>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Frame>
  );
}

function PassState({ pass }: { pass: Pass }) {
  const { t } = useTranslation("platform");
  return pass.failing_since === null ? (
    <StateBadge meaning="good">{t("state.ok")}</StateBadge>
  ) : (
    <>
      <StateBadge meaning="bad">{t("schedule.fails")}</StateBadge>{" "}
      <Text span size="xs" c="dimmed">
        {t("since")} <RelativeTime at={pass.failing_since} /> · {pass.reason}
      </Text>
    </>
  );
}
