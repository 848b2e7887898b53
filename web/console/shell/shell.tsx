import { Burger, Divider, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "../../base/i18n.ts";
import { may } from "../../base/session.ts";
import { Palette } from "../palette/palette.tsx";
import { useSession } from "../session.ts";
import { Loading } from "./loading.tsx";
import { Mark } from "./mark.tsx";
import { mainNavItems, otherNavItems, navItemAt, type NavItem } from "./navigation.ts";
import { SearchBox } from "./search-box.tsx";
import { UserMenu } from "./user-menu.tsx";
import classes from "./shell.module.css";

/** The frame of the console: navigation, search and user menu. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  return (
    <div className={classes["frame"]}>
      <a href="#content" className={classes["skip"]}>
        {t("shell.skip")}
      </a>
      <header className={classes["header"]}>
        <Burger
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="sm"
          size="sm"
          aria-label={t("shell.menu")}
          aria-expanded={isOpen}
        />
        <Text component={Link} to="/tickets" className={classes["brand"] ?? ""}>
          <Mark />
          Sightline
        </Text>
        <SearchBox />
        <UserMenu />
        <Palette />
      </header>
      <nav
        className={classes["nav"]}
        aria-label={t("shell.places")}
        data-open={isOpen || undefined}
      >
        <div className={classes["sticky"]}>
          <Places places={mainNavItems} onGo={close} />
          <OtherPlaces onGo={close} />
        </div>
      </nav>
      <main id="content" tabIndex={-1} className={classes["content"]}>
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  );
}

/** Secondary items, with a divider above if there are any. */
function OtherPlaces({ onGo }: { onGo: () => void }) {
  const session = useSession();
  return otherNavItems.some(({ needs }) => needs === undefined || may(session, needs)) ? (
    <>
      <Divider my="xs" />
      <Places places={otherNavItems} onGo={onGo} />
    </>
  ) : null;
}

function Places({ places, onGo }: { places: readonly NavItem[]; onGo: () => void }) {
  const { t } = useTranslation();
  const session = useSession();
  const here = useRouterState({ select: ({ location }) => navItemAt(location.pathname) });
  return places
    .filter(({ needs }) => needs === undefined || may(session, needs))
    .map((place) => (
      <NavLink
        key={place.to}
        component={Link}
        to={place.to}
        activeOptions={{ exact: true }} // otherwise Settings would be active for all its subpages
        label={t(place.name)}
        leftSection={<place.icon size={18} stroke={1.6} aria-hidden />}
        active={here === place}
        {...(here === place ? { "aria-current": "page" as const } : {})}
        onClick={onGo}
        className={classes["nav-item"] ?? ""}
      />
    ));
}
