import { Menu, Text, UnstyledButton, Avatar, useMantineColorScheme } from "@mantine/core";
import { IconLanguage, IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../base/i18n.ts";
import { changeLanguage } from "../../base/i18n.ts";
import { signOut } from "../../base/session.ts";
import { showFault } from "../../components/show-fault.tsx";
import { useSession } from "../session.ts";
import classes from "./user-menu.module.css";

const useSignOut = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return async (): Promise<void> => {
    try {
      await signOut();
    } catch (thrown) {
      showFault(thrown);
      return;
    }
    await navigate({ to: "/login", search: {} });
    queries.clear();
  };
};

/** Who is signed in, and what they may set for themselves at any time. */
export const UserMenu = () => {
  const { t, language } = useTranslation();
  const { user, enterprise } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const navigate = useNavigate();
  const leave = useSignOut();
  const isDark = colorScheme === "dark";
  const other = language === "fr" ? "en" : "fr";
  return (
    <Menu position="bottom-end" width={240}>
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
          leftSection={
            isDark ? <IconSun size={16} aria-hidden /> : <IconMoon size={16} aria-hidden />
          }
          onClick={() => setColorScheme(isDark ? "light" : "dark")}
        >
          {t(isDark ? "shell.light" : "shell.dark")}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLanguage size={16} aria-hidden />}
          onClick={() => void changeLanguage(other).catch(showFault)}
          lang={other}
        >
          {other === "fr" ? "Français" : "English"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          {t("shell.sign_out")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
