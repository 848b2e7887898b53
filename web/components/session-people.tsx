/** The people of a session: how long each was there, and how good their connection was. */
import type { components } from "../base/api-types.ts";
import { formatDuration, formatShare } from "../base/format.ts";
import { useTranslation } from "../base/i18n.ts";
import classes from "./session-people.module.css";

type SessionPerson = components["schemas"]["SubjectSessionParticipant"];
type Quality = NonNullable<SessionPerson["quality"]>;

const levels = ["good", "fair", "poor"] as const;

export function SessionPeople({ people }: { people: readonly SessionPerson[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes["people"]} aria-label={t("session.people")}>
      {people.map((person, nth) => (
        <Person key={`${person.start_time} ${person.name} ${nth}`} person={person} />
      ))}
    </ul>
  );
}

function Person({ person }: { person: SessionPerson }) {
  const { t } = useTranslation();
  const { name, role, start_time: start, end_time: end, quality } = person;
  return (
    <li>
      {name === "" ? t(`session.role.${role}`) : name}{" "}
      <span className={classes["duration"]}>
        {end === null ? t("session.present") : formatDuration(Date.parse(end) - Date.parse(start))}
      </span>
      {quality === null ? null : <QualityShare quality={quality} />}
    </li>
  );
}

/** How much of the time the connection was good, fair and poor. */
function QualityShare({ quality }: { quality: Quality }) {
  const { t } = useTranslation();
  const total = levels.reduce((sum, level) => sum + quality[level], 0);
  if (total === 0) {
    return null;
  }
  const share = (level: keyof Quality): string => formatShare(quality[level] / total);
  const heard = t("session.quality", {
    ...{ good: share("good"), fair: share("fair"), poor: share("poor") },
  });
  return (
    <span className={classes["quality"]} title={heard}>
      <span className={classes["bar"]} role="img" aria-label={heard}>
        {levels.map((level) => (
          <span key={level} data-level={level} style={{ flexGrow: quality[level] }} />
        ))}
      </span>
      <span aria-hidden>{t("session.good", { share: share("good") })}</span>
    </span>
  );
}
