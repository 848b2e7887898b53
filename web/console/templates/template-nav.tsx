import { IconMail, IconMessage2, IconPencil } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import type { TemplateRef, Template } from "./queries.ts";
import type { TemplatesSearch } from "./search.ts";
import { channels, type Channel } from "../../../src/contracts/invitations.ts";
import type { TemplateKind } from "../../../src/contracts/message-templates.ts";
import classes from "./templates.module.css";

type PlacesProps = Readonly<{
  kinds: readonly TemplateKind[];
  place: TemplateRef;
  own: readonly Template[] | undefined;
  search: TemplatesSearch;
}>;

/** The messages in the selected language; marks custom ones. */
export function TemplateNav({ kinds, place, own, search }: PlacesProps) {
  const { t } = useTranslation("templates");
  return (
    <nav className={classes["nav"]} aria-label={t("place.all")}>
      {kinds.map((kind) => (
        <div key={kind} className={classes["kind"]}>
          <div className={classes["head"]}>{t(`kind.${kind}`)}</div>
          {channels.map((channel) => (
            <One
              key={channel}
              kind={kind}
              channel={channel}
              place={place}
              search={search}
              isOwn={
                own?.some(
                  (template) =>
                    template.kind === kind &&
                    template.channel === channel &&
                    template.language === place.language,
                ) === true
              }
            />
          ))}
        </div>
      ))}
    </nav>
  );
}

const icons = { email: IconMail, sms: IconMessage2 } as const;

type OneProps = Readonly<{ kind: TemplateKind; channel: Channel; isOwn: boolean }> &
  Pick<PlacesProps, "place" | "search">;

function One({ kind, channel, isOwn, place, search }: OneProps) {
  const { t } = useTranslation("templates");
  const Icon = icons[channel];
  const isHere = place.kind === kind && place.channel === channel;
  return (
    <Link
      to="/settings/templates"
      search={{ ...search, kind, channel }}
      className={classes["nav-item"]}
      aria-current={isHere ? "page" : undefined}
    >
      <Icon size={16} stroke={1.6} aria-hidden />
      <span>{t(`channel.${channel}`)}</span>
      {isOwn ? (
        <span className={classes["own"]}>
          <IconPencil size={13} aria-hidden />
          {t("place.own")}
        </span>
      ) : null}
    </Link>
  );
}
