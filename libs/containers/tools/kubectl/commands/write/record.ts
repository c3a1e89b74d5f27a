import type { ApiObject, Session } from '../../session/session.js';
import type { Command } from '../command.js';

/** Deployments hand it to their ReplicaSets, and `rollout history` shows it. */
const CHANGE_CAUSE = 'kubernetes.io/change-cause';

/** A command that takes --record. Models k8s.io/cli-runtime/pkg/genericclioptions RecordFlags. */
export const recording = (command: Command): Command => ({
  ...command,
  flags: [...command.flags, 'record'],
  run(session) {
    if (session.flags.has('record'))
      session.err('Flag --record has been deprecated, --record will be removed in the future\n');
    return command.run(session);
  },
});

/** A change, or an object, with the command that made it as an annotation, where that was asked for. */
export function recordCause<T extends ApiObject>(session: Session, change: T): T {
  if (!session.flags.isOn('record')) return change;
  const { metadata = {} } = change;
  const annotations = { ...metadata.annotations, [CHANGE_CAUSE]: changeCause(session) };
  return { ...change, metadata: { ...metadata, annotations } };
}

/** The same of an object that was changed without it, by a request of its own. */
export function recordLater(session: Session, path: string): void {
  if (session.flags.isOn('record')) session.patch(path, recordCause(session, {}));
}

/** The words of the command, then its flags. Models genericclioptions parseCommandArguments. */
const changeCause = ({ path, args, flags }: Session): string =>
  [path, ...args, ...flags.entries().map(([name, value]) => `--${name}=${value}`)].join(' ');
