import { Autocomplete, type AutocompleteProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../session.ts";
import { usersQuery } from "./queries.ts";

/** A login, with autocomplete and free text. */
export function UserBox(props: AutocompleteProps & { value?: string }) {
  const mayRead = useMay("users.read");
  const [result] = useDebouncedValue(props.value ?? "", 250);
  const { data } = useQuery({ ...usersQuery(result), enabled: mayRead });
  const users = data?.data ?? [];
  return (
    <Autocomplete
      {...props}
      data={users.map(({ login }) => login)}
      renderOption={({ option }) => {
        const user = users.find(({ login }) => login === option.value);
        return user === undefined || user.nickname === "" || user.nickname === user.login
          ? option.value
          : `${user.nickname} · ${user.login}`;
      }}
      filter={({ options }) => options}
      maxLength={255}
      autoComplete="off"
    />
  );
}
