import type { Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import { sleepUntil, type Wait } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { errnoText, formatMode, formatPermissions, quote } from '../../go.js';
import { defineJob, readFlags, type Command, type Job } from '../command/command.js';
import type { Flags, FlagTable } from '../command/flags.js';

const FLAGS: FlagTable = {
  fs_type: ['string', ''],
  file_mode: ['string', ''],
  file_perm: ['string', ''],
  file_owner: ['string', ''],
  new_file_0644: ['string', ''],
  new_file_0666: ['string', ''],
  new_file_0660: ['string', ''],
  new_file_0777: ['string', ''],
  file_content: ['string', ''],
  file_content_in_loop: ['string', ''],
  retry_time: ['int', '180'],
  break_on_expected_content: ['bool', 'true'],
};
const NEW_FILES = { new_file_0644: 0o644, new_file_0666: 0o666, new_file_0660: 0o660, new_file_0777: 0o777 } as const;
const INITIAL_CONTENT = 'mount-tester new file\n';
const LOOP_MS = 2_000;

/** Magic numbers of statfs(2); tmpfs has its name. */
const FILE_SYSTEMS: Readonly<Record<string, string>> = {
  tmpfs: 'tmpfs',
  overlay: '2035054128',
  ext4: '61267',
  xfs: '1481003842',
  proc: '40864',
  sysfs: '1650812274',
  nfs: '26985',
};

type State = { startedAt: number | null; hasFailed: boolean };

/** Prints types, modes, owners and contents of files. Models test/images/agnhost/mounttest. */
export const mounttest: Command = {
  flags: FLAGS,
  program: defineJob<State>(
    () => ({ startedAt: null, hasFailed: false }),
    (job) => {
      const flags = readFlags(FLAGS, job.argv);
      if (job.own.startedAt === null) {
        job.own.startedAt = job.sys.now;
        job.own.hasFailed = runOnce(job, flags);
      }
      const path = flags.text('file_content_in_loop');
      return path === '' ? Number(job.own.hasFailed) : readInLoop(job, flags, path);
    },
  ),
};

/** In upstream's order: a file is written before its mode is looked at. True: something failed. */
function runOnce(job: Job<State>, flags: Flags): boolean {
  const { sys } = job;
  sys.umask(0);
  const failures: boolean[] = [];
  const look = (flag: string, call: string, print: (path: Bytes) => void): void => {
    const path = flags.text(flag);
    if (path !== '')
      failures.push(
        !attempt(
          job,
          () => print(path),
          (reason) => `error from ${call}(${quote(path)}): ${reason}`,
        ),
      );
  };
  look('fs_type', 'statfs', (path) => {
    const { type } = sys.statFileSystem(path);
    job.out(`mount type of ${quote(path)}: ${FILE_SYSTEMS[type] ?? type}\n`);
  });
  for (const [flag, mode] of Object.entries(NEW_FILES)) {
    const path = flags.text(flag);
    if (path !== '') failures.push(!(writeFile(job, path, mode) && printContent(job, path)));
  }
  const stat = (path: Bytes) => wrapStat(sys, path);
  look('file_mode', 'Stat', (path) => job.out(`mode of file ${quote(path)}: ${formatMode(stat(path))}\n`));
  look('file_perm', 'Stat', (path) => job.out(`perms of file ${quote(path)}: ${formatPermissions(stat(path))}\n`));
  look('file_owner', 'stat', (path) => {
    const { user, group } = sys.stat(path);
    job.out(`owner UID of ${quote(path)}: ${user}\nowner GID of ${quote(path)}: ${group}\n`);
  });
  const path = flags.text('file_content');
  if (path !== '') failures.push(!printContent(job, path));
  return failures.includes(true);
}

/** os.Stat's error names the call and the path. */
function wrapStat(sys: Syscalls, path: Bytes) {
  try {
    return sys.stat(path);
  } catch (error) {
    throw new NamedFailure(`stat ${path}: ${errnoText(error)}`);
  }
}

class NamedFailure extends Error {}

function attempt(job: Job<State>, run: () => void, explain: (reason: string) => Bytes): boolean {
  try {
    run();
    return true;
  } catch (error) {
    job.out(`${explain(error instanceof NamedFailure ? error.message : errnoText(error))}\n`);
    return false;
  }
}

function writeFile(job: Job<State>, path: Bytes, mode: number): boolean {
  const { sys } = job;
  const write = (): void => {
    const descriptor = sys.open(path, { write: true, create: true, truncate: true }, mode);
    try {
      sys.write(descriptor, INITIAL_CONTENT);
    } finally {
      sys.close(descriptor);
    }
  };
  return attempt(job, write, (reason) => `error writing new file ${quote(path)}: open ${path}: ${reason}`);
}

function printContent(job: Job<State>, path: Bytes): boolean {
  return attempt(
    job,
    () => job.out(`content of file ${quote(path)}: ${readFile(job.sys, path)}\n`),
    (reason) => `error reading file content for ${quote(path)}: ${reason}`,
  );
}

/** os.ReadFile. */
export function readFile(sys: Syscalls, path: Bytes): Bytes {
  let call = 'open';
  try {
    const descriptor = sys.open(path, { read: true });
    call = 'read';
    try {
      let content = '';
      for (let bytes = sys.read(descriptor); bytes !== undefined && bytes !== ''; bytes = sys.read(descriptor)) {
        content += bytes;
      }
      return content;
    } finally {
      sys.close(descriptor);
    }
  } catch (error) {
    if (error instanceof SystemError) throw new NamedFailure(`${call} ${path}: ${errnoText(error)}`);
    throw error;
  }
}

/** The reason why readFile failed; anything else is thrown on. */
export function readFailure(error: unknown): string {
  if (error instanceof NamedFailure) return error.message;
  throw error;
}

function readInLoop(job: Job<State>, flags: Flags, path: Bytes): number | Wait {
  const { sys, own } = job;
  const end = own.startedAt! + flags.number('retry_time') * 1_000;
  if (sys.now >= end) return Number(own.hasFailed);
  try {
    const content = readFile(sys, path);
    job.out(`content of file ${quote(path)}: ${content}\n`);
    own.hasFailed = false;
    if (flags.isSet('break_on_expected_content')) {
      if (content === INITIAL_CONTENT) return 0;
      job.out(`Unexpected content. Expected: ${INITIAL_CONTENT}. Retrying`);
    }
  } catch (error) {
    job.out(`Error reading file ${path}: ${readFailure(error)}, retrying\n`);
    own.hasFailed = true;
  }
  return sleepUntil(sys.now + LOOP_MS);
}
