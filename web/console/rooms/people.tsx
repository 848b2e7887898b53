import { Text } from "@mantine/core";
import { useTranslation } from "../../base/i18n.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { meaningOf, type LivePerson } from "./types.ts";
import classes from "./rooms.module.css";

/** A meeting can have 50 people; the others are on its page. */
const mostShown = 6;

/** The people in the call, with the quality that each page reports. */
export function People({ people }: { people: readonly LivePerson[] }) {
  const { t } = useTranslation("rooms");
  const hidden = people.length - mostShown;
  if (people.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t("people.none")}
      </Text>
    );
  }
  return (
    <ul className={classes["people"]} aria-label={t("list.people")}>
      {people.slice(0, mostShown).map((person) => (
        <Person key={`${person.start_time} ${person.role} ${person.name}`} person={person} />
      ))}
      {hidden > 0 ? <li>{t("people.more", { count: hidden })}</li> : null}
    </ul>
  );
}

function Person({ person: { name, role, quality } }: { person: LivePerson }) {
  const { t } = useTranslation("rooms");
  const { t: base } = useTranslation();
  const title = base(`session.role.${role}`);
  return (
    <li>
      <span className={classes["name"]}>{name === "" ? title : name}</span>
      {name === "" ? null : <span className={classes["role"]}>{title}</span>}
      {quality === null ? (
        <StateBadge meaning="waiting">{t("people.away")}</StateBadge>
      ) : (
        <StateBadge meaning={meaningOf[quality]}>{t(`quality.${quality}`)}</StateBadge>
      )}
    </li>
  );
}
