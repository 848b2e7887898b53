import { useMutation } from "@tanstack/react-query";
import { useState, type ChangeEvent, type KeyboardEvent, type SyntheticEvent } from "react";
import { api, call } from "../base/api.ts";

type DraftOptions = Readonly<{
  conversationId: number;
  /** Called after sending; the next message can be sent once it resolves. */
  onSent: () => Promise<unknown>;
}>;

/**
 * The draft of a message, sent by submit or Enter. The field is cleared when sending starts, so
 * that the user can write the next message. After a failure, the unsent text is put back before it.
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
    // Fails at once when offline, so that the text is restored, instead of pausing silently.
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
    /** Props of the text field. */
    field: {
      value: text,
      maxLength: 4_000,
      onChange: (event: ChangeEvent<HTMLTextAreaElement>): void =>
        setText(event.currentTarget.value),
      /** Ignores the Enter that ends an IME composition. */
      onKeyDown: (event: KeyboardEvent): void => {
        if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          send();
        }
      },
    },
  };
}
