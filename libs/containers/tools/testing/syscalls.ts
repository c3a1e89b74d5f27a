import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { FileNode } from '../../../engine/kernel/files/file.js';
import { LINUX } from '../../../engine/kernel/proc/kernel-facts.js';
import type { Program } from '../../../engine/kernel/process/program.js';
import type { ChildStatus, OpenFlags, SpawnRequest, Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { START, TestTree } from './file-tree.js';
import type { Node } from './node.js';
import { type Open, type Pipe, readFrom, writeTo } from './open-files.js';
import { closeIn, type Process } from './processes.js';

/** What a program may ask of the small machine. */
export abstract class TestKernel extends TestTree {
  protected processes: Process[] = [];
  private pids = 1;
  private randomState = 1;

  constructor(protected readonly programs: Readonly<Record<string, Program>>) {
    super();
  }

  protected add(
    program: Program,
    argv: readonly Bytes[],
    env: Record<string, Bytes>,
    cwd: Bytes,
    descriptors: Map<number, Open>,
    parent: number,
  ): Process {
    for (const open of descriptors.values()) {
      open.uses++;
      if (open.kind === 'writer' && open.uses === 1) open.pipe.writers++;
    }
    const base = { pid: ++this.pids, parent, argv, env, cwd, program, descriptors };
    const process: Process = { ...base, state: null };
    process.state = program.start(argv, this.syscalls(process));
    this.processes.push(process);
    return process;
  }

  protected end(process: Process, status: ChildStatus): void {
    if (process.ended !== undefined) return;
    process.ended = status;
    for (const descriptor of [...process.descriptors.keys()]) closeIn(process, descriptor);
    if (process.parent !== 0) return;
  }

  protected syscalls(process: Process): Syscalls {
    const at = (path: Bytes, follow = true) => this.walk(this.resolve(path, process.cwd), follow);
    const openOf = (descriptor: number): Open => {
      const open = process.descriptors.get(descriptor);
      if (open === undefined) throw new SystemError('EBADF');
      return open;
    };
    const addDescriptor = (open: Open, as?: number): number => {
      let descriptor = as ?? 0;
      while (as === undefined && process.descriptors.has(descriptor)) descriptor++;
      open.uses++;
      if (open.kind === 'writer' && open.uses === 1) open.pipe.writers++;
      process.descriptors.set(descriptor, open);
      return descriptor;
    };
    const makeChild = (path: Bytes, node: Partial<FileNode>, mode: number) => {
      const { parent, name, node: existing } = at(path, false);
      if (existing !== undefined) throw new SystemError('EEXIST');
      const { user } = this;
      parent.children!.set(name, this.newNode({ ...node, mode: mode & ~this.umask, user, modified: this.now }));
    };
    const stat = (node: Node) => this.statOf(node, node.type === 'file' ? Math.max(1, this.countLinks(node)) : 1);
    const calls = {
      ...{ pid: process.pid, parent: process.parent, user: this.user, group: this.user, groups: [this.user] },
      ...{ now: this.now, clock: this.now, bootedAt: START, hostname: 'web-0', argv: process.argv, env: process.env },
      setTitle: (title: Bytes) => {
        Object.assign(process, { argv: [title] });
      },
      cwd: () => process.cwd,
      chdir: (path: Bytes) => {
        const found = at(path);
        if (found.node === undefined) throw new SystemError('ENOENT');
        if (found.node.type !== 'directory') throw new SystemError('ENOTDIR');
        process.cwd = found.path;
      },
      /** Only the root that it has: others are the kernel's own spec's. */
      chroot: (path: Bytes) => {
        const found = at(path);
        if (found.node === undefined) throw new SystemError('ENOENT');
        if (found.node.type !== 'directory') throw new SystemError('ENOTDIR');
        if (found.path !== '/') throw new SystemError('EPERM');
      },
      setLimits: () => {},
      umask: (mask?: number) => {
        const before = this.umask;
        if (mask !== undefined) this.umask = mask;
        return before;
      },
      open: (path: Bytes, flags: OpenFlags, mode?: number) =>
        addDescriptor(this.openFile(this.resolve(path, process.cwd), flags, mode)),
      read: (descriptor: number, max = 65_536) => readFrom(openOf(descriptor), max),
      write: (descriptor: number, bytes: Bytes) => {
        const open = openOf(descriptor);
        if (open.kind === 'writer' && open.pipe.readers === 0) {
          this.end(process, { pid: process.pid, state: 'killed', code: 0, signal: 'PIPE' });
          throw new SystemError('EPIPE');
        }
        return writeTo(open, bytes, this.now);
      },
      close: (descriptor: number) => closeIn(process, descriptor),
      duplicate: (descriptor: number, as?: number) => addDescriptor(openOf(descriptor), as),
      descriptors: () => [...process.descriptors.keys()],
      pipe: () => {
        const pipe: Pipe = { buffer: '', writers: 0, readers: 1, capacity: 65_536 };
        const reader = addDescriptor({ kind: 'reader', pipe, offset: 0, uses: 0 });
        return { reader, writer: addDescriptor({ kind: 'writer', pipe, offset: 0, uses: 0 }) };
      },
      seek: (descriptor: number, offset: number, from: 'start' | 'current' | 'end') => {
        const open = openOf(descriptor);
        if (open.kind !== 'file') throw new SystemError('ESPIPE');
        const base = { start: 0, current: open.offset, end: open.node.content?.length ?? 0 }[from];
        return (open.offset = base + offset);
      },
      truncate: (descriptor: number, length: number) => {
        const open = openOf(descriptor);
        if (open.kind !== 'file') throw new SystemError('EINVAL');
        open.node.content = (open.node.content ?? '').slice(0, length).padEnd(length, '\0');
      },
      stat: (path: Bytes) => stat(this.find(path, process.cwd)),
      lstat: (path: Bytes) => stat(this.find(path, process.cwd, false)),
      fstat: (descriptor: number) => {
        const open = openOf(descriptor);
        return open.kind === 'file' ? stat(open.node) : this.statOf(this.newNode({ type: 'fifo', mode: 0o600 }));
      },
      readDirectory: (path: Bytes) => {
        const node = this.find(path, process.cwd);
        if (node.type !== 'directory') throw new SystemError('ENOTDIR');
        if (this.user !== 0 && (node.mode & 0o444) === 0) throw new SystemError('EACCES');
        return [...node.children!.keys()].sort((a, b) => (a < b ? -1 : 1));
      },
      makeDirectory: (path: Bytes, mode = 0o777) => makeChild(path, { type: 'directory' }, mode),
      makeNode: (path: Bytes, type: 'fifo' | 'char' | 'block', mode = 0o666, device?: readonly [number, number]) => {
        if (type !== 'fifo' && this.user !== 0) throw new SystemError('EPERM');
        makeChild(path, { type, device }, mode);
      },
      symlink: (target: Bytes, path: Bytes) => {
        const mask = this.umask;
        this.umask = 0;
        makeChild(path, { type: 'link', target }, 0o777);
        this.umask = mask;
      },
      link: (existing: Bytes, path: Bytes) => {
        const { parent, name, node } = at(path, false);
        if (node !== undefined) throw new SystemError('EEXIST');
        parent.children!.set(name, this.find(existing, process.cwd, false));
      },
      removeDirectory: (path: Bytes) => {
        const { parent, name, node } = at(path, false);
        if (node === undefined) throw new SystemError('ENOENT');
        if (node.type !== 'directory') throw new SystemError('ENOTDIR');
        if (node.children!.size > 0) throw new SystemError('ENOTEMPTY');
        parent.children!.delete(name);
      },
      unlink: (path: Bytes) => {
        const { parent, name, node } = at(path, false);
        if (node === undefined) throw new SystemError('ENOENT');
        if (node.type === 'directory') throw new SystemError('EISDIR');
        parent.children!.delete(name);
      },
      rename: (from: Bytes, to: Bytes) => {
        const source = at(from, false);
        const target = at(to, false);
        if (source.node === undefined) throw new SystemError('ENOENT');
        if (target.node !== undefined && target.node.type === 'directory') {
          if (source.node.type !== 'directory') throw new SystemError('EISDIR');
          if (target.node.children!.size > 0) throw new SystemError('ENOTEMPTY');
        }
        source.parent.children!.delete(source.name);
        target.parent.children!.set(target.name, source.node);
      },
      readLink: (path: Bytes) => {
        const node = this.find(path, process.cwd, false);
        if (node.type !== 'link') throw new SystemError('EINVAL');
        return node.target;
      },
      realPath: (path: Bytes) => {
        const found = at(path);
        if (found.node === undefined) throw new SystemError('ENOENT');
        return found.path;
      },
      access: (path: Bytes, mode: string) => {
        try {
          const node = this.find(path, process.cwd);
          const wants = { r: 0o444, w: 0o222, x: 0o111 };
          const isAllowed = (letter: string) =>
            this.user === 0 && letter !== 'x' ? true : (node.mode & wants[letter as 'r']) !== 0;
          return [...mode].every(isAllowed);
        } catch {
          return false;
        }
      },
      chmod: (path: Bytes, mode: number) => {
        const node = this.find(path, process.cwd);
        if (this.user !== 0 && node.user !== this.user) throw new SystemError('EPERM');
        node.mode = mode;
      },
      chown: (path: Bytes, user: number, group: number, ownLink = false) => {
        const node = this.find(path, process.cwd, !ownLink);
        if (this.user !== 0) throw new SystemError('EPERM');
        if (user >= 0) node.user = user;
        if (group >= 0) node.group = group;
      },
      setTimes: (path: Bytes, accessed: number, modified: number) => {
        Object.assign(this.find(path, process.cwd), { accessed, modified });
      },
      mounts: () => [
        { source: 'overlay', path: '/', type: 'overlay', options: ['rw', 'relatime'] },
        { source: 'tmpfs', path: '/dev', type: 'tmpfs', options: ['rw', 'nosuid'] },
      ],
      statFileSystem: (path: Bytes) => {
        this.find(path, process.cwd);
        const gib = 2 ** 30;
        if (path.startsWith('/dev')) {
          return { type: 'tmpfs', total: 65_536 * 1024, used: 0, available: 65_536 * 1024, inodes: 100, inodesUsed: 1 };
        }
        const rest = { inodes: 6_553_600, inodesUsed: 120_000 };
        return { type: 'overlay', total: 98 * gib, used: 21 * gib, available: 72 * gib, ...rest };
      },
      isTerminal: () => false,
      terminalName: () => undefined,
      terminalSize: () => ({ columns: 80, rows: 24 }),
      spawn: (request: SpawnRequest) => {
        const node = this.find(request.path, request.cwd ?? process.cwd);
        if (node.type === 'directory' || (node.mode & 0o111) === 0) throw new SystemError('EACCES');
        const program = this.programs[node.program ?? ''];
        if (program === undefined) throw new SystemError('ENOEXEC');
        const wanted = request.descriptors ?? { 0: 0, 1: 1, 2: 2 };
        const descriptors = new Map<number, Open>();
        for (const [as, from] of Object.entries(wanted)) {
          const open = process.descriptors.get(from);
          if (open !== undefined) descriptors.set(Number(as), open);
        }
        const env = { ...(request.env ?? process.env) };
        return this.add(program, request.argv, env, request.cwd ?? process.cwd, descriptors, process.pid).pid;
      },
      exec: (path: Bytes, argv: readonly Bytes[], env?: Readonly<Record<string, Bytes>>) => {
        const node = this.find(path, process.cwd);
        if (node.type === 'directory' || (node.mode & 0o111) === 0) throw new SystemError('EACCES');
        const program = this.programs[node.program ?? ''];
        if (program === undefined) throw new SystemError('ENOEXEC');
        Object.assign(process, { argv, program, env: env === undefined ? process.env : { ...env } });
        process.state = program.start(argv, this.syscalls(process));
      },
      wait: (pid: number) => {
        const children = this.processes.filter((p) => p.parent === process.pid && (pid < 0 || p.pid === pid));
        if (children.length === 0) throw new SystemError('ECHILD');
        const ended = children.find((child) => child.ended !== undefined);
        if (ended !== undefined) this.processes = this.processes.filter((p) => p !== ended);
        return ended?.ended;
      },
      kill: (pid: number, signal: 'TERM' | 'KILL' | 0) => {
        const target = this.processes.find((p) => p.pid === Math.abs(pid) && p.ended === undefined);
        if (target === undefined) throw new SystemError('ESRCH');
        if (signal !== 0) this.end(target, { pid: target.pid, state: 'killed', code: 0, signal });
      },
      handleSignal: () => undefined,
      signalAction: () => 'default',
      takeSignal: () => undefined,
      setGroup: () => undefined,
      hasCapability: () => this.user === 0,
      kernel: LINUX,
      kernelLog: () => {
        throw new SystemError('EPERM');
      },
      processes: () => [],
      charge: () => undefined,
      charged: 0,
      useCpu: () => undefined,
      random: () => (this.randomState = (this.randomState * 48_271) % 2_147_483_647) / 2_147_483_647,
      setMemory: () => undefined,
      cgroup: () => ({ memoryUsed: 0, cpuShares: 1024, cpuUsedMs: 0, processLimit: 100, processes: 1 }),
    };
    return calls as unknown as Syscalls;
  }
}
