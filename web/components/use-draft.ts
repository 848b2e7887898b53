import { useMutation } from "@tanstack/react-query";
import { useState, type ChangeEvent, type KeyboardEvent, type SyntheticEvent } from "react";
import { api, call } from "../base/api.ts";

type DraftOptions = Readonly<{
  conversationId: number;
  /** After it was sent; waited for before the next one can be. */
  onSent: () => Promise<unknown>;
}>;

/**
 * A message that is being written: a field, and what sends it (the button of its form, or Enter).
 * The field is empty from the moment of sending, so what is typed meanwhile is the next message.
 * What could not be sent comes back, before that.
 */
export function useDraft({ conversationId, onSent }: DraftOptions) {
  const [text, setText] = useState("");
  const sending = useMutation({
    mutationFn: (said: string) =>
      call(
        api.POST("/api/conversations/{conversationId}/messages", {
          params: { path: { conversationId: String(conversationId) } },
          body: { text: said },
        }),
      ),
    // Without a network it comes back at once, instead of waiting unseen for one.
    networkMode: "always",
    onMutate: () => setText(""),
    onError: (_error, said) => setText((typed) => (typed === "" ? said : `${said}\n${typed}`)),
    onSuccess: onSent,
  });
  const isEmpty = text.trim() === "";
  const send = (): void => {
    if (!isEmpty && !sending.isPending) {
      sending.mutate(text.trim());
    }
  };
  return {
    isEmpty,
    isSending: sending.isPending,
    error: sending.error,
    onSubmit: (event: SyntheticEvent): void => {
      event.preventDefault();
      send();
    },
    /** Of the field. */
    field: {
      value: text,
      maxLength: 4_000,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>): void =>
        setText(event.currentTarget.value),
      /** Enter that ends the composition of a character is no Enter of ours. */
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          send();
        }
      },
    },
  };
}
