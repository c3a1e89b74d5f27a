import type { ApiError } from '@terrarium/engine';
import type { SessionEnd } from '../container-session.js';

/** What the error stream says: a Status of meta/v1, with the fields that upstream prints. */
export type CommandStatus = Readonly<Record<string, unknown>>;

const SUCCESS: CommandStatus = { metadata: {}, status: 'Success' };

/**
 * Models kubelet/pkg/cri/streaming/remotecommand/exec.go ServeExec and attach.go ServeAttach. `command`: empty for
 * attach.
 */
export function statusOf(end: Exclude<SessionEnd, { type: 'closed' }>, command: readonly string[]): CommandStatus {
  if (end.type === 'error') return failureStatus(end.error);
  const { code } = end;
  // Who is attached to a container reads its exit code from the pod's status.
  if (code === 0 || command.length === 0) return SUCCESS;
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command [${command.join(' ')}], exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

export const failureStatus = ({ reason, message, code }: ApiError): CommandStatus => ({
  metadata: {},
  status: 'Failure',
  message,
  reason,
  code,
});

/**
 * A status as the API server words it anew when it translates v5 of the WebSocket's protocol into the kubelet's SPDY.
 * Models apiserver/pkg/util/proxy/streamtranslator.go.
 */
export function translateStatus(status: CommandStatus): CommandStatus {
  if (status['status'] === 'Success') return status;
  const { message, details } = status;
  if (status['reason'] === 'NonZeroExitCode') {
    const { causes } = details as { causes: readonly { message: string }[] };
    const words = `command terminated with exit code ${causes[0]!.message}`;
    return { ...status, message: `command terminated with non-zero exit code: ${words}` };
  }
  return {
    metadata: {},
    status: 'Failure',
    message: `Internal error occurred: ${String(message)}`,
    reason: 'InternalError',
    details: { causes: [{ message }] },
    code: 500,
  };
}

/** `isText`: protocols before v4 send the message of a failure, and nothing for a success. */
export function encodeStatus(status: CommandStatus, isText: boolean): string {
  if (!isText) return JSON.stringify(status);
  return status['status'] === 'Success' ? '' : String(status['message']);
}
