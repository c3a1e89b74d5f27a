import type { ContainerSpec } from '../../engine/kernel/container.js';
import type { FileNode, ImageFiles } from '../../engine/kernel/files/file.js';
import type { Programs } from '../../engine/kernel/process/program.js';
import type { Image } from '../../engine/node/cri/image.js';
import { FileTree } from '../../engine/kernel/files/tree.js';
import { Machine } from '../../engine/kernel/machine.js';
import { BOOT, containerOf, imageOf, logOf, programsOf } from '../../engine/kernel/testing.js';
import { programs as shells } from '../shell/index.js';
import { programs as tools } from '../tools/coreutils/index.js';
import { programs as servers } from './index.js';

export { BOOT, logOf };

const PROGRAMS = { ...shells, ...tools, ...servers };

const executable = (program: string): FileNode => ({
  ...{ type: 'file', mode: 0o755, user: 0, group: 0, modified: BOOT, size: 1_000_000, program },
});
export const file = (content: string, mode = 0o644): FileNode => ({
  ...{ type: 'file', mode, user: 0, group: 0, modified: BOOT, content },
});

/** An image with the servers at these paths, a shell and a few tools. */
export function serverFiles(paths: Readonly<Record<string, string>>, more: ImageFiles = {}): ImageFiles {
  const files: Record<string, FileNode> = { ...imageOf({}), '/bin/sh': executable('dash') };
  for (const name of ['cat', 'echo', 'sleep', 'ls', 'id']) files[`/bin/${name}`] = executable(`coreutils:${name}`);
  for (const [path, program] of Object.entries(paths)) files[path] = executable(program);
  return { ...files, ...more };
}

/** A machine that runs a server's command line since BOOT. */
export function startServer(
  files: ImageFiles,
  argv: readonly string[],
  fields: Partial<ContainerSpec> = {},
): { readonly machine: Machine; readonly root: FileTree } {
  const machine = new Machine({ id: 'm1', seed: 1, bootedAt: BOOT, programs: programsOf(PROGRAMS) });
  const root = new FileTree('root', files);
  machine.start(containerOf(files, { argv, root, ...fields }), BOOT);
  return { machine, root };
}

/** A machine that runs an image's own main program since BOOT, with the programs of all images. */
export function startImage(image: Image, programs: Programs, fields: Partial<ContainerSpec> = {}): Machine {
  const { files = {}, config } = image;
  const machine = new Machine({ id: 'm1', seed: 1, bootedAt: BOOT, programs });
  const argv = [...(config.entrypoint ?? []), ...(config.cmd ?? [])];
  const env = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', ...config.env };
  const root = new FileTree('root', files);
  machine.start(containerOf(files, { argv, env, cwd: config.workingDir ?? '/', root, ...fields }), BOOT);
  return machine;
}

/** Runs on; throws the faults of programs. */
export function runTo(machine: Machine, at: number): void {
  while (!machine.run(at));
  if (machine.faults.length > 0) throw new Error(machine.faults.join('\n'));
}

/** Sends bytes to a port, and gives what has come back after some time. */
export function exchange(machine: Machine, port: number, bytes: string, at = machine.now, waitMs = 10_000): string {
  const session = machine.connect(port, at);
  if (bytes !== '') machine.input(session, bytes, at);
  runTo(machine, at + waitMs);
  const { stdout } = machine.output(session);
  machine.hangUp(session, machine.now);
  return stdout;
}

/** The status and body of a GET. */
export function get(
  machine: Machine,
  port: number,
  path: string,
  headers = '',
): { status: number; body: string; head: string } {
  const received = exchange(machine, port, `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}Connection: close\r\n\r\n`);
  const end = received.indexOf('\r\n\r\n');
  return { status: Number(received.split(' ', 2)[1]), head: received.slice(0, end), body: received.slice(end + 4) };
}

/** Runs a command in the machine's container to its end. */
export function execute(
  machine: Machine,
  argv: readonly string[],
  waitMs = 10_000,
): { stdout: string; stderr: string; code?: number } {
  const session = machine.exec('c1', { argv, stdin: false, terminal: false }, machine.now);
  runTo(machine, machine.now + waitMs);
  const { stdout, stderr, exit } = machine.output(session);
  return { stdout, stderr, code: exit?.code };
}
