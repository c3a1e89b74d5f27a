import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../api/core_v1.js';
import type { SessionOutput } from '../../../machinery/requests/sessions.js';
import type { State } from '../../../runtime/state/state.js';
import { clientOf, machinesOf, podOf, recordsOf, stateOf, toolPod } from '../../cri/testing.js';
import { NOW } from '../testing.js';
import { PodSessions } from './sessions.js';

const FROM_START = { stdoutFrom: 0, stderrFrom: 0 };
const NO_STREAMS = { container: 'c', stdin: false, stdout: true, stderr: true, tty: false };

let state: State;
let sessions: PodSessions;

const sessionsOf = (of: State): PodSessions =>
  new PodSessions({ machines: machinesOf(of), read: of, client: () => clientOf(of) });
const begin = (...pods: readonly Pod[]): void => {
  state = stateOf(...pods);
  sessions = sessionsOf(state);
};
beforeEach(() => begin(toolPod([{}])));

/** Runs a command to its end. */
function exec(command: string, at = NOW, by = sessions): SessionOutput {
  const opened = by.openExec(podOf(state), { ...NO_STREAMS, command: command.split(' ') }, at);
  if (opened.failure) throw opened.failure;
  return by.read(opened.session, FROM_START, at);
}

describe('exec', () => {
  test('what a command writes, the next one reads', () => {
    expect(exec('write /tmp/x hi')).toMatchObject({
      stdout: '',
      stderr: '',
      exit: { code: 0 },
      wakeAt: expect.any(Number),
    });
    expect(exec('read /tmp/x', NOW + 60_000).stdout).toBe('hi');
  });

  test('in another process that has the state only', () => {
    exec('write /tmp/x hi');
    expect(exec('read /tmp/x', NOW + 5, sessionsOf(state)).stdout).toBe('hi');
  });

  test('as it was at a mark, when the writes after it are undone', () => {
    const mark = state.mark();
    exec('write /tmp/x hi');
    state.rollback(mark);
    expect(exec('read /tmp/x')).toMatchObject({ stderr: 'No such file or directory\n', exit: { code: 1 } });
    exec('write /tmp/x again');
    expect(exec('read /tmp/x').stdout).toBe('again');
  });

  test('a removed file leaves no row', () => {
    exec('write /tmp/x hi');
    const before = recordsOf(state).files;
    exec('remove /tmp/x', NOW + 1);
    expect(recordsOf(state).files).toBeLessThan(before);
    expect(exec('list /tmp', NOW + 2, sessionsOf(state)).stdout).toBe('');
  });

  test('a command that reads its input, line by line, in whichever process', () => {
    const opened = sessions.openExec(podOf(state), { ...NO_STREAMS, stdin: true, command: ['echo'] }, NOW);
    const { session } = opened as Extract<typeof opened, { failure?: undefined }>;
    sessions.input(session, { stdin: 'one\n' }, NOW + 10);
    const other = sessionsOf(state);
    expect(other.read(session, FROM_START, NOW + 10)).toMatchObject({ stdout: 'ONE\n' });
    other.input(session, { stdin: 'two\n', closeStdin: true }, NOW + 20);
    expect(sessions.read(session, { stdoutFrom: 4, stderrFrom: 0 }, NOW + 20)).toMatchObject({
      stdout: 'TWO\n',
      exit: { code: 0 },
    });
  });

  test('a command that is over at once tells its end with its beginning, and leaves no record', () => {
    const options = { ...NO_STREAMS, takesEnd: true };
    const opened = sessions.openExec(podOf(state), { ...options, command: ['list', '/'] }, NOW);
    expect(opened).toMatchObject({ over: { stdout: expect.stringContaining('bin'), stderr: '', exit: { code: 0 } } });
    const { session } = opened as Extract<typeof opened, { failure?: undefined }>;
    expect(sessionsOf(state).read(session, FROM_START, NOW)).toMatchObject({ exit: { code: 137 } });
    const waits = sessions.openExec(podOf(state), { ...options, command: ['rest', '5000'] }, NOW);
    expect(waits).toEqual({ session: expect.objectContaining({ pod: podOf(state).metadata.name }) });
  });

  const MIB = 1024 * 1024;
  test.each<[string, boolean, string, number]>([
    ['a pipe', false, 'x'.repeat(5 * MIB), 4 * MIB],
    ['a terminal', true, 'line\n'.repeat(2_000), 5 * 1_024],
  ])('input that %s does not hold is not taken, and nor is its end', (_case, tty, stdin, held) => {
    const options = { ...NO_STREAMS, stdin: true, tty, command: ['rest', '5000'] };
    const opened = sessions.openExec(podOf(state), options, NOW);
    const { session } = opened as Extract<typeof opened, { failure?: undefined }>;
    expect(sessions.input(session, { stdin, closeStdin: true }, NOW + 10).bytes).toBe(held);
    expect(sessions.read(session, FROM_START, NOW + 10).unread).toBe(held);
    expect(sessionsOf(state).input(session, { stdin: stdin.slice(held) }, NOW + 20).bytes).toBe(0);
  });

  test('of a session that is over all of it is dropped', () => {
    const opened = sessions.openExec(podOf(state), { ...NO_STREAMS, command: ['list', '/'] }, NOW);
    const { session } = opened as Extract<typeof opened, { failure?: undefined }>;
    expect(sessions.input({ ...session, id: '99' }, { stdin: 'abc' }, NOW + 10).bytes).toBe(3);
    expect(sessions.input({ ...session, uid: 'other' }, { stdin: 'abc' }, NOW + 10).bytes).toBe(3);
  });

  test.each([
    ['foo', 'exec: "foo": executable file not found in $PATH'],
    ['/bin/none', 'exec: "/bin/none": stat /bin/none: no such file or directory'],
  ])('%s cannot be started', (command, words) => {
    const opened = sessions.openExec(podOf(state), { ...NO_STREAMS, command: [command] }, NOW);
    expect(opened.failure?.message).toMatch(
      /^Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "[\da-f]{64}": OCI runtime exec failed: exec failed: unable to start container process: /,
    );
    expect(opened.failure?.message.endsWith(`${words}: unknown`)).toBe(true);
    expect(recordsOf(state)).toEqual({ machines: 0, files: 0 });
  });

  test('a container that does not run is not found', () => {
    expect(() => sessions.openExec(podOf(state), { ...NO_STREAMS, container: 'd', command: ['x'] }, NOW)).toThrow(
      'container not found ("d")',
    );
  });
});

test('a container that has ended, of which its status does not know yet, is not found', () => {
  begin(toolPod([{ command: ['rest', '10', '0'] }]));
  const later = NOW + 5_000;
  expect(() => sessions.openAttach(podOf(state), NO_STREAMS, later)).toThrow(
    `container c not found in pod ${podOf(state).metadata.name}_shop`,
  );
  expect(() => exec('list /', later)).toThrow('container not found ("c")');
});

describe('files', () => {
  test('containers of a pod share an emptyDir, and nothing else', () => {
    const mount = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    begin(toolPod([mount, mount], { spec: { volumes: [{ name: 'data', emptyDir: {} }] } }));
    exec('write /data/x shared');
    exec('write /tmp/x own');
    const inOther = (command: string): string => {
      const options = { ...NO_STREAMS, container: 'c1', command: command.split(' ') };
      const opened = sessions.openExec(podOf(state), options, NOW + 10);
      return opened.failure ? '' : sessions.read(opened.session, FROM_START, NOW + 10).stdout;
    };
    expect(inOther('read /data/x')).toBe('shared');
    expect(inOther('list /tmp')).toBe('');
  });

  test('what the main program writes is there from when it was written', () => {
    const mount = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
    begin(
      toolPod([mount, { ...mount, command: ['write', '/data/x', 'made'] }], {
        spec: { volumes: [{ name: 'data', emptyDir: {} }] },
      }),
    );
    expect(exec('read /data/x', NOW + 10).stdout).toBe('made');
  });

  test('a pod has its own address and name', () => {
    expect(exec('read /etc/hostname').stdout).toBe('web\n');
    expect(exec('read /etc/hosts').stdout).toContain('10.244.1.2\tweb\n');
    expect(exec('read /etc/resolv.conf').stdout).toContain('nameserver 10.96.0.10\n');
  });
});

test('a session is over when its pod is gone', () => {
  const opened = sessions.openExec(podOf(state), { ...NO_STREAMS, command: ['count'] }, NOW);
  const { session } = opened as Extract<typeof opened, { failure?: undefined }>;
  expect(sessions.read(session, FROM_START, NOW + 1_500)).toMatchObject({ stdout: '1\n2\n', wakeAt: NOW + 2_000 });
  state.remove('pods', { namespace: 'shop', name: 'web' }, 'test', 0);
  expect(sessions.read(session, FROM_START, NOW + 2_000)).toEqual({ stdout: '', stderr: '', exit: { code: 137 } });
});
