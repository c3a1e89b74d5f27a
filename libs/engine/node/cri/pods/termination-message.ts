import type { Container } from '../../../api/core_v1.js';
import { textOf } from '../../../kernel/bytes.js';
import type { LoadedMachine } from './loaded-machine.js';

/** Models containerd's and kuberuntime's MaxContainerTerminationMessageLength and ...LogLength, ...LogLines. */
const MAX_MESSAGE_BYTES = 4_096;
const MAX_LOG_BYTES = 2_048;
const MAX_LOG_LINES = 80;

/** Whether a container that has written no message says the end of its log. */
export const fallsBackToLog = ({ terminationMessagePolicy }: Container, failed: boolean): boolean =>
  failed && terminationMessagePolicy === 'FallbackToLogsOnError';

/** What an ended container says of its end. Models containerd's and the kubelet's getTerminationMessage. */
export function terminationMessageOf(
  { trees, machine, runs }: LoadedMachine,
  container: Container,
  containerID: string,
  failed: boolean,
): string {
  const written = textOf(trees.message(containerID).slice(0, MAX_MESSAGE_BYTES));
  if (written !== '' || !fallsBackToLog(container, failed)) return written;
  const lines = runs.has(containerID) ? machine.container(containerID).logs.slice(-MAX_LOG_LINES) : [];
  const text = lines.map((line) => (line.isPartial ? line.text : `${line.text}\n`)).join('');
  return textOf(text.slice(-MAX_LOG_BYTES));
}
