import { Avatar, Menu, Text, UnstyledButton, useMantineColorScheme } from "@mantine/core";
import { IconCommand, IconLogout, IconUser } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter, type RouterHistory } from "@tanstack/react-router";
import { useState } from "react";
import { changeLanguage, useTranslation } from "../../base/i18n.ts";
import { signOut } from "../../base/session.ts";
import { showFault } from "../../components/show-fault.tsx";
import { languageChoice, type LanguageChoice } from "../../shared/language.ts";
import { show } from "../palette/shown.ts";
import { sessionQuery, useSession } from "../session.ts";
import classes from "./user-menu.module.css";

/** The user menu: personal settings and sign-out. */
export function UserMenu() {
  const { t } = useTranslation();
  const { user, enterprise } = useSession();
  const navigate = useNavigate();
  const leave = useSignOut();
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className={classes["who"] ?? ""}>
          <Avatar size={30} radius="xl" name={user.nickname} color="accent" aria-hidden />
          <span className="only-heard">{t("shell.account")}</span>
          <span className={classes["names"]}>
            <Text size="sm" fw={600} lh={1.2} truncate>
              {user.nickname}
            </Text>
            <Text size="xs" c="dimmed" lh={1.2} truncate>
              {enterprise.name}
            </Text>
          </span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.login}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/settings" })}
        >
          {t("shell.profile")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconCommand size={16} aria-hidden />}
          onClick={() => show("shortcuts")}
        >
          {t("shell.shortcuts")}
        </Menu.Item>
        <Menu.Divider />
        <Theme />
        <Menu.Divider />
        <LanguageItems />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t("shell.sign_out")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function useSignOut() {
  const queries = useQueryClient();
  const router = useRouter();
  return async (): Promise<void> => {
    if (!(await mayLeave(router.history))) {
      return;
    }
    try {
      await signOut();
    } catch (thrown) {
      showFault(thrown);
      return;
    }
    // Errors after the sign-out do not count as an expired session.
    queries.setQueryData(sessionQuery.queryKey, null);
    await router.navigate({ to: "/login", search: {}, ignoreBlocker: true });
    queries.clear();
  };
}

/** Asks about unsaved changes before the sign-out: a page that stays could not save them after it. */
async function mayLeave(history: RouterHistory): Promise<boolean> {
  const [blocker] = history._getBlockers(); // a page has at most one form with a guard
  const login = { ...history.location, href: "/login", pathname: "/login", search: "", hash: "" };
  const step = { currentLocation: history.location, nextLocation: login, action: "PUSH" } as const;
  return blocker === undefined || !(await blocker.blockerFn(step));
}

function Theme() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup
      value={colorScheme}
      onChange={(chosen) => setColorScheme(chosen as typeof colorScheme)}
    >
      <Menu.Label>{t("shell.theme")}</Menu.Label>
      {(["light", "dark", "auto"] as const).map((scheme) => (
        <Menu.RadioItem key={scheme} value={scheme} closeMenuOnClick={false}>
          {t(`shell.themes.${scheme}`)}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

/** Each language under its own name. */
function LanguageItems() {
  const { t } = useTranslation();
  const [choice, setChoice] = useState(languageChoice);
  const change = async (chosen: LanguageChoice): Promise<void> => {
    try {
      await changeLanguage(chosen);
      setChoice(chosen);
    } catch (thrown) {
      showFault(thrown);
    }
  };
  return (
    <Menu.RadioGroup value={choice} onChange={(chosen) => void change(chosen as LanguageChoice)}>
      <Menu.Label>{t("shell.language")}</Menu.Label>
      <Menu.RadioItem value="en" lang="en" closeMenuOnClick={false}>
        English
      </Menu.RadioItem>
      <Menu.RadioItem value="fr" lang="fr" closeMenuOnClick={false}>
        Français
      </Menu.RadioItem>
      <Menu.RadioItem value="auto" closeMenuOnClick={false}>
        {t("shell.as_browser")}
      </Menu.RadioItem>
    </Menu.RadioGroup>
  );
}
