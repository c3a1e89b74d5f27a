import { expect, test } from '@jest/globals';
import type { Bytes } from '../../engine/kernel/bytes.js';
import { SystemError } from '../../engine/kernel/errno.js';
import type { FileNode, FileStat } from '../../engine/kernel/files/file.js';
import type { Plain, Program, Wait } from '../../engine/kernel/process/program.js';
import type { ChildStatus, OpenFlags, SpawnRequest, Syscalls } from '../../engine/kernel/process/syscalls.js';

/** What specs of tools work on, in /work. */
export const FILES: Readonly<Record<string, Bytes>> = {
  fruits: 'banana\napple\ncherry\napple\nBanana\n\ndate\n',
  numbers: '10\n9\n2.5\n-3\n100\n1K\n2M\n512\n',
  table: 'web-1 Running 3 10m\nweb-2 Pending 0 5m\ndb-0 Running 12 2d\ncache CrashLoopBackOff 120 1h\n',
  passwd:
    'root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\nnginx:x:101:101:nginx user:/nonexistent:/bin/false\n',
  log: '2026-01-02 ERROR disk full\n2026-01-02 INFO started\n2026-01-03 WARN slow query\n2026-01-03 error again\n2026-01-04 INFO done',
  tabs: 'a\tb\tc\n1\t\t3\n  x\ty  \n',
  bin: '\x00\x01abc\xff\xfe\n\x7f\x1b[0m\n',
  empty: '',
  long: 'the quick brown fox jumps over the lazy dog and runs away from the very long sentence which goes on and on until it ends\nshort\n',
  'dir/one': 'one\n',
  'dir/two.txt': 'two two\n',
  'dir/sub/three.txt': 'three\nTHREE\n',
  'dir/.hidden': 'h\n',
  'a.json':
    '{"kind":"Pod","metadata":{"name":"web","labels":{"app":"x","tier":"front"}},"spec":{"containers":[{"name":"a","image":"nginx:1.25"},{"name":"b","image":"redis"}]},"n":1.50,"z":null,"t":true}\n',
  'list.json': '[{"name":"b","age":3},{"name":"a","age":10},{"name":"c","age":3}]\n',
};

export interface Outcome {
  readonly stdout: Bytes;
  readonly stderr: Bytes;
  readonly code: number;
}

type Node = { -readonly [K in keyof FileNode]: FileNode[K] } & { inode: number; children?: Map<Bytes, Node> };

interface Pipe {
  buffer: Bytes;
  writers: number;
  readers: number;
  readonly capacity: number;
}

type Shared = { offset: number; uses: number };
type Open =
  | ({ kind: 'file'; node: Node; flags: OpenFlags } & Shared)
  | ({ kind: 'reader'; pipe: Pipe } & Shared)
  | ({ kind: 'writer'; pipe: Pipe } & Shared);

interface Process {
  readonly pid: number;
  readonly parent: number;
  argv: readonly Bytes[];
  env: Record<string, Bytes>;
  cwd: Bytes;
  program: Program;
  state: Plain;
  descriptors: Map<number, Open>;
  ended?: ChildStatus;
  until?: number;
}

/** When files were made, and what time it is. */
export const START = Date.UTC(2026, 0, 2, 3, 4, 5);
export const NOW = Date.UTC(2026, 10, 22, 12);

/**
 * A small machine for specs of tools: files in memory, pipes, processes that take turns. It runs command lines of
 * words in quotes, `|`, `<`, `>` and `;`, and finds programs by the name of the command.
 */
export class TestMachine {
  now = NOW;
  user = 0;
  umask = 0o022;
  readonly env: Record<string, Bytes> = { PATH: '/usr/bin:/bin', HOME: '/root' };
  cwd: Bytes = '/work';
  private readonly root: Node;
  private inodes = 1;
  private pids = 1;
  private processes: Process[] = [];
  private randomState = 1;

  constructor(
    private readonly programs: Readonly<Record<string, Program>>,
    files: Readonly<Record<string, Bytes | Partial<FileNode>>> = {},
  ) {
    this.root = this.newNode({ type: 'directory', mode: 0o755 });
    for (const directory of ['/work', '/usr/bin', '/tmp', '/etc', '/dev']) this.makePath(directory);
    this.place('/dev/null', { type: 'char', mode: 0o666, device: [1, 3] });
    this.place('/etc/passwd', { content: 'root:x:0:0:root:/root:/bin/bash\nnginx:x:101:101::/:/bin/false\n' });
    this.place('/etc/group', { content: 'root:x:0:\nnginx:x:101:\n' });
    for (const [path, file] of Object.entries(files)) {
      this.place(path, typeof file === 'string' ? { content: file } : file);
    }
    for (const name of Object.keys(programs)) this.place(`/usr/bin/${name}`, { mode: 0o755, program: name });
  }

  /** The content of a file; undefined when there is none. */
  read(path: Bytes): Bytes | undefined {
    try {
      return this.find(path, '/').content;
    } catch {
      return undefined;
    }
  }

  run(line: string, input: Bytes = ''): Outcome {
    let outcome: Outcome = { stdout: '', stderr: '', code: 0 };
    for (const pipeline of splitWords(line, ';')) {
      const next = this.runPipeline(pipeline, input);
      outcome = { stdout: outcome.stdout + next.stdout, stderr: outcome.stderr + next.stderr, code: next.code };
    }
    return outcome;
  }

  private runPipeline(words: readonly string[], input: Bytes): Outcome {
    const stdout: Pipe = { buffer: '', writers: 1, readers: 1, capacity: 64 << 20 };
    const stderr: Pipe = { ...stdout };
    let reader: Open = { kind: 'reader', offset: 0, uses: 1, pipe: { ...stdout, buffer: input, writers: 0 } };
    const commands = splitOn(words, '|');
    let last = 0;
    commands.forEach((command, index) => {
      const isLast = index === commands.length - 1;
      const pipe: Pipe = isLast ? stdout : { buffer: '', writers: 0, readers: 1, capacity: 65_536 };
      const [argv, from, to] = takeRedirections(command);
      if (from !== undefined) reader = this.openFile(this.resolve(from, this.cwd), { read: true });
      const flags = { write: true, create: true, truncate: true };
      const writer: Open =
        to !== undefined
          ? this.openFile(this.resolve(to, this.cwd), flags)
          : { kind: 'writer', pipe, offset: 0, uses: 0 };
      const descriptors = new Map<number, Open>([
        [0, reader],
        [1, writer],
        [2, { kind: 'writer', pipe: stderr, offset: 0, uses: 0 }],
      ]);
      last = this.launch(argv, descriptors).pid;
      reader = { kind: 'reader', pipe, offset: 0, uses: 0 };
    });
    const code = this.runAll(last);
    return { stdout: stdout.buffer, stderr: stderr.buffer, code };
  }

  private launch(argv: readonly Bytes[], descriptors: Map<number, Open>): Process {
    const program = this.programs[argv[0] ?? ''];
    if (program === undefined) throw new Error(`no program ${argv[0]}`);
    return this.add(program, argv, { ...this.env }, this.cwd, descriptors, 0);
  }

  private add(
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

  /** Runs until the process with this pid has ended; then the rest of its pipeline. */
  private runAll(pid: number): number {
    for (let turns = 0; turns < 200_000; turns++) {
      let hasMoved = false;
      for (const process of [...this.processes]) {
        if (process.ended !== undefined || (process.until !== undefined && process.until > this.now)) continue;
        const before = JSON.stringify(process.state).length;
        const wait = process.program.step(process.state, this.syscalls(process));
        // State must be plain data: it goes through JSON after each step.
        if (before < 20_000) process.state = JSON.parse(JSON.stringify(process.state)) as Plain;
        hasMoved = this.settle(process, wait) || hasMoved;
      }
      const ended = this.processes.find((process) => process.pid === pid)?.ended;
      if (ended !== undefined && this.processes.every((p) => p.ended !== undefined || p.parent === 0)) {
        if (!hasMoved || this.processes.every((p) => p.ended !== undefined)) return this.reap(pid);
      }
      if (!hasMoved) this.passTime();
    }
    throw new Error('the command does not end');
  }

  private reap(pid: number): number {
    const ended = this.processes.find((process) => process.pid === pid)!.ended!;
    this.processes = [];
    return ended.signal === 'PIPE' ? 141 : ended.code;
  }

  private passTime(): void {
    const times = this.processes.flatMap((p) => (p.ended === undefined && p.until !== undefined ? [p.until] : []));
    const next = Math.min(...times.filter((time) => time > this.now));
    if (Number.isFinite(next)) this.now = next;
  }

  private settle(process: Process, wait: Wait): boolean {
    delete process.until;
    if (wait.type === 'exit') {
      this.end(process, { pid: process.pid, state: 'exited', code: wait.code });
      return true;
    }
    if (wait.type === 'wait') {
      const ready =
        (wait.readable ?? []).some((fd) => isReadable(process.descriptors.get(fd))) ||
        (wait.writable ?? []).some((fd) => isWritable(process.descriptors.get(fd))) ||
        (wait.child === true && this.processes.some((p) => p.parent === process.pid && p.ended !== undefined));
      if (!ready && wait.until !== undefined && wait.readable === undefined && wait.child === undefined) {
        process.until = wait.until;
      }
      return ready;
    }
    return true;
  }

  private end(process: Process, status: ChildStatus): void {
    if (process.ended !== undefined) return;
    process.ended = status;
    for (const descriptor of [...process.descriptors.keys()]) closeIn(process, descriptor);
    if (process.parent !== 0) return;
  }

  // files

  private newNode(node: Partial<FileNode>): Node {
    const base = { type: 'file' as const, mode: 0o644, user: 0, group: 0, modified: START, inode: this.inodes++ };
    const made: Node = { ...base, ...node };
    if (made.type === 'directory') made.children = new Map();
    if (made.type === 'file') made.content ??= '';
    return made;
  }

  private makePath(path: Bytes): Node {
    let node = this.root;
    for (const name of path.split('/').filter(Boolean)) {
      let next = node.children!.get(name);
      if (next === undefined) node.children!.set(name, (next = this.newNode({ type: 'directory', mode: 0o755 })));
      node = next;
    }
    return node;
  }

  private place(path: Bytes, file: Partial<FileNode>): void {
    const at = path.lastIndexOf('/');
    this.makePath(path.slice(0, at)).children!.set(path.slice(at + 1), this.newNode(file));
  }

  private resolve(path: Bytes, cwd: Bytes): Bytes {
    if (path === '') throw new SystemError('ENOENT');
    return path.startsWith('/') ? path : `${cwd}/${path}`;
  }

  private walk(path: Bytes, follow: boolean, depth = 0): { parent: Node; name: Bytes; node?: Node; path: Bytes } {
    if (depth > 40) throw new SystemError('ELOOP');
    const stack: { node: Node; name: Bytes }[] = [{ node: this.root, name: '' }];
    const names = path.split('/').filter((name) => name !== '' && name !== '.');
    const isDirectoryPath = path.endsWith('/') || path.endsWith('/.');
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const isLast = i === names.length - 1;
      const { node } = stack.at(-1)!;
      if (node.type !== 'directory') throw new SystemError('ENOTDIR');
      if (name === '..') {
        if (stack.length > 1) stack.pop();
        continue;
      }
      const child = node.children!.get(name);
      const here = `${stack.map((entry) => entry.name).join('/')}/${name}`;
      if (child === undefined) {
        if (isLast) return { parent: node, name, path: here };
        throw new SystemError('ENOENT');
      }
      if (child.type === 'link' && (!isLast || follow || isDirectoryPath)) {
        const base = stack.map((entry) => entry.name).join('/') || '/';
        const rest = names.slice(i + 1).join('/');
        const target = this.resolve(child.target!, base) + (rest === '' ? '' : `/${rest}`);
        return this.walk(target, follow, depth + 1);
      }
      stack.push({ node: child, name });
    }
    const { node, name } = stack.at(-1)!;
    if (isDirectoryPath && node.type !== 'directory') throw new SystemError('ENOTDIR');
    const parent = stack.at(-2)?.node ?? this.root;
    return { parent, name, node, path: stack.map((entry) => entry.name).join('/') || '/' };
  }

  private find(path: Bytes, cwd: Bytes, follow = true): Node {
    const { node } = this.walk(this.resolve(path, cwd), follow);
    if (node === undefined) throw new SystemError('ENOENT');
    return node;
  }

  private openFile(path: Bytes, flags: OpenFlags, mode = 0o666): Open {
    const { parent, name, node: found } = this.walk(path, true);
    let node = found;
    if (node === undefined) {
      if (flags.create !== true) throw new SystemError('ENOENT');
      parent.children!.set(name, (node = this.newNode({ mode: mode & ~this.umask, modified: this.now })));
    } else if (flags.exclusive === true) throw new SystemError('EEXIST');
    if (node.type === 'directory' && flags.write === true) throw new SystemError('EISDIR');
    if (node.type !== 'directory' && flags.directory === true) throw new SystemError('ENOTDIR');
    const forbidden = this.user !== 0 && (node.mode & (flags.write === true ? 0o222 : 0o444)) === 0;
    if (forbidden) throw new SystemError('EACCES');
    if (flags.truncate === true && node.type === 'file') node.content = '';
    return { kind: 'file', node, flags, offset: 0, uses: 0 };
  }

  private statOf(node: Node, links = 1): FileStat {
    const size = node.size ?? node.content?.length ?? node.target?.length ?? (node.type === 'directory' ? 4096 : 0);
    return {
      ...{ type: node.type, mode: node.mode, user: node.user, group: node.group, size, inode: node.inode },
      links:
        node.type === 'directory'
          ? 2 + [...node.children!.values()].filter((c) => c.type === 'directory').length
          : links,
      ...{ modified: node.modified, accessed: node.accessed ?? node.modified, changed: node.changed ?? node.modified },
      ...{ device: node.device ?? [0, 0], fileSystem: 'overlay' },
      blocks: node.type === 'link' ? 0 : Math.ceil(size / 4096) * 8,
    };
  }

  private countLinks(node: Node, under = this.root): number {
    let count = 0;
    for (const child of under.children!.values()) {
      if (child === node) count++;
      if (child.type === 'directory') count += this.countLinks(node, child);
    }
    return count;
  }

  private syscalls(process: Process): Syscalls {
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
      ...{ now: this.now, bootedAt: START, hostname: 'web-0', argv: process.argv, env: process.env },
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
      processes: () => [],
      charge: () => undefined,
      useCpu: () => undefined,
      random: () => (this.randomState = (this.randomState * 48_271) % 2_147_483_647) / 2_147_483_647,
      setMemory: () => undefined,
      cgroup: () => ({ memoryUsed: 0, cpuShares: 1024, cpuUsedMs: 0, processLimit: 100, processes: 1 }),
    };
    return calls as unknown as Syscalls;
  }
}

function isReadable(open: Open | undefined): boolean {
  return open === undefined || open.kind !== 'reader' || open.pipe.buffer !== '' || open.pipe.writers === 0;
}

function isWritable(open: Open | undefined): boolean {
  return open?.kind !== 'writer' || open.pipe.buffer.length < open.pipe.capacity || open.pipe.readers === 0;
}

function readFrom(open: Open, max: number): Bytes | undefined {
  if (open.kind === 'writer') throw new SystemError('EBADF');
  if (open.kind === 'reader') {
    const { pipe } = open;
    if (pipe.buffer === '') return pipe.writers === 0 ? '' : undefined;
    const bytes = pipe.buffer.slice(0, max);
    pipe.buffer = pipe.buffer.slice(max);
    return bytes;
  }
  if (open.node.type === 'directory') throw new SystemError('EISDIR');
  if (open.node.type === 'char') return '';
  const bytes = (open.node.content ?? '').slice(open.offset, open.offset + max);
  open.offset += bytes.length;
  return bytes;
}

function writeTo(open: Open, bytes: Bytes, now: number): number {
  if (open.kind === 'reader') throw new SystemError('EBADF');
  if (open.kind === 'writer') {
    const count = Math.min(bytes.length, open.pipe.capacity - open.pipe.buffer.length);
    open.pipe.buffer += bytes.slice(0, count);
    return count;
  }
  if (open.node.type === 'char') return bytes.length;
  const before = open.node.content ?? '';
  const offset = open.flags.append === true ? before.length : open.offset;
  const padded = before.padEnd(offset, '\0');
  open.node.content = padded.slice(0, offset) + bytes + padded.slice(offset + bytes.length);
  open.offset = offset + bytes.length;
  open.node.modified = now;
  return bytes.length;
}

function closeIn(process: Process, descriptor: number): void {
  const open = process.descriptors.get(descriptor);
  if (open === undefined) throw new SystemError('EBADF');
  process.descriptors.delete(descriptor);
  if (--open.uses > 0) return;
  if (open.kind === 'writer') open.pipe.writers--;
  if (open.kind === 'reader') open.pipe.readers--;
}

/** Words of pipelines: single quotes, double quotes, backslashes; operators stand as words of their own. */
function splitWords(line: string, separator: string): string[][] {
  const words: string[] = [];
  const pattern = /\s*(?:([|<>;])|((?:'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s|<>;'"\\])+))/gy;
  for (const [, operator, word] of line.matchAll(pattern)) words.push(operator ?? `\0${unquote(word!)}`);
  return splitOn(words, separator).map((pipeline) => [...pipeline]);
}

const unquote = (word: string) =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])/g,
    (_whole, single, double, escaped) => single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped,
  );

function splitOn(words: readonly string[], separator: string): string[][] {
  const parts: string[][] = [[]];
  for (const word of words) {
    if (word === separator) parts.push([]);
    else parts.at(-1)!.push(word);
  }
  return parts;
}

function takeRedirections(words: readonly string[]): [argv: Bytes[], from: Bytes | undefined, to: Bytes | undefined] {
  const argv: Bytes[] = [];
  let from: Bytes | undefined;
  let to: Bytes | undefined;
  for (let i = 0; i < words.length; i++) {
    if (words[i] === '<') from = words[++i]!.slice(1);
    else if (words[i] === '>') to = words[++i]!.slice(1);
    else argv.push(words[i]!.slice(1));
  }
  return [argv, from, to];
}

/** A command line, what it prints, and what it says and exits with when it fails. */
export type Case = readonly [line: string, stdout: Bytes, failure?: { readonly stderr: Bytes; readonly code: number }];

/** Runs command lines on a fresh machine with FILES in /work. Commands are the programs' names after the colon. */
export function testCases(programs: Readonly<Record<string, Program>>, cases: readonly Case[], flavour = 'gnu'): void {
  const chosen = Object.entries(programs).filter(([name]) => name.startsWith('busybox:') === (flavour === 'busybox'));
  const named = Object.fromEntries(chosen.map(([name, program]) => [name.slice(name.indexOf(':') + 1), program]));
  const files = Object.fromEntries(Object.entries(FILES).map(([path, content]) => [`/work/${path}`, content]));
  test.each(cases)('%s', (line, stdout, failure = { stderr: '', code: 0 }) => {
    expect(new TestMachine(named, files).run(line)).toEqual({ stdout, ...failure });
  });
}
