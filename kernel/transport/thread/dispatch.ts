/** An action for every kind of message. */
export type Actions<Message extends { readonly kind: string }> = {
  readonly [Kind in Message["kind"]]: (message: Extract<Message, { readonly kind: Kind }>) => void;
};

/** Runs the action for a message. */
export function dispatch<Message extends { readonly kind: string }>(
  actions: Actions<Message>,
  message: Message,
): void {
  // The compiler does not see that the action found by a kind takes a message of that kind.
  const action = actions[message.kind as Message["kind"]] as (message: Message) => void;
  action(message);
}
