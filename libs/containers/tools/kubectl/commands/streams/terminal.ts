import type { Session } from '../../session/session.js';

/** Whether -t gets a terminal: it says so when there is none. Models pkg/cmd/exec StreamOptions.SetupTTY. */
export function startsTerminal(session: Session): boolean {
  const { flags, sys } = session;
  if (!flags.isOn('tty')) return false;
  if (sys.isTerminal(0)) return true;
  if (!flags.isOn('quiet')) session.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}
