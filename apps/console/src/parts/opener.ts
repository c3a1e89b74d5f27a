/**
 * What has the focus now, and gets it back when what is opened is closed: of an entry of a menu, which is gone by then,
 * the button of the menu.
 */
export function findOpener(): HTMLElement | undefined {
  const active = document.activeElement;
  if (!(active instanceof HTMLElement)) return undefined;
  const trigger = active.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  return (trigger ? document.getElementById(trigger) : null) ?? active;
}

/** What was deleted meanwhile has no focus: then the page's content has it. */
export function focusAgain(opener: HTMLElement | undefined): void {
  const target = opener?.isConnected && opener !== document.body ? opener : document.getElementById('content');
  target?.focus();
}
